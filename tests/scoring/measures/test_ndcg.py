"""nDCG without a cut-off and with the exponential gain; the plain one is in test_measures."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.scorer import score_run


def ranked(*relevant: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Ten documents, of which those at these ranks are relevant."""
    qrels = {"q": {f"d{rank}": 1 for rank in relevant}}
    return qrels, {"q": {f"d{rank}": -float(rank) for rank in range(1, 11)}}


@pytest.mark.parametrize(
    ("relevant", "expected"),
    [
        ((1, 4, 8), (1 + 1 / log2(5) + 1 / log2(9)) / (1 + 1 / log2(3) + 1 / 2)),
        ((1, 2, 5), (1 + 1 / log2(3) + 1 / log2(6)) / (1 + 1 / log2(3) + 1 / 2)),
        ((1, 4, 8), 0.8194270),
        ((1, 2, 5), 0.9469024),
    ],
)
def test_the_worked_examples_come_out(relevant: Any, expected: float) -> None:
    assert score_run(*ranked(*relevant), ["nDCG@10"])["nDCG@10"]["q"] == pytest.approx(
        expected, abs=5e-8
    )


def test_without_a_cut_off_it_is_trec_evals_ndcg(sample: Any) -> None:
    assert sample.ours("nDCG") == pytest.approx(sample.by_trec_eval("ndcg"), abs=1e-9)


@pytest.mark.parametrize("cutoff", [1, 10, 100])
def test_the_exponential_gain_is_trec_evals_with_grades_changed_to_it(
    sample: Any, cutoff: int
) -> None:
    expected = sample.by_trec_eval(f"ndcg_cut.{cutoff}", gain=lambda grade: 2**grade - 1)
    assert sample.ours(f"nDCG(dcg='exp-log2')@{cutoff}") == pytest.approx(expected, abs=1e-9)


def test_the_linear_gain_may_be_named() -> None:
    qrels, run = ranked(2, 3)
    linear = score_run(qrels, run, ["nDCG(dcg='log2')@10", "nDCG@10"])
    assert linear["nDCG(dcg='log2')@10"] == linear["nDCG@10"]


def test_the_definition_tells_the_gains_apart() -> None:
    definition = parse_metric("nDCG(dcg='exp-log2')@10").definition
    assert definition.startswith("nDCG of the first 10: gain = 2**grade - 1 if positive, ")
    assert "gain = grade if positive" in parse_metric("nDCG(dcg='log2')@10").definition


def test_a_grade_that_no_exponential_gain_can_hold_is_an_error() -> None:
    with pytest.raises(ScoringError, match="grades up to 1000, and there is one of 1001"):
        score_run({"q": {"a": 1001}}, {"q": {"a": 1.0}}, ["nDCG(dcg='exp-log2')@10"])
