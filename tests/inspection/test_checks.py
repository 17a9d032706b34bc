from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pytest_beir.inspection.checks import Findings, check_folder

HEADER = "query-id\tcorpus-id\tscore\n"
Check = Callable[[Path], Findings]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    return lambda folder: check_folder(folder, tmp_path / "cache")


def warnings(findings: Findings) -> dict[str, int]:
    assert len({one.code for one in findings.warnings}) == len(findings.warnings)
    return {one.code: one.count for one in findings.warnings}


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("scifact", (5183, 300, 339), {}),
        ("cranfield", (1400, 225, 1837), {"empty-documents": 2}),
        ("cisi", (1460, 76, 3114), {"unjudged-queries": 36, "duplicate-texts": 2}),
        ("cacm", (3204, 52, 796), {"unjudged-queries": 12, "judged-documents-missing": 46}),
        ("vaswani", (11429, 93, 2083), {"duplicate-texts": 16}),
        ("noveleval", (420, 21, 420), {}),
        ("nfcorpus-processed", (3395, 323, 12334), {"duplicate-texts": 39}),
    ],
)
def test_a_classic_collection_is_reported_with_its_known_quirks(
    shared_data: Path,
    check: Check,
    name: str,
    counts: tuple[int, int, int],
    expected: dict[str, int],
) -> None:
    folder = shared_data / "beir" / name
    findings = check(folder)
    assert findings.errors == []
    assert warnings(findings) == expected
    assert (findings.documents, findings.queries, findings.judgements) == counts
    if "duplicate-texts" in expected:
        lines = (folder / "corpus.jsonl").read_text("utf-8").split("\n")
        documents = [json.loads(line) for line in lines if line]
        texts = [(one["title"], one["text"]) for one in documents]
        assert expected["duplicate-texts"] == len(texts) - len(set(texts))


def test_scifact_is_the_official_one(shared_data: Path) -> None:
    """The sums of BEIR's own files, without which its published scores would prove nothing."""
    official = {
        "corpus.jsonl": "dec31c8182f3d744c7d2c09423756fd1d17cbef75808db13ba01cc0aab4d1ac6",
        "queries.jsonl": "8ff84a7c903f722981cd8d595c022660140c51867b27608a6d4910db86080313",
    }
    for name, digest in official.items():
        content = (shared_data / "beir" / "scifact" / name).read_bytes()
        assert sha256(content).hexdigest() == digest


def test_missing_documents_come_with_their_file_and_the_ceiling(
    shared_data: Path, check: Check
) -> None:
    findings = check(shared_data / "beir" / "cacm")
    (message,) = [one.message for one in findings.warnings if "missing" in one.code]
    assert message.startswith("46 judged documents (55 judgements) not in the corpus ('CACM-115', ")
    assert message.endswith("nDCG@10 cannot exceed 0.9899 in test.anserini-unpadded.tsv")


@pytest.mark.parametrize(
    "name", ["nfcorpus", "msmarco", "dbpedia-entity", "scidocs", "trec-covid", "arguana"]
)
def test_judgements_without_a_corpus_have_no_errors(
    shared_data: Path, check: Check, name: str
) -> None:
    findings = check(shared_data / "beir-qrels" / name)
    assert findings.errors == []
    assert findings.documents is None
    assert warnings(findings)["no-corpus"] == 1


def write(folder: Path, **files: Any) -> Path:
    (folder / "qrels").mkdir(parents=True)
    right = {
        "corpus.jsonl": '{"_id": "d1", "title": "", "text": "a"}\n',
        "queries.jsonl": '{"_id": "q1", "text": "a"}\n',
        "qrels/test.tsv": HEADER + "q1\td1\t1\n",
    }
    for name, text in {**right, **files}.items():
        if text is not None:
            (folder / name).write_text(text, "utf-8")
    return folder


def test_every_error_of_every_file_is_found_in_one_go(tmp_path: Path, check: Check) -> None:
    folder = write(
        tmp_path / "data",
        **{
            "corpus.jsonl": '{"_id": "d1", "text": "a"}\n{"_id": 2}\n{\n{"_id": "d1", "text": ""}',
            "queries.jsonl": '{"_id": "q1", "text": "a"}\n{"text": "b"}\n',
            "qrels/test.tsv": HEADER + "q1\td1\t1\nq1\td1\t1\nq1\td1\t2\nq1\td2\t.5\n",
            "qrels/train.tsv": HEADER + "q1\td1\n",
        },
    )
    found = [(one.kind, str(one.file and one.file.name), one.line) for one in check(folder).errors]
    assert found == [
        ("wrong-type", "corpus.jsonl", 2),
        ("malformed-json", "corpus.jsonl", 3),
        ("duplicate-id", "corpus.jsonl", 4),
        ("missing-field", "queries.jsonl", 2),
        ("duplicate-judgement", "test.tsv", 3),
        ("conflicting-judgement", "test.tsv", 4),
        ("fractional-grade", "test.tsv", 5),
        ("malformed-line", "train.tsv", 2),
        ("no-judgements", "train.tsv", None),
    ]


