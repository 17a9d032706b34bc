"""Whether reports are shards of one suite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pytest_beir.errors import ReportError
from pytest_beir.reports.report import Report
from pytest_beir.stored_results.report_folder import ReportFolder
from pytest_beir.stored_results.shard_compatibility import refuse_foreign

METRIC: dict[str, Any] = {
    **dict.fromkeys(("verdict", "reason", "baseline", "anchor", "delta", "lower", "upper")),
    **dict.fromkeys(("margin_bound", "p_drop", "p_gain", "alpha", "mde", "changed", "worse")),
    **dict.fromkeys(("better", "against_anchor", "min_effect", "margin")),
    "gated": True,
    "now": 0.5,
}


def _shard(
    name: str,
    *,
    suite: str = "5e1f",
    commit: str | None = "abc",
    versions: dict[str, str | None] | None = None,
    margin: float = 0.02,
    measured: bool = True,
) -> ReportFolder:
    retrievers = versions or {"bm25": "1"}
    content = {
        "format": 1,
        "suite": {
            "id": suite,
            "datasets": ["a"],
            "selected": ["a"],
            "settings": {
                "datasets": [
                    {"name": "a", "split": None, "drop_identical_ids": None, "weight": 1.0}
                ],
                "gate": {"gate": {"margin": margin, "overrides": {}}},
            },
        },
        "retrievers": [
            {"name": each, "version": version, "family": 1, "weights": 1.0, "alpha": 0.05}
            for each, version in retrievers.items()
        ],
        "results": [
            {
                "retriever": each,
                "dataset": "a",
                "split": "test",
                "verdict": "unchanged" if measured else "error",
                "reason": "",
                "passed": measured,
                "flags": [],
                "queries": 3,
                "missing": 0,
                "weight": 1.0,
                "judged": {"now": None, "baseline": None},
                "notes": [],
                "metrics": {"nDCG@10": METRIC} if measured else {},
            }
            for each in retrievers
        ],
        "averages": [],
        "environment": {"commit": commit} if commit else {},
    }
    return ReportFolder(Path(name), Report.model_validate(content))


def _refusal(*shards: ReportFolder) -> str | None:
    """What is refused, None where the shards are let through."""
    try:
        refuse_foreign(shards)
    except ReportError as refused:
        return str(refused)
    return None


def test_shards_of_one_suite_are_let_through() -> None:
    assert _refusal(_shard("one"), _shard("two"), _shard("three")) is None


def test_the_odd_one_of_three_is_foreign_wherever_it_stands() -> None:
    odd = _shard("odd", suite="0ddd", margin=0.1)
    for shards in ([odd, _shard("x"), _shard("y")], [_shard("x"), _shard("y"), odd]):
        assert _refusal(*shards) == (
            "odd is foreign: its suite is 0ddd, that of x 5e1f (gate.margin is 0.1, not 0.02)"
        )


def test_of_two_the_second_is_foreign() -> None:
    assert _refusal(_shard("one", commit="aaa"), _shard("two", commit="bbb")) == (
        "two is foreign: its commit is bbb, that of one aaa"
    )


def test_an_unknown_commit_differs_from_a_known_one() -> None:
    refused = _refusal(_shard("one"), _shard("two", commit=None))
    assert refused == "two is foreign: its commit is unknown, that of one abc"


def test_no_version_differs_from_one() -> None:
    refused = _refusal(_shard("one"), _shard("two", versions={"bm25": None}))
    assert refused == "two is foreign: its version of bm25 is unknown, that of one 1"


def test_where_nothing_was_measured_no_version_is_missed() -> None:
    unmeasured = _shard("two", versions={"bm25": None}, measured=False)
    assert _refusal(_shard("one"), unmeasured) is None


def test_retrievers_of_different_shards_need_no_common_version() -> None:
    assert _refusal(_shard("one"), _shard("two", versions={"dense": "9"})) is None


def test_every_foreign_shard_is_named() -> None:
    refused = _refusal(
        _shard("x"), _shard("y"), _shard("z"), _shard("p", suite="1"), _shard("q", suite="2")
    )
    assert refused is not None
    assert "p is foreign" in refused
    assert "q is foreign" in refused
