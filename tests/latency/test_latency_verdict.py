"""When searches count as slower or faster."""

from __future__ import annotations

import math

import pytest

from pytest_beir.latency.sample import Cost, LatencySample
from pytest_beir.latency.verdict import compare_latency, confirmed


def sample(factor: float = 1.0, *, spread: float = 0.0, queries: int = 40) -> LatencySample:
    """Ratios between 1 and 2, all times `factor`."""
    ratios = {f"q{number}": factor * (1.0 + number / queries) for number in range(queries)}
    return LatencySample(ratios, spread, {50: 1.0, 95: 1.0, 99: 1.0}, 1.0, Cost())


def test_a_fifth_slower_in_every_query_is_slower() -> None:
    comparison = compare_latency(sample(), sample(1.2), alpha=0.05)
    assert comparison.verdict == "slower"
    assert comparison.change == pytest.approx(1.2, rel=1e-4)  # steps of 1e-4
    assert comparison.queries == 40


def test_a_fifth_faster_in_every_query_is_faster() -> None:
    comparison = compare_latency(sample(), sample(1 / 1.2), alpha=0.05)
    assert comparison.verdict == "faster"
    assert comparison.change == pytest.approx(1 / 1.2, rel=1e-4)


def test_less_than_a_tenth_is_the_same_however_sure() -> None:
    comparison = compare_latency(sample(), sample(1.09), alpha=0.05)
    assert comparison.verdict == "same"
    assert comparison.p_slower is not None
    assert comparison.p_slower < 1e-6


@pytest.mark.parametrize(("factor", "changed"), [(1.2, "slower"), (1 / 1.2, "faster")])
def test_a_probability_at_its_limit_is_sure_enough(factor: float, changed: str) -> None:
    few = sample(queries=10)
    now = sample(factor, queries=10)
    found = compare_latency(few, now, alpha=0.05)
    p = found.p_slower if changed == "slower" else found.p_faster
    assert p is not None
    assert 0.0 < p < 0.05
    assert compare_latency(few, now, alpha=p).verdict == changed
    assert compare_latency(few, now, alpha=p * 0.999).verdict == "same"


def test_what_the_passes_move_by_themselves_is_the_same() -> None:
    # Three standard deviations of both runs together: exp(3 * sqrt(2) * .05) is 1.236.
    comparison = compare_latency(sample(spread=0.05), sample(1.2, spread=0.05), alpha=0.05)
    assert comparison.verdict == "same"
    assert comparison.least == pytest.approx(math.exp(3 * math.sqrt(2) * 0.05))


def test_one_query_that_takes_ten_times_as_long_makes_nothing_slower() -> None:
    now = sample()
    slow = LatencySample(
        {**now.ratios, "q7": now.ratios["q7"] * 1e4}, 0.0, now.percentiles, 1.0, Cost()
    )
    assert compare_latency(sample(), slow, alpha=0.05).verdict == "same"


def test_with_few_queries_nothing_is_said() -> None:
    comparison = compare_latency(sample(queries=9), sample(3.0, queries=9), alpha=0.05)
    assert comparison.verdict == "inconclusive"
    assert comparison.reason == "9 queries were measured in both runs"


def test_only_queries_that_both_measured_are_compared() -> None:
    comparison = compare_latency(sample(queries=40), sample(1.2, queries=12), alpha=0.05)
    assert comparison.queries == 12


def test_slower_stands_only_if_a_second_measurement_says_so() -> None:
    slower = compare_latency(sample(), sample(1.3), alpha=0.05)
    same = compare_latency(sample(), sample(1.02), alpha=0.05)
    assert confirmed(slower, slower).verdict == "slower"
    unconfirmed = confirmed(slower, same)
    assert unconfirmed.verdict == "inconclusive"
    assert unconfirmed.reason == "a second measurement did not confirm it: 1.02 times"
    assert unconfirmed.change == slower.change


def test_what_is_the_same_needs_no_confirmation() -> None:
    same = compare_latency(sample(), sample(), alpha=0.05)
    assert confirmed(same, compare_latency(sample(), sample(1.3), alpha=0.05)) == same