def test_a_query_is_unjudged_only_if_no_file_judges_it(tmp_path: Path, check: Check) -> None:
    queries = "".join(f'{{"_id": "q{number}", "text": "a"}}\n' for number in range(1, 5))
    folder = write(
        tmp_path / "data", **{"queries.jsonl": queries, "qrels/train.tsv": "q2\td1\t1\nq3\td1\t1\n"}
    )
    findings = check(folder)
    assert warnings(findings) == {"unjudged-queries": 1}
    assert (findings.queries, findings.judgements) == (1, 1)


@pytest.mark.parametrize(
    ("splits", "counted"),
    [
        (("train", "test", "dev"), "test"),
        (("mine",), "mine"),
        (("train", "dev"), "dev"),
        (("b", "a"), "a"),
    ],
)
def test_counts_are_of_one_split(
    tmp_path: Path, check: Check, splits: tuple[str, ...], counted: str
) -> None:
    files = {
        f"qrels/{split}.tsv": "".join(f"q1\td{number}\t1\n" for number in range(1, grade + 2))
        for grade, split in enumerate(splits)
    }
    findings = check(write(tmp_path / "data", **{"qrels/test.tsv": None, **files}))
    assert findings.judgements == splits.index(counted) + 1


def test_warnings_are_summed_over_files(tmp_path: Path, check: Check) -> None:
    folder = write(
        tmp_path / "data",
        **{
            "corpus.jsonl": '{"_id": "d1", "text": " "}\n{"_id": "d2", "text": "a"}\n',
            "queries.jsonl": '{"_id": "q1", "text": ""}\n{"_id": "q2", "text": "b"}\n',
            "qrels/test.tsv": "q1\td1\t0\nq9\td1\t1\nq9\tx\t1\n",
            "qrels/train.tsv": "q8\td1\t1\nq2\tx\t1\n",
        },
    )
    assert warnings(check(folder)) == {
        "empty-queries": 1,
        "judgements-without-queries": 3,
        "nothing-relevant": 1,
        "empty-documents": 1,
        "judged-documents-missing": 1,
    }


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"queries.jsonl": None}, "no queries.jsonl"),
        ({"qrels/test.tsv": None}, "no judgements"),
    ],
)
def test_a_missing_file_is_an_error(
    tmp_path: Path, check: Check, files: dict[str, Any], words: str
) -> None:
    folder = write(tmp_path / "data", **files)
    (error,) = check(folder).errors
    assert (error.kind, error.file, error.line) == ("unreadable", folder, None)
    assert words in error.message


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path, check: Check) -> None:
    folder = write(tmp_path / "data", **{"qrels/test.tsv": "q1\td1\n"})
    (folder / "queries.jsonl").write_bytes('{"_id": "q1", "text": "a"}'.encode("utf-16"))
    found = [(one.kind, str(one.file and one.file.name), one.line) for one in check(folder).errors]
    assert found == [
        ("unreadable", "queries.jsonl", 1),
        ("malformed-line", "test.tsv", 1),
        ("no-judgements", "test.tsv", None),
    ]
    assert check(folder).errors[0].explained == "the file is UTF-16; save it as UTF-8"


def test_a_check_takes_the_index_that_is_there(tmp_path: Path, check: Check) -> None:
    folder = write(tmp_path / "data")
    assert check(folder).as_json() == check(folder).as_json()
    assert list((tmp_path / "cache").rglob("index"))


def test_a_folder_that_judges_none_of_its_queries_is_an_error(tmp_path: Path, check: Check) -> None:
    folder = write(tmp_path / "data", **{"qrels/test.tsv": HEADER + "q0001\td1\t1\n"})
    (error,) = check(folder).errors
    assert (error.kind, error.file) == ("no-judged-queries", folder / "queries.jsonl")


def test_the_ceiling_is_of_the_queries_that_count(tmp_path: Path, check: Check) -> None:
    folder = write(
        tmp_path / "data", **{"qrels/test.tsv": HEADER + "q1\tgone\t1\nelsewhere\td1\t1\n"}
    )
    warnings = {each.code: each.message for each in check(folder).warnings}
    assert "('gone')" in warnings["judged-documents-missing"]
    assert "cannot exceed 0.0000" in warnings["judged-documents-missing"]
    assert "('elsewhere')" in warnings["judgements-without-queries"]
