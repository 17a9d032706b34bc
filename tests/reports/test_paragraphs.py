"""What is said of an unsure result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.reports.paragraphs import _how_much, _how_sure

if TYPE_CHECKING:
    from tests.reports.conftest import Factory


def test_of_two_unsure_metrics_the_one_with_a_large_drop_is_told(make: Factory) -> None:
    small = make.metric(0.5, 0.499, "inconclusive", 0.4, reason="power")
    large = make.metric(0.9, 0.869, "inconclusive", 0.021, metric="R@100", reason="power")
    evaluation = make.evaluation("docs", "inconclusive", small, large)
    (family,) = make.run(evaluation).retrievers
    told = _how_sure(evaluation, family)
    assert told.startswith("as large as the margin, p\xa0=\xa0.0210")
    alone = make.evaluation("docs", "inconclusive", small)
    assert _how_sure(alone, family).startswith("p\xa0=\xa0.4000")


def test_a_large_drop_of_a_metric_that_decides_nothing_is_not_told(make: Factory) -> None:
    small = make.metric(0.5, 0.499, "inconclusive", 0.4, reason="power")
    recorded = make.metric(0.9, 0.8, None, 0.02)
    evaluation = make.evaluation("docs", "inconclusive", small, recorded)
    (family,) = make.run(evaluation).retrievers
    assert _how_sure(evaluation, family).startswith("p\xa0=\xa0.4000")


def test_a_recorded_metric_with_the_datasets_verdict_is_not_told(make: Factory) -> None:
    gated = make.metric(0.5, 0.4, "regressed", 0.001)
    recorded = replace(make.metric(0.9, 0.7, "regressed", 0.001, metric="R@100"), gated=False)
    told = _how_much(make.evaluation("docs", "regressed", gated, recorded))
    assert "nDCG@10" in told
    assert "R@100" not in told
