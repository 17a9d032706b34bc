"""Queries with the same text are one unit, whichever command looks at them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands.conftest import QUERIES, drop

if TYPE_CHECKING:
    from tests.commands.conftest import Workshop

COPIES = 12
UNITS = QUERIES - COPIES + 1
LOST = drop(COPIES, rank=0)
"""All copies of one query are lost. As twelve queries that would be p = 2^-12, and regressed."""


@pytest.fixture
def suite(workshop: Workshop) -> Workshop:
    for name in "ab":
        workshop.dataset(name, alike=COPIES)
        workshop.store(name)
    return workshop


def _is_one_unit(metric: dict[str, Any]) -> None:
    assert (metric["changed"], metric["worse"]) == (1, 1)
    # One query that falls is a coin that falls on one side.
    assert metric["p_drop"] == 0.5
    assert metric["delta"] == pytest.approx(-COPIES / QUERIES)
    assert metric["verdict"] == "inconclusive"


def _metric(report: dict[str, Any]) -> dict[str, Any]:
    [result] = [each for each in report["results"] if each["dataset"] == "a"]
    found = result["metrics"]["nDCG@10"]
    assert isinstance(found, dict)
    return found


def test_a_run_a_merge_and_an_average_count_copies_once(suite: Workshop) -> None:
    suite.job("whole", {"a": LOST})
    suite.job("one", {"a": LOST}, only=["a"])
    suite.job("two", only=["b"])
    assert suite.run("merge", "one", "two", "--report", "merged") == 0
    for folder in ("whole", "merged"):
        report = suite.report(folder)
        _is_one_unit(_metric(report))
        averages = {each["metric"]: each for each in report["averages"]}
        assert (averages["nDCG@10"]["changed"], averages["nDCG@10"]["p_drop"]) == (1, 0.5)


def test_accept_takes_the_verdict_of_the_run(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": LOST})
    assert suite.run("accept", "report", "--reason=the query is gone") == 0
    assert "a: dropped, nDCG@10 1.000 → .700" in capsys.readouterr().out


def test_two_run_files_are_compared_by_units(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = suite.trec("old/a.trec", "a"), suite.trec("new/a.trec", "a", LOST)
    assert suite.run("compare", str(old), str(new), "--dataset=a=data/a", "--json") == 0
    _is_one_unit(_metric(json.loads(capsys.readouterr().out)))


@pytest.mark.parametrize("has_baselines", [True, False])
def test_power_counts_units(
    suite: Workshop, capsys: pytest.CaptureFixture[str], *, has_baselines: bool
) -> None:
    if not has_baselines:
        (suite.path / "baselines").rename(suite.path / "elsewhere")
    assert suite.run("power", "--json") == 0
    [retriever] = json.loads(capsys.readouterr().out)["retrievers"]
    found = {test["dataset"]: test["power"]["n"] for test in retriever["tests"]}
    assert found == {"a": UNITS, "b": UNITS, "average": 2 * UNITS}
