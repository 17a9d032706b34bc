from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.commands import check

if TYPE_CHECKING:
    from pathlib import Path


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    check.register(parser.add_subparsers())
    args = parser.parse_args(["check", *words])
    return int(args.run(args))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "ä"}\n{"_id": "d2", "text": ""}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "a"}\n')
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\n")
    return folder


@pytest.fixture
def cached(tmp_path: Path) -> str:
    return f"--cache={tmp_path / 'cache'}"


def test_a_sound_folder_gives_status_0(
    folder: Path, cached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(folder), cached) == 0
    output = capsys.readouterr().out
    assert "warning: 1 document without title and text" in output
    assert "2 documents, 1 judged queries, 1 judgements; errors: 0, warnings: 1" in output


def test_an_error_gives_status_1_and_its_place(
    folder: Path, cached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\nq1\td1\t0\n")
    assert run(str(folder), cached) == 1
    place = f"{folder / 'qrels' / 'test.tsv'}:2: "
    assert place in capsys.readouterr().out


def test_json_has_the_published_form(
    folder: Path, cached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "a"}\n{"_id": 2, "text": "é"}\n')
    assert run(str(folder), "--json", cached) == 1
    printed: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert list(printed) == ["errors", "warnings", "documents", "queries", "judgements"]
    (error,) = printed["errors"]
    assert list(error) == ["code", "file", "line", "message"]
    assert (error["code"], error["line"]) == ("wrong-type", 2)
    assert error["file"] == str(folder / "queries.jsonl")
    (warning,) = printed["warnings"]
    assert list(warning) == ["code", "count", "message"]
    assert (warning["code"], warning["count"]) == ("empty-documents", 1)
    assert (printed["documents"], printed["queries"], printed["judgements"]) == (2, 1, 1)


HEADER = "query-id\tcorpus-id\tscore\n"


def addition(folder: Path, rows: str) -> str:
    path = folder.parent / "to-judge.tsv"
    path.write_bytes((HEADER + rows).encode())
    return f"--addition={path}"


def test_an_addition_that_fits_is_counted(
    folder: Path, cached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = addition(folder, "q1\td2\t\n")
    assert run(str(folder), cached, rows) == 0
    output = capsys.readouterr().out
    assert "warning: 1 row of the addition without a grade: not yet judged" in output
    assert "addition: 0 new judgements, 1 not yet judged" in output
    rows = addition(folder, "q1\td2\t0\r\n")
    assert run(str(folder), cached, rows) == 0
    assert "addition: 1 new judgement; append" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rows", "line", "code", "said"),
    [
        ("q9\td2\t1\n", 2, "unknown-query", "no query 'q9'"),
        ("q1\td2\t1\nq1\td9\t\n", 3, "unknown-document", "no document 'd9'"),
        ("q1\td2\tyes\n", 2, "malformed-grade", "'yes' is not a whole number"),
        ("q1\td2\t1.5\n", 2, "malformed-grade", "'1.5' is not a whole number"),
        ("q1 d2 1\n", 2, "malformed-line", "1 columns"),
        ("q1\td1\t1\n", 2, "duplicate-judgement", "judged in test.tsv already"),
        ("q1\td1\t\n", 2, "duplicate-judgement", "judged in test.tsv already"),
        ("q1\td1\t2\n", 2, "conflicting-judgement", "the grade 1 in test.tsv, and 2 here"),
        ("q1\td2\t1\nq1\td2\t1\n", 3, "duplicate-judgement", "first in line 2"),
        ("q1\td2\t1\nq1\td2\t0\n", 3, "conflicting-judgement", "grades 1 (line 2) and 0"),
    ],
)
def test_an_addition_that_does_not_fit_gives_status_1_and_its_place(
    folder: Path,
    cached: str,
    capsys: pytest.CaptureFixture[str],
    rows: str,
    line: int,
    code: str,
    said: str,
) -> None:
    assert run(str(folder), cached, "--json", addition(folder, rows)) == 1
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["errors", "warnings", "documents", "queries", "judgements"]
    (error,) = printed["errors"]
    assert (error["code"], error["line"]) == (code, line)
    assert error["file"].endswith("to-judge.tsv")
    assert said in error["message"]
    assert (printed["queries"], printed["judgements"]) == (1, 1)


def test_an_addition_that_an_editor_has_trimmed_is_not_yet_judged(
    folder: Path, cached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(folder), cached, "--json", addition(folder, "q1\td2\n")) == 0
    printed = json.loads(capsys.readouterr().out)
    assert ("not-yet-judged", 1) in [(each["code"], each["count"]) for each in printed["warnings"]]


def test_an_addition_that_is_not_there_is_an_error(folder: Path, cached: str) -> None:
    assert run(str(folder), cached, f"--addition={folder / 'none.tsv'}") == 1
