"""Times become ratios to the reference, and ratios a sample."""

from __future__ import annotations

import math

import pytest

from pytest_beir.errors import ComparisonError
from pytest_beir.latency.sample import Cost, Timing, percentile, sample_of, standard_error


def passes(*rows: list[float]) -> list[list[Timing]]:
    """One pass a row: the seconds of queries q0, q1, …, beside a reference of a second."""
    return [
        [Timing(f"q{number}", seconds, 1.0) for number, seconds in enumerate(row)] for row in rows
    ]


def test_a_query_counts_with_the_median_of_its_passes() -> None:
    sample = sample_of(passes([2.0, 8.0], [4.0, 8.0], [90.0, 8.0]), Cost())
    assert sample.ratios == {"q0": 4.0, "q1": 8.0}
    assert sample.level == pytest.approx(math.sqrt(32))


def test_a_slow_machine_changes_seconds_but_no_ratio() -> None:
    quick = sample_of([[Timing("q", 0.5, 0.1)]] * 3, Cost())
    slow = sample_of([[Timing("q", 1.5, 0.3)]] * 3, Cost())
    assert slow.ratios["q"] == pytest.approx(quick.ratios["q"])
    assert slow.percentiles[50] == 3 * quick.percentiles[50]


def test_percentiles_and_rate_are_of_all_searches() -> None:
    sample = sample_of(passes([float(number) for number in range(1, 101)]), Cost())
    assert sample.percentiles == {50: 50.0, 95: 95.0, 99: 99.0}
    assert sample.rate == pytest.approx(100 / 5050)


def test_the_largest_value_is_the_last_percentile_of_a_short_list() -> None:
    assert percentile([1.0, 2.0], 99) == 2.0
    assert percentile([1.0, 2.0], 50) == 1.0


def test_passes_that_agree_have_no_spread_and_one_wild_pass_gives_none() -> None:
    assert standard_error([1.0, 1.0, 1.0]) == 0.0
    assert standard_error([1.0, 1.0, 9.0]) == 0.0


def test_the_spread_is_the_standard_error_of_a_median() -> None:
    # Deviations 2, 1, 0, 1, 2 from the median 3: their median is 1.
    assert standard_error([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(
        1.2533 * 1.4826 / math.sqrt(5)
    )


def test_nothing_timed_cannot_be_a_sample() -> None:
    with pytest.raises(ComparisonError, match="no search was timed"):
        sample_of([], Cost())


def test_passes_over_other_queries_are_refused() -> None:
    with pytest.raises(ComparisonError, match="do not search the same queries"):
        sample_of([[Timing("a", 1.0, 1.0)], [Timing("b", 1.0, 1.0)]], Cost())


def test_a_clock_that_stood_still_is_refused_with_its_query() -> None:
    with pytest.raises(ComparisonError, match="query 'a': a time of 0"):
        sample_of([[Timing("a", 0.0, 1.0)]], Cost())
