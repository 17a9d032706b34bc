"""`rel=2`: only documents of this grade and above count as relevant, as with trec_eval's -l2."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.measures import parse_metric


@pytest.mark.parametrize("level", [1, 2, 4])
@pytest.mark.parametrize(
    ("written", "measure"),
    [
        ("P(rel={})@10", "P.10"),
        ("R(rel={})@100", "recall.100"),
        ("RR(rel={})", "recip_rank"),
        ("Success(rel={})@5", "success.5"),
    ],
)
def test_a_level_counts_as_in_trec_eval(
    sample: Any, written: str, measure: str, level: int
) -> None:
    assert sample.ours(written.format(level)) == pytest.approx(
        sample.by_trec_eval(measure, level=level), abs=1e-9
    )


def test_the_definition_names_the_level() -> None:
    assert "(grade >= 2)" in parse_metric("P(rel=2)@10").definition
    assert parse_metric("P(rel=1)@10").definition == parse_metric("P@10").definition


@pytest.mark.parametrize("name", ["nDCG(rel=2)@10", "Judged(rel=2)@10", "P(rel=0)@10", "P(2)@10"])
def test_a_level_where_there_is_none_is_an_error(name: str) -> None:
    with pytest.raises(ScoringError, match="unknown metric"):
        parse_metric(name)
