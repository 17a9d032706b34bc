"""Baselines on the disk: what is written, what comes back, what is refused."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from pytest_beir.baselines.store import Key, delete, finish, load, paths, save, stored, unnamed
from pytest_beir.datasets.dataset import Fingerprints
from pytest_beir.errors import BaselineError
from pytest_beir.scoring.scorer import Scores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import DatasetIdentity

TABLE = """\
query-id\tnDCG@10\tR@100\tJudged@10\tanchor:nDCG@10\tanchor:R@100\ttop10\tjudged
10\t0.5\t1.0\t0.2\t0.6\t1.0\t["d1", "tab\\there \\"quoted\\""]\t[[1, "d1"], [57, "naïve/7"]]
9\t0.3333333333333333\t0.30000000000000004\t0.1\t0.3333333333333333\t0.30000000000000004\t\
["d1"]\t[[1, "d1"]]
é, \u2028\t0.0\t0.0\t0.0\t0.0\t0.0\t[]\t[]
"""

DOCUMENT = """\
format: 2
retriever: bm25
dataset:
  name: docs
  split: test
  documents: 120
  queries: 3
  judgements: 5
  drop_identical_ids: false
  fingerprints:
    queries: {a1}
    qrels: {b2}
    corpus: {c3}
metrics:
  nDCG@10:
    mean: 0.277778
    drift: -0.033333
    anchor:
      written: '2026-01-05'
      commit: 0123abc
      category: new
      reason: null
      mean: 0.311111
    definition: 'gain over ideal: ''graded'''
  R@100:
    mean: 0.433333
    drift: 0.0
    anchor:
      written: '2026-01-05'
      commit: 0123abc
      category: new
      reason: null
      mean: 0.433333
    definition: share found
  Judged@10:
    mean: 0.1
    definition: seen
accepted:
  written: '2026-02-01'
  commit: '12e4567'
  category: neutral
  reason: 'another tokenizer: faster'
  updates: 2
versions:
  pytest-beir: 0.1.0
  retriever: null
recorded:
  missing:
    - "é, \\L"
