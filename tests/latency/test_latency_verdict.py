"""When searches count as slower or faster."""

from __future__ import annotations

import math
from statistics import stdev

import pytest
from scipy.stats import norm

from pytest_beir.latency.sample import Cost, LatencySample
from pytest_beir.latency.verdict import (
    BETWEEN_SESSIONS,
    LatencyComparison,
    LatencyLimits,
    between_sessions,
    compare_latency,
    confirmed,
)


def sample(factor: float = 1.0, *, spread: float = 0.0, queries: int = 40) -> LatencySample:
    """Ratios between 1 and 2, all times `factor`."""
    ratios = {f"q{number}": factor * (1.0 + number / queries) for number in range(queries)}
    return LatencySample(ratios, spread, {50: 1.0, 95: 1.0, 99: 1.0}, 1.0, Cost())


def compared(before: LatencySample, now: LatencySample, **limits: float) -> LatencyComparison:
    return compare_latency(before, now, LatencyLimits(**limits))


def test_a_fifth_slower_in_every_query_is_slower() -> None:
    comparison = compared(sample(), sample(1.2))
    assert comparison.verdict == "slower"
    assert comparison.change == pytest.approx(1.2)
    assert comparison.queries == 40


def test_a_fifth_faster_in_every_query_is_faster() -> None:
    comparison = compared(sample(), sample(1 / 1.2))
    assert comparison.verdict == "faster"
    assert comparison.change == pytest.approx(1 / 1.2)


def test_p_and_bounds_are_those_of_a_normal_change() -> None:
    comparison = compared(sample(spread=0.03), sample(1.1, spread=0.04))
    error = math.sqrt(2 * BETWEEN_SESSIONS**2 + 0.03**2 + 0.04**2)
    assert comparison.p_slower == pytest.approx(norm.sf(math.log(1.1), scale=error))
    assert comparison.p_faster == pytest.approx(norm.cdf(math.log(1.1), scale=error))
    assert comparison.upper == pytest.approx(math.exp(norm.ppf(0.95, math.log(1.1), error)))
    assert comparison.lower == pytest.approx(math.exp(norm.ppf(0.05, math.log(1.1), error)))


def test_less_than_a_tenth_is_the_same_however_sure() -> None:
    assert compared(sample(), sample(1.09)).verdict == "same"


@pytest.mark.parametrize(("factor", "changed"), [(1.2, "slower"), (1 / 1.2, "faster")])
def test_a_probability_at_its_limit_is_sure_enough(factor: float, changed: str) -> None:
    found = compared(sample(), sample(factor))
    p = found.p_slower if changed == "slower" else found.p_faster
    assert p is not None
    assert 0.0 < p < 0.05
    assert compared(sample(), sample(factor), alpha=p).verdict == changed
    assert compared(sample(), sample(factor), alpha=p * 0.999).verdict == "inconclusive"


def test_a_tenth_and_more_fails_only_where_it_is_significant() -> None:
    assert compared(sample(), sample(1.12), alpha=0.05).verdict == "slower"
    assert compared(sample(), sample(1.12), alpha=0.001).verdict == "inconclusive"


def test_where_the_margin_cannot_be_excluded_it_is_too_noisy_to_tell() -> None:
    comparison = compared(sample(spread=0.1), sample(1.02, spread=0.1))
    assert comparison.verdict == "inconclusive"
    assert comparison.reason is not None
    assert comparison.reason.startswith("too noisy to tell: a search takes 0.8")
    wider = compared(sample(spread=0.1), sample(1.02, spread=0.1), margin=0.5)
    assert wider.verdict == "same"


def test_one_query_that_takes_ten_times_as_long_makes_nothing_slower() -> None:
    now = sample()
    slow = LatencySample(
        {**now.ratios, "q7": now.ratios["q7"] * 1e4}, 0.0, now.percentiles, 1.0, Cost()
    )
    assert compared(sample(), slow).verdict == "same"


def test_with_few_queries_nothing_is_said() -> None:
    comparison = compared(sample(queries=9), sample(3.0, queries=9))
    assert comparison.verdict == "inconclusive"
    assert comparison.reason == "9 queries were measured in both runs"


def test_only_queries_that_both_measured_are_compared() -> None:
    assert compared(sample(queries=40), sample(1.2, queries=12)).queries == 12
    ten = compared(sample(queries=40), sample(1.2, queries=10))
    assert (ten.queries, ten.verdict) == (10, "slower")


def test_sessions_that_lie_apart_make_the_test_careful() -> None:
    wild = (0.0, 0.4, -0.4, 0.2)
    limits = LatencyLimits()
    assert compare_latency(sample(), sample(1.2), limits, levels=wild).verdict == "inconclusive"
    quiet = (0.0, 0.001, -0.001, 0.0)
    comparison = compare_latency(sample(), sample(1.2), limits, levels=quiet)
    assert comparison.verdict == "slower"
    assert comparison.p_slower is not None
    alone = compared(sample(), sample(1.2)).p_slower
    assert alone is not None
    assert comparison.p_slower < alone


def test_what_is_usual_between_sessions_weighs_as_much_as_four() -> None:
    assert between_sessions(()) == between_sessions((1.0,)) == BETWEEN_SESSIONS
    levels = (0.1, 0.3, 0.2)
    expected = math.sqrt((4 * BETWEEN_SESSIONS**2 + 2 * stdev(levels) ** 2) / 6)
    assert between_sessions(levels) == pytest.approx(expected)
    two = math.sqrt((4 * BETWEEN_SESSIONS**2 + stdev((0.1, 0.3)) ** 2) / 5)
    assert between_sessions((0.1, 0.3)) == pytest.approx(two)


def test_slower_stands_only_if_a_second_measurement_says_so() -> None:
    slower = compared(sample(), sample(1.3))
    same = compared(sample(), sample(1.02))
    assert confirmed(slower, slower).verdict == "slower"
    unconfirmed = confirmed(slower, same)
    assert unconfirmed.verdict == "inconclusive"
    assert unconfirmed.reason == "a second measurement did not confirm it: 1.02 times"
    assert unconfirmed.change == slower.change


def test_what_is_the_same_needs_no_confirmation() -> None:
    same = compared(sample(), sample())
    assert confirmed(same, compared(sample(), sample(1.3))) == same


def test_a_change_at_the_least_is_a_change() -> None:
    """A search that takes exactly the least longer, or the least less, has changed."""
    least = 2.0**0.25 - 1  # log1p of it is a quarter of the logarithm of two
    slow = compared(sample(), sample(1.0 + least), min_effect=least - 1e-12)
    assert slow.verdict == "slower"
    assert slow.least == pytest.approx(1.0 + least)
    fast = compared(sample(), sample(1.0 / (1.0 + least)), min_effect=least - 1e-12)
    assert fast.verdict == "faster"
    for factor in (1.0 + least, 1.0 / (1.0 + least)):
        above = compared(sample(), sample(factor), min_effect=least + 1e-6, margin=0.01)
        assert above.verdict == "inconclusive"
