"""What docs/datasets.md shows is what happens."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.commands import check
from pytest_beir.datasets.catalog import load_catalog

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "datasets.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


def blocks(language: str) -> list[str]:
    return [body for kind, body in BLOCKS if kind == language]


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pytest_beir.datasets.cache.user_cache_path", lambda _name: tmp_path)
    (program,) = blocks("python")
    exec(compile(program, "docs/datasets.md", "exec"), {})  # noqa: S102 - our own page
    assert " -> " in capsys.readouterr().out


def test_the_check_of_the_page_prints_what_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data" / "drinks"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        '{"_id": "d1", "text": "Tea"}\n{"_id": "d2", "text": "Milk"}\n{"_id": 7, "text": "Rum"}\n'
    )
    (folder / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "hot drink"}\n{"_id": "q2", "text": "cold drink"}\n'
    )
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td1\t2\nq1\t7\t1\n"
    )
    parser = argparse.ArgumentParser()
    check.register(parser.add_subparsers())
    args = parser.parse_args(["check", str(folder), "--cache", str(tmp_path / "cache")])
    assert args.run(args) == 1
    (shown,) = [body for body in blocks("console") if "check" in body]
    printed = capsys.readouterr().out.replace(str(tmp_path), "/home/me")
    assert printed.splitlines() == shown.splitlines()[1:]


def test_the_page_names_every_warning_and_only_datasets_that_exist() -> None:
    names = {word.strip("`") for word in re.findall(r"`[a-z0-9-]+`", PAGE)}
    for code in ("judged-documents-missing", "unjudged-queries", "empty-documents", "no-corpus"):
        assert code in names
    catalog = load_catalog()
    for name in re.findall(r"pytest-beir (?:fetch|datasets) ([\w-]+)", PAGE):
        assert name in catalog.entries
