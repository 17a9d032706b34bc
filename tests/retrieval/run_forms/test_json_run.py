"""JSON by query."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_files import read_run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("content", "run"),
    [
        ({"1": {"d7": 2.5, "d3": 1}}, {"1": {"d7": 2.5, "d3": 1.0}}),
        ({"1": ["d7", "d3"], "2": []}, {"1": {"d7": -1.0, "d3": -2.0}, "2": {}}),
        ({"1": [["d7", 2.5], ["d3", 1]]}, {"1": {"d7": 2.5, "d3": 1.0}}),
        ({"1": [{"id": "d7", "score": 2.5}]}, {"1": {"d7": 2.5}}),
    ],
)
def test_scores_or_lists_are_read(tmp_path: Path, content: Any, run: Any) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(content), "utf-8")
    assert read_run(path) == run
    packed = tmp_path / "run.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_run(packed) == run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"1": {"d7": "x"}}', r"query '1', document 'd7': the score is 'x'"),
        ('{"1": ["d7", "d7"]}', "a second time"),
        ('{"1": 3}', r"query '1': expected {document: score} or a list"),
        ('{"1": ', r"run\.json"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, "utf-8")
    with pytest.raises(RunFileError, match=message):
        read_run(path)
