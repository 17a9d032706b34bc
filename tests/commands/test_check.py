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
