"""`pytest-beir import`, from the user's files to a folder that reads strictly."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.commands import import_judgements
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import BeirError, DatasetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Import = Callable[..., int]

JUDGEMENTS = """\
query,doc_id,rating,group
reset my password,account/password.txt,2,account
reset my password,billing/invoice.md,0,account
"where is my invoice, please",billing/invoice.md,1,billing
"""


@pytest.fixture
def run_import(tmp_path: Path) -> Import:
    def run(*words: str) -> int:
        parser = argparse.ArgumentParser()
        import_judgements.register(parser.add_subparsers())
        args = parser.parse_args(["import", *words])
        status: int = args.run(args)
        return status

    documents = tmp_path / "manual"
    for name, text in {
        "account/password.txt": "Open the settings, then choose a new password.\r\n",
        "billing/invoice.md": "# Your invoice\n\nInvoices lie in the billing tab.\n",
        ".git/config": "[core]",
        "billing/.hidden": "secret",
    }.items():
        path = documents / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (tmp_path / "golden.csv").write_text(JUDGEMENTS, encoding="utf-8")
    return run


def _arguments(folder: Path, *more: str) -> tuple[str, ...]:
    documents, out = folder / "manual", folder / "data" / "docs"
    return (str(folder / "golden.csv"), f"--documents={documents}", f"--out={out}", *more)


def test_a_csv_and_a_folder_of_text_files_become_a_dataset(
    run_import: Import, tmp_path: Path
) -> None:
    assert run_import(*_arguments(tmp_path)) == 0
    dataset = load_dataset(tmp_path / "data" / "docs", cache_dir=tmp_path / "cache")
    assert sorted(dataset.queries.values()) == ["reset my password", "where is my invoice, please"]
    by_text = {text: query for query, text in dataset.queries.items()}
    assert dataset.qrels[by_text["reset my password"]] == {
        "account/password.txt": 2,
        "billing/invoice.md": 0,
    }
    assert dataset.metadata[by_text["where is my invoice, please"]] == {"group": "billing"}
    assert dataset.corpus is not None
    assert dict(dataset.corpus.items()) == {
        "account/password.txt": {
            "title": "",
            "text": "Open the settings, then choose a new password.\n",
        },
        "billing/invoice.md": {
            "title": "Your invoice",
            "text": "Invoices lie in the billing tab.\n",
        },
    }


def test_query_ids_and_files_do_not_change_when_rows_are_reordered_or_added(
    run_import: Import, tmp_path: Path
) -> None:
    run_import(*_arguments(tmp_path))
    before = {
        path.name: path.read_bytes()
        for path in (tmp_path / "data" / "docs").rglob("*")
        if path.is_file()
    }
    header, *rows = JUDGEMENTS.splitlines()
    reordered = "\n".join([header, *reversed(rows)])
    (tmp_path / "golden.csv").write_text(reordered, encoding="utf-8")
    run_import(*_arguments(tmp_path, "--force"))
    folder = tmp_path / "data" / "docs"
    assert {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    old = set(load_dataset(folder, cache_dir=tmp_path / "cache").queries)
    added = f"{JUDGEMENTS}new question,billing/invoice.md,1,\n"
    (tmp_path / "golden.csv").write_text(added, encoding="utf-8")
    run_import(*_arguments(tmp_path, "--force"))
    assert old < set(load_dataset(folder, cache_dir=tmp_path / "cache").queries)


def test_the_report_names_everything_that_was_left_out_by_id(
    run_import: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        "reset my password,account/password.txt,2,",  # again
        "reset my password,account/gone.txt,1,",  # no such document
        "reset my password,password.txt,1,",  # the folder is missing
        "unrated one,billing/invoice.md,,",
        "nothing helps,billing/invoice.md,0,",
    ]
    (tmp_path / "golden.csv").write_text(JUDGEMENTS + "\n".join(rows), encoding="utf-8")
    assert run_import(*_arguments(tmp_path, "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["documents"], report["queries"], report["judgements"]) == (2, 3, 4)
    assert report["grades"] == {"0": 2, "1": 1, "2": 1}
    dropped = report["dropped"]
    place = str(tmp_path / "golden.csv")
    assert [(one["document"], one["place"]) for one in dropped["repeated"]] == [
        ("account/password.txt", f"{place}:5")
    ]
    assert [(one["document"], one.get("nearest")) for one in dropped["unknown_documents"]] == [
        ("account/gone.txt", None),
        ("password.txt", "account/password.txt"),
    ]
    assert [one["document"] for one in dropped["unrated"]] == ["billing/invoice.md"]
    assert [one["query"] for one in dropped["queries_without_judgements"]] == ["unrated one"]
    warned = report["warnings"]["queries_without_relevant"]
    assert [one["query"] for one in warned] == ["nothing helps"]

    run_import(*_arguments(tmp_path, "--force"))
    shown = capsys.readouterr().out
    assert "2 documents, 3 queries, 4 judgements in split test" in shown
    assert f'account/gone.txt for "reset my password" (q-{_digest()}), {place}:6' in shown
    assert "did you mean account/password.txt?" in shown
    assert "3 judged queries detect a drop of" in shown
    assert "below 100 queries a drop cannot be excluded" in shown


def _digest() -> str:
    from hashlib import sha256

    return sha256(b"reset my password").hexdigest()[:10]


def test_a_folder_that_holds_something_is_refused_without_force(
    run_import: Import, tmp_path: Path
) -> None:
    folder = tmp_path / "data" / "docs"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        run_import(*_arguments(tmp_path))
    assert run_import(*_arguments(tmp_path, "--force")) == 0
    assert (folder / "README.md").read_text(encoding="utf-8") == "mine"
    assert load_dataset(folder, cache_dir=tmp_path / "cache").counts.judgements == 3


def test_force_does_not_orphan_the_judgements_of_another_split(
    run_import: Import, tmp_path: Path
) -> None:
    run_import(*_arguments(tmp_path, "--split=train"))
    with pytest.raises(UsageError, match=r"train\.tsv: judgements of another split"):
        run_import(*_arguments(tmp_path, "--force"))


def test_an_error_leaves_no_folder_and_no_part_of_one(run_import: Import, tmp_path: Path) -> None:
    (tmp_path / "golden.csv").write_text(f"{JUDGEMENTS}q,x.txt,0.5,\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"golden\.csv:5: the rating 0\.5 .* not a whole number"):
        run_import(*_arguments(tmp_path))
    assert not (tmp_path / "data").exists()


def test_the_new_folder_has_the_usual_permissions(run_import: Import, tmp_path: Path) -> None:
    run_import(*_arguments(tmp_path))
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "file").touch()
    folder = tmp_path / "data" / "docs"
    assert folder.stat().st_mode == plain.stat().st_mode
    assert (folder / "corpus.jsonl").stat().st_mode == (plain / "file").stat().st_mode
    assert sorted(path.name for path in folder.parent.iterdir()) == ["docs"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--split=../x",), "--split"),
        (("--out={folder}/manual/data",), "is within the folder of documents"),
        (("--out={folder}/golden.csv",), "not a folder"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    run_import: Import, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    given = [word.format(folder=tmp_path) for word in words]
    with pytest.raises(UsageError, match=message):
        run_import(*_arguments(tmp_path), *given)


def test_judgements_that_lie_among_the_documents_are_no_document(
    run_import: Import, tmp_path: Path
) -> None:
    (tmp_path / "golden.csv").rename(tmp_path / "manual" / "golden.csv")
    documents, out = tmp_path / "manual", tmp_path / "out"
    run_import(str(documents / "golden.csv"), f"--documents={documents}", f"--out={out}")
    assert load_dataset(out, cache_dir=tmp_path / "cache").counts.documents == 2


def test_ids_that_differ_only_by_case_are_pointed_out(
    run_import: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.dumps({"_id": name, "text": "a leaf"}) for name in ("tea", "Tea", "milk")]
    (tmp_path / "drinks.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "drinks.csv").write_text("query,doc_id,rating\na leaf,tea,1\n", encoding="utf-8")
    status = run_import(
        str(tmp_path / "drinks.csv"),
        f"--documents={tmp_path / 'drinks.jsonl'}",
        f"--out={tmp_path / 'out'}",
    )
    assert status == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "look at: 2 documents with an id that differs only by case" in told
    assert "tea, Tea" in told or "tea Tea" in told


def test_missing_files_are_named(run_import: Import, tmp_path: Path) -> None:
    for name in ("golden.csv", "manual"):
        (tmp_path / name).rename(tmp_path / f"{name}.away")
        with pytest.raises(BeirError, match=name):
            run_import(*_arguments(tmp_path))
        (tmp_path / f"{name}.away").rename(tmp_path / name)


def test_reference_texts_are_matched_and_the_rest_is_named(
    run_import: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs.jsonl").write_text(
        '{"_id": "a", "text": "A pump moves water to the tank."}\n'
        '{"_id": "b", "text": "Filters keep the sand out of it."}\n',
        encoding="utf-8",
    )
    goldens = [
        {"input": "what moves water", "context": ["a pump moves water to the tank"]},
        {"input": "what about sand", "context": ["Nobody wrote this sentence.", "the sand out of"]},
    ]
    (tmp_path / "goldens.json").write_text(json.dumps(goldens), encoding="utf-8")
    out = tmp_path / "out"
    run_import(f"{tmp_path}/goldens.json", f"--documents={tmp_path}/docs.jsonl", f"--out={out}")
    said = capsys.readouterr().out
    assert "form: goldens of DeepEval" in said
    assert "reference texts found in documents: 1 after normalising, 1 by containment" in said
    assert "left out: 1 reference text:" in said
    assert '"Nobody wrote this sentence." for "what about sand"' in said
    rows = (out / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert sorted(row.split("\t")[1:] for row in rows) == [["a", "1"], ["b", "1"]]


def test_ratings_that_are_no_grades_need_a_scale(
    run_import: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "golden.csv"
    path.write_text(
        "query,doc_id,rating\na,account/password.txt,0.9\na,billing/invoice.md,0.4\n",
        encoding="utf-8",
    )
    with pytest.raises(DatasetError, match=r"--scale 0\.\.1=0\.\.3 \(0\.4 becomes 1"):
        run_import(*_arguments(tmp_path))
    assert run_import(*_arguments(tmp_path, "--scale=0..1=0..3")) == 0
    assert "ratings: 0.4 became 1, 0.9 became 3" in capsys.readouterr().out
    qrels = (tmp_path / "data" / "docs" / "qrels" / "test.tsv").read_text(encoding="utf-8")
    assert sorted(line.split("\t")[2] for line in qrels.splitlines()[1:]) == ["1", "3"]


def test_a_complete_file_needs_no_documents(run_import: Import, tmp_path: Path) -> None:
    whole = {"queries": {"q": "why"}, "corpus": {"n": "A text."}, "relevant_docs": {"q": ["n"]}}
    (tmp_path / "whole.json").write_text(json.dumps(whole), encoding="utf-8")
    assert run_import(f"{tmp_path}/whole.json", f"--out={tmp_path}/out") == 0
    assert load_dataset(tmp_path / "out", cache_dir=tmp_path / "cache").qrels == {"q": {"n": 1}}
    (tmp_path / "other.json").write_text('[{"query": "why", "doc_id": "n"}]', encoding="utf-8")
    with pytest.raises(UsageError, match="--documents"):
        run_import(f"{tmp_path}/other.json", f"--out={tmp_path}/out2")


def test_passages_are_judged_where_the_text_is(
    run_import: Import, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"_id": "a", "text": "One two three four. Five six seven eight. Nine ten."}
    (tmp_path / "docs.jsonl").write_text(json.dumps(record), encoding="utf-8")
    rows = [
        {"question": "x", "reference_contexts": ["five six seven eight"]},
        {"question": "y", "reference_contexts": ["three four five six"]},
    ]
    (tmp_path / "golden.json").write_text(json.dumps(rows), encoding="utf-8")
    arguments = [f"{tmp_path}/golden.json", f"--documents={tmp_path}/docs.jsonl", "--passages=4"]
    run_import(*arguments, f"--out={tmp_path}/out")
    dataset = load_dataset(tmp_path / "out", cache_dir=tmp_path / "cache")
    assert list(dataset.corpus or ()) == ["a#1", "a#2", "a#3"]
    assert [sorted(grades) for grades in dataset.qrels.values()] in (
        [["a#2"], ["a#1", "a#2"]],
        [["a#1", "a#2"], ["a#2"]],
    )
    assert "1 long document cut into passages" in capsys.readouterr().out


@pytest.mark.parametrize("written", ["", "0", "-1", "100001", "many", "2.5", "²"])
def test_a_passages_length_is_a_number_of_words(written: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a number of words; for example"):
        import_judgements._words(written)
    assert [import_judgements._words(each) for each in ("1", "200", "100000")] == [1, 200, 100_000]