scores: {digest}
"""


@pytest.fixture
def files(tmp_path: Path, baseline: Baseline) -> tuple[Path, Path]:
    """The two files of the stored baseline."""
    save(tmp_path, baseline)
    return tmp_path / "bm25/docs.yaml", tmp_path / "bm25/docs.queries.tsv"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")


def refusal(folder: Path) -> str:
    with pytest.raises(BaselineError) as caught:
        load(folder, "bm25", "docs")
    return str(caught.value).replace(f"{folder}{os.sep}", "")


def test_the_table_has_the_columns_in_their_order(files: tuple[Path, Path]) -> None:
    assert files[1].read_bytes().decode() == TABLE


def test_the_other_file_reads_well_and_holds_the_tables_digest(files: tuple[Path, Path]) -> None:
    digest = sha256(TABLE.encode()).hexdigest()
    expected = DOCUMENT.format(a1="a1" * 32, b2="b2" * 32, c3="c3" * 32, digest=digest)
    assert files[0].read_bytes().decode() == expected


def test_any_yaml_reader_understands_it(files: tuple[Path, Path]) -> None:
    content = yaml.safe_load(files[0].read_text(encoding="utf-8"))
    assert content["accepted"]["commit"] == "12e4567"
    assert content["accepted"]["written"] == "2026-02-01"
    assert content["metrics"]["nDCG@10"]["mean"] == 0.277778


def test_what_was_saved_comes_back(files: tuple[Path, Path], baseline: Baseline) -> None:
    loaded = load(files[0].parents[1], "bm25", "docs")
    assert loaded == baseline
    assert loaded is not None
    assert loaded.metrics == ("nDCG@10", "R@100")
    assert loaded.drift("nDCG@10") == pytest.approx(-0.1 / 3, abs=1e-15)


def test_members_no_corpus_and_dropped_ids_come_back(tmp_path: Path, baseline: Baseline) -> None:
    part = {query: "ab"[place % 2] for place, query in enumerate(baseline.scores.top10)}

    def prefixed(by_query: Mapping[str, Any]) -> dict[str, Any]:
        return dict(sorted((f"{part[query]}/{query}", each) for query, each in by_query.items()))

    divided = replace(
        baseline,
        identity=replace(
            baseline.identity,
            documents=None,
            fingerprints=replace(baseline.identity.fingerprints, corpus=None),
            members=("a", "b"),
            drop_identical_ids=True,
        ),
        scores=Scores(
            values={metric: prefixed(vector) for metric, vector in baseline.current.items()},
            top10=prefixed(baseline.scores.top10),
            judged=prefixed(baseline.scores.judged),
            missing=tuple(f"{part[query]}/{query}" for query in baseline.scores.missing),
            unjudged_queries=(),
        ),
        anchor={metric: prefixed(vector) for metric, vector in baseline.anchor.items()},
    )
    assert save(tmp_path, divided)
    assert load(tmp_path, "bm25", "docs") == divided


def test_parts_that_do_not_fit_the_queries_are_refused(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    text = files[0].read_text(encoding="utf-8")
    files[0].write_text(
        text.replace("  drop_identical_ids", "  members: [b, a]\n  drop_identical_ids", 1),
        encoding="utf-8",
    )
    with pytest.raises(BaselineError, match=r"docs\.yaml: .*parts b, a, its .* \(10, 9, a, b, é"):
        load(tmp_path, "bm25", "docs")


def test_nothing_stored_is_none(tmp_path: Path) -> None:
    assert load(tmp_path / "nowhere", "bm25", "docs") is None


def test_equal_scores_never_rewrite_a_file(files: tuple[Path, Path], baseline: Baseline) -> None:
    before = [(path.stat().st_mtime_ns, path.read_bytes()) for path in files]
    newer = replace(
        baseline,
        history=replace(
            baseline.history,
            accepted=replace(baseline.history.accepted, written="2027-01-01", reason="again"),
            updates=9,
        ),
    )
    assert save(files[0].parents[1], newer) is False
    assert [(path.stat().st_mtime_ns, path.read_bytes()) for path in files] == before


def test_equal_scores_over_other_judgements_are_written(
    files: tuple[Path, Path], baseline: Baseline
) -> None:
    changed = replace(
        baseline,
        identity=replace(
            baseline.identity, fingerprints=Fingerprints("a1" * 32, "d4" * 32, "c3" * 32)
        ),
    )
    assert save(files[0].parents[1], changed) is True
    assert load(files[0].parents[1], "bm25", "docs") == changed


def test_names_that_are_no_file_names_are_stored_all_the_same(
    tmp_path: Path, baseline: Baseline
) -> None:
    odd = replace(
        baseline,
        retriever="tests/BM25 ü",
        identity=replace(baseline.identity, name="cqadupstack/android"),
    )
    assert save(tmp_path, odd)
    assert load(tmp_path, "tests/BM25 ü", "cqadupstack/android") == odd
    assert load(tmp_path, "tests/bm25 ü", "cqadupstack/android") is None
    assert stored(tmp_path) == (Key("tests/BM25 ü", "cqadupstack/android"),)


def test_no_temporary_file_stays_behind(files: tuple[Path, Path]) -> None:
    assert sorted(path.name for path in files[0].parents[1].rglob("*")) == [
        ".gitattributes",
        "bm25",
        "docs.queries.tsv",
        "docs.yaml",
    ]


def test_the_table_is_marked_as_generated_once(files: tuple[Path, Path]) -> None:
    attributes = files[0].parents[1] / ".gitattributes"
    assert attributes.read_text() == "*.queries.tsv linguist-generated=true\n"


def test_attributes_of_the_users_own_are_kept(tmp_path: Path, baseline: Baseline) -> None:
    (tmp_path / ".gitattributes").write_text("*.yaml text")
    save(tmp_path, baseline)
    save(tmp_path, replace(baseline, retriever="other"))
    assert (tmp_path / ".gitattributes").read_text() == (
        "*.yaml text\n*.queries.tsv linguist-generated=true\n"
    )


def test_attributes_that_are_no_text_keep_no_baseline_from_being_stored(
    tmp_path: Path, baseline: Baseline
) -> None:
    (tmp_path / ".gitattributes").write_bytes(b"caf\xe9 text\n")
    assert save(tmp_path, baseline) is True
    assert load(tmp_path, "bm25", "docs") == baseline
    assert (tmp_path / ".gitattributes").read_bytes() == b"caf\xe9 text\n"


def test_line_ends_that_git_converted_change_nothing(
    files: tuple[Path, Path], baseline: Baseline
) -> None:
    for path in files:
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load(files[0].parents[1], "bm25", "docs") == baseline


def test_a_baseline_copied_to_another_retriever_is_read(
    files: tuple[Path, Path], baseline: Baseline
) -> None:
    files[0].parent.rename(files[0].parents[1] / "renamed")
    assert load(files[0].parents[1], "renamed", "docs") == baseline


def test_a_file_for_another_dataset_says_which(files: tuple[Path, Path]) -> None:
    for path in files:
        path.rename(path.with_name(path.name.replace("docs", "other")))
    loaded = load(files[0].parents[1], "bm25", "other")
    assert loaded is not None
    assert loaded.identity.name == "docs"


def test_interrupted_between_the_two_files_the_baseline_is_read_as_finished(
    files: tuple[Path, Path], baseline: Baseline, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = files[0].parents[1]
    replace_file = Path.replace

    def stop(self: Path, target: Path) -> Path:
        if target.suffix == ".yaml":
            raise KeyboardInterrupt
        return replace_file(self, target)

    monkeypatch.setattr(Path, "replace", stop)
    changed = replace(baseline, anchor={name: baseline.current[name] for name in baseline.anchor})
    with pytest.raises(KeyboardInterrupt):
        save(folder, changed)
    monkeypatch.undo()
    assert load(folder, "bm25", "docs") == changed
    finish(folder)
    assert load(folder, "bm25", "docs") == changed
    assert sorted(path.name for path in files[0].parent.iterdir()) == [
        "docs.queries.tsv",
        "docs.yaml",
    ]


def test_a_disk_that_refuses_is_an_error_and_leaves_the_old_files(
    files: tuple[Path, Path], baseline: Baseline, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = files[0].parents[1]

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BaselineError, match=r"docs\.yaml: cannot be written \(No space left"):
        save(folder, replace(baseline, anchor=baseline.current))
    monkeypatch.undo()
    assert load(folder, "bm25", "docs") == baseline


@pytest.mark.parametrize("missing", [0, 1])
def test_half_a_baseline_is_refused_with_the_remedy(files: tuple[Path, Path], missing: int) -> None:
    files[missing].unlink()
    message = refusal(files[0].parents[1])
    assert message.startswith(f"bm25{os.sep}{files[1 - missing].name}: its other half")
    assert "restore both files of the baseline from version control" in message
    assert "pytest --beir --beir-update" in message


LAST = "é, \u2028\t0.0\t0.0\t0.0\t0.0\t0.0\t[]\t[]\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (TABLE, "", 1, "the file is empty"),
        ("query-id", "query", 1, "the header is not query-id, the metrics, Judged@10"),
        ("anchor:R@100", "anchor:R@10", 1, "the header is not"),
        ("\tJudged@10", "", 1, "the header is not"),
        ("9\t0.3", "9\t1\t0.3", 3, "9 columns where the header has 8"),
        ("9\t0.3333333333333333\t", "9\t", 3, "7 columns where the header has 8"),
        (LAST, LAST[:-1], 4, "the last line has no end: the file is cut off"),
        (LAST, LAST[:9], 4, "the last line has no end"),
        ("\n9\t", "\n10\t", 3, "the query '10' is given twice"),
        ("\n9\t", "\n0\t", 3, "the query '0' is out of order, after '10'"),
        ("\n10\t", "\n\t", 2, "the query '' is out of order"),
        ("\t0.5\t", "\tnan\t", 2, "query '10': 'nan' is not a finite number"),
        ("\t0.5\t", "\t-inf\t", 2, "'-inf' is not a finite number"),
        ("\t0.5\t", "\t0,5\t", 2, "'0,5' is not a finite number"),
        ('["d1"]', '["d1"', 3, "the column top10 is not a JSON list"),
        ('["d1"]', '"d1"', 3, "the column top10 is not a JSON list"),
        ('["d1"]', "[1]", 3, "top10 is not a list of at most ten ids"),
        ('[[1, "d1"]]', "[[1]]", 3, "[1] in judged is not [rank, document id]"),
        ('[[1, "d1"]]', '[[true, "d1"]]', 3, "[True, 'd1'] in judged"),
        ('[[1, "d1"]]', '[[101, "d1"]]', 3, "[101, 'd1'] in judged"),
        ('[[1, "d1"]]', '[["1", "d1"]]', 3, "['1', 'd1'] in judged"),
        ("9\t", "<<<<<<< HEAD\n9\t", 3, "a merge conflict is not resolved here"),
        ("é, \u2028\t", "=======\né, \u2028\t", 4, "a merge conflict is not resolved here"),
    ],
)
def test_a_malformed_table_is_refused_with_its_line(
    files: tuple[Path, Path], old: str, new: str, line: int, words: str
) -> None:
    edit(files[1], old, new)
    message = refusal(files[0].parents[1])
    assert message.startswith(f"bm25{os.sep}docs.queries.tsv:{line}: ")
    assert words in message
    assert "restore both files" in message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (LAST, "", "it has 2 queries, docs.yaml says 3"),
        ("\t0.5\t", "\t0.51\t", "it is not the table that docs.yaml was written with"),
        ("naïve", "naive", "it is not the table that docs.yaml was written with"),
    ],
)
def test_a_table_that_does_not_belong_to_the_other_file_is_refused(
    files: tuple[Path, Path], old: str, new: str, words: str
) -> None:
    edit(files[1], old, new)
    message = refusal(files[0].parents[1])
    assert message.startswith(f"bm25{os.sep}docs.queries.tsv: ")
    assert words in message


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("dataset:\n", "dataset: [\n", 5, "not valid YAML"),
        ("split: test", "split: 3", 5, "dataset.split: expected text, found 3"),
        ("queries: 3", "queries: -3", 7, "dataset.queries"),
        ("  judgements: 5\n", "", 3, "the key 'judgements' is missing"),
        (
            "judgements:",
            "judgments:",
            3,
            "missing; line 8: dataset.judgments: unknown key; did you mean 'judgements'",
        ),
        ("  documents", "  split: dev\n  documents", 6, "this key is given twice, first on line 5"),
        ("format: 2\n", "", 1, "the key 'format' says None"),
        ("format: 2", "format: true", 1, "the key 'format' says True, not 2"),
        ("mean: 0.277778", "mean: .nan", 16, "metrics.nDCG@10.mean"),
        ("category: neutral", "category: fine", 41, "'fine'"),
        ("retriever: bm25", ">>>>>>> other\nretriever: bm25", 2, "a merge conflict"),
    ],
)
def test_a_malformed_document_is_refused_with_its_line(
    files: tuple[Path, Path], old: str, new: str, line: int, words: str
) -> None:
    edit(files[0], old, new)
    message = refusal(files[0].parents[1])
    assert message.startswith(f"bm25{os.sep}docs.yaml:{line}: ")
    assert words in message
    assert "restore both files" in message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  R@100:", "  R@10:", "it has the metrics nDCG@10, R@10, Judged@10, its table nDCG@10"),
        ("    drift: 0.0\n", "", "metrics.R@100: the key 'drift' is missing"),
        ("mean: 0.1\n", "mean: 0.1\n    drift: 0.0\n", "Judged@10: the key 'drift' is out of"),
        ("mean: 0.277778", "mean: 0.377778", "nDCG@10.mean says 0.377778, the scores give 0.2777"),
        ("drift: -0.03", "drift: 0.03", "metrics.nDCG@10.drift says 0.033333, the scores give -"),
        ("mean: 0.311111", "mean: 0.3", "metrics.nDCG@10.anchor.mean says 0.3"),
        ("mean: 0.1\n", "mean: 0.2\n", "metrics.Judged@10.mean says 0.2"),
    ],
)
def test_a_document_that_says_what_the_table_does_not_is_refused(
    files: tuple[Path, Path], old: str, new: str, words: str
) -> None:
    edit(files[0], old, new)
    assert words in refusal(files[0].parents[1])


@pytest.mark.parametrize("content", ["", "- a\n", "plain\n"])
def test_a_document_without_keys_is_refused(files: tuple[Path, Path], content: str) -> None:
    files[0].write_text(content)
    assert "docs.yaml:1: expected the keys of a baseline" in refusal(files[0].parents[1])


def test_a_later_format_asks_for_an_upgrade(files: tuple[Path, Path]) -> None:
    edit(files[0], "format: 2", "format: 3\nnews: yes")
    message = refusal(files[0].parents[1])
    assert message.startswith(f"bm25{os.sep}docs.yaml:1: format 3 is of a later pytest-beir")
    assert "upgrade" in message


@pytest.mark.parametrize("which", [0, 1])
def test_a_file_that_is_not_utf8_is_refused_with_its_line(
    files: tuple[Path, Path], which: int
) -> None:
    lines = files[which].read_bytes().split(b"\n")
    lines[2] = b"\xff" + lines[2]
    files[which].write_bytes(b"\n".join(lines))
    assert f"{files[which].name}:3: byte 0xff is not UTF-8" in refusal(files[0].parents[1])


def test_what_cannot_be_read_is_replaced_when_asked(
    files: tuple[Path, Path], baseline: Baseline
) -> None:
    files[0].write_text("format: [")
    assert save(files[0].parents[1], baseline) is True
    assert load(files[0].parents[1], "bm25", "docs") == baseline


@pytest.mark.parametrize("query", ["", "a\tb", "a\nb", "a\rb"])
def test_a_query_id_that_no_line_can_hold_is_refused_by_name(
    tmp_path: Path, baseline: Baseline, query: str
) -> None:
    columns = {metric: {query: 0.5} | dict(vector) for metric, vector in baseline.current.items()}
    with pytest.raises(BaselineError, match=re.escape(f"the query id {query!r}")):
        save(tmp_path, replace(baseline, scores=replace(baseline.scores, values=columns)))
    assert not list(tmp_path.rglob("*.tsv"))


def test_a_document_id_that_is_not_unicode_is_refused(tmp_path: Path, baseline: Baseline) -> None:
    top10 = {**baseline.scores.top10, "9": ("it is the last document, x\ud800",)}
    with pytest.raises(BaselineError, match=r"not valid Unicode, at 'the last document, x\\ud800'"):
        save(tmp_path, replace(baseline, scores=replace(baseline.scores, top10=top10)))


def test_a_score_that_is_not_finite_is_refused(tmp_path: Path, baseline: Baseline) -> None:
    current = {**baseline.current, "R@100": {**baseline.current["R@100"], "9": float("nan")}}
    with pytest.raises(BaselineError, match="'9' has a score that is not finite"):
        save(tmp_path, replace(baseline, scores=replace(baseline.scores, values=current)))


def test_deleting_removes_both_files_and_the_empty_folder(
    tmp_path: Path, baseline: Baseline, identity: DatasetIdentity
) -> None:
    save(tmp_path, baseline)
    save(tmp_path, replace(baseline, identity=replace(identity, name="other")))
    assert delete(tmp_path, "bm25", "docs") is True
    assert stored(tmp_path) == (Key("bm25", "other"),)
    assert delete(tmp_path, "bm25", "docs") is False
    assert delete(tmp_path, "bm25", "other") is True
    assert not (tmp_path / "bm25").exists()


def test_the_list_holds_halves_and_leaves_out_what_is_not_ours(
    tmp_path: Path, baseline: Baseline
) -> None:
    assert stored(tmp_path / "nowhere") == ()
    save(tmp_path, baseline)
    save(tmp_path, replace(baseline, retriever="a b"))
    (tmp_path / "bm25/half.queries.tsv").touch()
    (tmp_path / "bm25/README.md").touch()
    (tmp_path / "bm25/not ours.yaml").touch()
    (tmp_path / "README.md").touch()
    (tmp_path / "Folder of mine").mkdir()
    assert stored(tmp_path) == (Key("a b", "docs"), Key("bm25", "docs"), Key("bm25", "half"))


def test_the_paths_are_those_of_the_documentation(tmp_path: Path) -> None:
    assert paths(tmp_path, "bm25", "scifact") == (
        tmp_path / "bm25/scifact.yaml",
        tmp_path / "bm25/scifact.queries.tsv",
    )


def test_a_forum_sized_baseline_comes_back(tmp_path: Path, baseline: Baseline) -> None:
    queries = [f"android/{number:05}" for number in range(13_145)]
    large = replace(
        baseline,
        identity=replace(baseline.identity, queries=len(queries)),
        scores=Scores(
            values={metric: dict.fromkeys(queries, 0.25) for metric in baseline.current},
            top10=dict.fromkeys(queries, tuple("abcdefghij")),
            judged=dict.fromkeys(queries, ((1, "a"), (2, "b"))),
            missing=(),
            unjudged_queries=(),
        ),
        anchor={metric: dict.fromkeys(queries, 0.25) for metric in baseline.anchor},
    )
    assert save(tmp_path, large)
    assert load(tmp_path, "bm25", "docs") == large


def test_baselines_of_datasets_that_nothing_names_are_found_for_every_retriever(
    tmp_path: Path, baseline: Baseline
) -> None:
    for retriever in ("bm25", "dense"):
        for dataset in ("docs", "old", "cqadupstack/android"):
            identity = replace(baseline.identity, name=dataset)
            save(tmp_path, replace(baseline, retriever=retriever, identity=identity))
    assert unnamed(stored(tmp_path), ["docs", "cqadupstack/android"]) == (
        Key("bm25", "old"),
        Key("dense", "old"),
    )


def test_case_does_not_count(tmp_path: Path, baseline: Baseline) -> None:
    save(tmp_path, baseline)
    assert unnamed(stored(tmp_path), ["DOCS"]) == ()


def test_an_empty_folder_has_nothing_to_prune(tmp_path: Path) -> None:
    assert unnamed(stored(tmp_path / "nowhere"), []) == ()


FORMAT_1 = {
    "format: 2": "format: 1",
    "versions:\n  pytest-beir: 0.1.0\n  retriever: null\n": "",
    "  updates: 2\n": "  versions:\n    pytest-beir: 0.1.0\n    retriever: null\n  updates: 2\n",
    'recorded:\n  missing:\n    - "é, \\L"\n': "",
}


def test_format_1_is_read_as_what_it_was(files: tuple[Path, Path], baseline: Baseline) -> None:
    for new, old in FORMAT_1.items():
        edit(files[0], new, old)
    # It does not tell an empty answer from a missing one: what has no first document was missing.
    assert load(files[0].parents[1], "bm25", "docs") == baseline
    assert not save(files[0].parents[1], baseline)
    changed = replace(
        baseline, anchor={**baseline.anchor, "R@100": dict(baseline.current["nDCG@10"])}
    )
    assert save(files[0].parents[1], changed)
    assert "format: 2" in files[0].read_text(encoding="utf-8")


def test_an_empty_answer_is_not_taken_for_a_missing_one(tmp_path: Path, baseline: Baseline) -> None:
    answered = replace(baseline, scores=replace(baseline.scores, missing=()))
    save(tmp_path, answered)
    loaded = load(tmp_path, "bm25", "docs")
    assert loaded is not None
    assert loaded.scores.missing == ()


def test_what_was_recorded_comes_back(tmp_path: Path, baseline: Baseline) -> None:
    told = replace(
        baseline,
        same_text=(("10", "9"),),
        recorded={"answers": "a ranking of ids", "chunks": "best of each document"},
        history=replace(baseline.history, versions={"pytest-beir": "0.2.0", "bm25s": "0.2.14"}),
    )
    save(tmp_path, told)
    assert load(tmp_path, "bm25", "docs") == told


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ("{missing: ['11']}", "recorded.missing: '11' is not a query"),
        ("{same_text: [['10', '9'], ['9', '10']]}", "recorded.same_text: '10' is given twice"),
        ("{same_text: yes}", "recorded.same_text"),
    ],
)
def test_what_is_recorded_of_queries_must_fit_them(
    files: tuple[Path, Path], recorded: str, words: str
) -> None:
    edit(files[0], 'recorded:\n  missing:\n    - "é, \\L"\n', f"recorded: {recorded}\n")
    assert words in refusal(files[0].parents[1])
