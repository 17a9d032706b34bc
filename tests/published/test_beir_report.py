"""An own run's report stands beside published scores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import ScoresFileError
from pytest_beir.published.beir_report import read_beir_report
from pytest_beir.published.sources import read_scores

if TYPE_CHECKING:
    from pathlib import Path


def result(dataset: str, metrics: dict[str, Any], **more: str) -> dict[str, Any]:
    values = {name: {"now": value} for name, value in metrics.items()}
    return {"retriever": "bm25", "dataset": dataset, "split": "test", "metrics": values, **more}


def report(*results: object) -> dict[str, Any]:
    return {"format": 1, "results": list(results), "averages": []}


def test_every_metric_of_every_result_is_a_score(tmp_path: Path) -> None:
    content = report(result("scifact", {"nDCG@10": 0.6, "R@100": 0.9}), result("nq", {}))
    path = tmp_path / "beir.json"
    path.write_text(json.dumps(content), "utf-8")
    for source in (path, tmp_path):
        reading = read_scores([source])
        assert [score[:5] for score in reading.scores] == [
            ("bm25", "scifact", "test", "nDCG@10", 0.6),
            ("bm25", "scifact", "test", "R@100", 0.9),
        ]
        assert reading.notes == ("without a score: bm25 on nq",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "is not a report"),
        ({"results": []}, "is not a report"),
        (report(), "holds no score"),
        (report({"retriever": "bm25"}), "result 1 is malformed"),
        (report("rubbish"), "result 1 is malformed"),
        (report(result("nq", {"nDCG@10": 2.0})), r"bm25 on nq\): 2.0 lies above 1"),
        (report(result("nq", {"nDCG@10": None})), "None is not a number"),
        (report(result("nq", {"nDCG@10": "0_1"})), "'0_1' is not a number"),
        (report({**result("nq", {}), "retriever": ["a"]}), "result 1 is malformed"),
        (report({**result("nq", {}), "retriever": 5}), "result 1 is malformed"),
        (report({**result("nq", {}), "dataset": 5}), "result 1 is malformed"),
        (report({**result("nq", {}), "metrics": {"nDCG@10": 0.5}}), "has no value 'now'"),
        ({**report(), "format": 2}, "format 2, where only 1 is known"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(ScoresFileError, match=message):
        read_beir_report(tmp_path / "beir.json", content)


def test_a_path_that_is_not_there_says_what_may_be_given(tmp_path: Path) -> None:
    with pytest.raises(ScoresFileError, match="there is no such file; give a CSV file"):
        read_scores([tmp_path / "nothing.csv"])
