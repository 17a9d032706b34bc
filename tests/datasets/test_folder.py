"""Which files of a folder are the judgements."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import DatasetError
from pytest_beir.inspection.checks import check_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["qrels.jsonl", "qrels/test.jsonl", "qrels/test.qrels"])
def test_judgements_may_be_json_lines_or_trecs(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "docs"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for table, record in (("corpus", {"text": "A text."}), ("queries", {"text": "Why?"})):
        line = json.dumps({"_id": "1", **record})
        (folder / f"{table}.jsonl").write_text(f"{line}\n", "utf-8")
    row = '{"query_id": "1", "doc_id": "1"}' if name.endswith("jsonl") else "1 0 1 1"
    path.write_text(f"{row}\n", "utf-8")
    dataset = load_dataset(folder, cache_dir=tmp_path / "cache")
    assert (dataset.split, dataset.qrels) == ("test", {"1": {"1": 1}})


def _with_qrels(folder: Path, rows: str) -> Path:
    (folder / "qrels").mkdir(parents=True)
    for table, record in (("corpus", {"text": "A text."}), ("queries", {"text": "Why?"})):
        line = json.dumps({"_id": "1", **record})
        (folder / f"{table}.jsonl").write_text(f"{line}\n", "utf-8")
    (folder / "qrels" / "test.tsv").write_text(rows, "utf-8")
    return folder


def test_a_judgement_given_twice_counts_once_where_that_is_tolerated(tmp_path: Path) -> None:
    folder = _with_qrels(tmp_path / "docs", "1\t1\t2\n1\t1\t2\n1\t1\t2\n")
    cache = tmp_path / "cache"
    with pytest.raises(DatasetError, match=r"judged twice.*tolerant: true"):
        load_dataset(folder, cache_dir=cache)
    dataset = load_dataset(folder, cache_dir=cache, tolerant=True)
    assert dataset.qrels == {"1": {"1": 2}}
    assert "2 judgements given twice; each counts once" in dataset.warnings


def test_two_grades_of_one_pair_are_never_tolerated(tmp_path: Path) -> None:
    folder = _with_qrels(tmp_path / "docs", "1\t1\t2\n1\t1\t1\n")
    with pytest.raises(DatasetError, match=r"have the grades 2 .* and 1"):
        load_dataset(folder, cache_dir=tmp_path / "cache", tolerant=True)


def test_a_check_may_tolerate_them_too(tmp_path: Path) -> None:
    folder = _with_qrels(tmp_path / "docs", "1\t1\t2\n1\t1\t2\n")
    assert [each.kind for each in check_folder(folder, tmp_path / "cache").errors] == [
        "duplicate-judgement"
    ]
    findings = check_folder(folder, tmp_path / "cache", tolerant=True)
    assert findings.errors == []
    assert "duplicate-judgement" in {each.code for each in findings.warnings}


def test_a_misspelt_folder_is_told_with_the_one_that_was_meant(tmp_path: Path) -> None:
    (tmp_path / "scifact").mkdir()
    (tmp_path / "scifast").write_text("a file", "utf-8")
    with pytest.raises(DatasetError, match=r"scifacts: no such folder; did you mean 'scifact'\?"):
        load_dataset(tmp_path / "scifacts")
    with pytest.raises(DatasetError, match="no such folder; a dataset is a folder with"):
        load_dataset(tmp_path / "nowhere" / "scifacts")
