"""Which files of a folder are the judgements."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset

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
