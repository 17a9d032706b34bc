"""Times become ratios to the reference, and ratios a sample."""

from __future__ import annotations

import math

import pytest

from pytest_beir.errors import ComparisonError
from pytest_beir.latency.sample import (
    Cost,
    Timing,
    jackknife,
    percentile,
    sample_of,
    standard_error,
    trimmed_mean,
)


def block(*rows: list[float], reference: float = 1.0) -> list[list[Timing]]:
    """One pass a row: the seconds of queries q0, q1, …, beside a reference of a second."""
    return [
        [
            Timing(f"q{number}", seconds, reference, seconds / 2)
            for number, seconds in enumerate(row)
        ]
        for row in rows
    ]


def test_a_query_counts_with_the_shortest_of_its_passes() -> None:
    sample = sample_of([block([2.0, 8.0], [4.0, 8.0], [90.0, 80.0])], Cost())
    assert sample.ratios == {"q0": 2.0, "q1": 8.0}
    assert sample.level == pytest.approx(math.log(4.0))  # of 2 and 8, the geometric mean


def test_of_several_blocks_a_query_counts_with_the_one_in_the_middle() -> None:
    blocks = [block([2.0], [5.0]), block([3.0], [9.0]), block([7.0], [8.0])]
    assert sample_of(blocks, Cost()).ratios == {"q0": 3.0}


def test_the_shortest_reference_need_not_stand_beside_the_shortest_search() -> None:
    passes = [[Timing("q", 2.0, 4.0)], [Timing("q", 6.0, 1.0)]]
    assert sample_of([passes], Cost()).ratios == {"q": 2.0}


def test_a_slow_machine_changes_seconds_but_no_ratio() -> None:
    quick = sample_of([[[Timing("q", 0.5, 0.1)]] * 3], Cost())
    slow = sample_of([[[Timing("q", 1.5, 0.3)]] * 3], Cost())
    assert slow.ratios["q"] == pytest.approx(quick.ratios["q"])
    assert slow.percentiles[50] == 3 * quick.percentiles[50]
    assert slow.reference_seconds == 0.3


def test_seconds_in_the_queue_are_no_part_of_a_ratio() -> None:
    passes = [[Timing("q", 9.0, 2.0, queued=6.0)], [Timing("q", 4.0, 2.0)]]
    sample = sample_of([passes], Cost())
    assert sample.ratios == {"q": 1.5}  # of 9 - 6 and 2
    assert sample.percentiles[99] == 9.0  # who waits for the answer waits for the queue too


def test_a_search_that_waits_for_a_service_keeps_its_seconds_in_the_queue() -> None:
    waiting = Timing("q", 9.0, 2.0, queued=6.0, gave_up=True)
    assert sample_of([[[waiting]] * 2], Cost()).ratios == {"q": 4.5}


def test_one_wait_in_twenty_searches_is_still_a_search_that_works() -> None:
    working = [Timing("q", 9.0, 2.0, queued=6.0)]
    waiting = [Timing("q", 9.0, 2.0, queued=6.0, gave_up=True)]
    assert sample_of([[*[working] * 19, waiting]], Cost()).ratios == {"q": 1.5}
    assert sample_of([[*[working] * 18, waiting]], Cost()).ratios == {"q": 4.5}


def test_a_queue_longer_than_the_search_is_not_believed() -> None:
    assert sample_of([[[Timing("q", 3.0, 2.0, queued=3.0)]]], Cost()).ratios == {"q": 1.5}


def test_percentiles_and_rate_are_of_all_searches() -> None:
    sample = sample_of([block([float(number) for number in range(1, 101)])], Cost())
    assert sample.percentiles == {50: 50.0, 95: 95.0, 99: 99.0}
    assert sample.rate == pytest.approx(100 / 5050)
    assert sample.on_processor == pytest.approx(0.5)


def test_the_largest_value_is_the_last_percentile_of_a_short_list() -> None:
    assert percentile([1.0, 2.0], 99) == 2.0
    assert percentile([1.0, 2.0], 50) == 1.0


def test_one_wild_query_in_ten_does_not_move_the_level() -> None:
    assert trimmed_mean([0.0, *[5.0] * 8, 1000.0]) == 5.0
    assert trimmed_mean([1.0, 3.0]) == 2.0


def test_passes_that_agree_have_no_spread() -> None:
    assert sample_of([block(*[[3.0, 4.0]] * 9)] * 2, Cost()).spread == 0.0


def test_a_block_depends_on_a_pass_as_the_jackknife_says() -> None:
    # The shortest of e, 1, 1 is 1 whichever is left out; of 1, e, e it is e without the first.
    assert jackknife(block([math.e], [1.0], [1.0])) == 0.0
    levels = [1.0, 0.0, 0.0]  # without the first, the second, the third pass
    middle = sum(levels) / 3
    by_hand = math.sqrt(2 / 3 * sum((level - middle) ** 2 for level in levels))
    assert jackknife(block([1.0], [math.e], [math.e])) == pytest.approx(by_hand)
    assert by_hand == pytest.approx(2 / 3)


def test_of_many_passes_seven_parts_are_left_out_in_turn() -> None:
    # Ten passes; the only short one is alone in its part or with a neighbour: one level differs.
    rows = [[math.e]] * 9 + [[1.0]]
    assert jackknife(block(*rows)) == pytest.approx(math.sqrt(6 / 7 * (1 - 1 / 7)))


def test_blocks_that_lie_apart_have_the_spread_of_their_mean() -> None:
    blocks = [block([1.0], [1.0]), block([math.e], [math.e]), block([math.e**2], [math.e**2])]
    assert sample_of(blocks, Cost()).spread == pytest.approx(1 / math.sqrt(3))
    assert standard_error([0.0, 1.0, 2.0]) == pytest.approx(1 / math.sqrt(3))
    assert standard_error([7.0]) == 0.0


def test_nothing_timed_cannot_be_a_sample() -> None:
    with pytest.raises(ComparisonError, match="no search was timed"):
        sample_of([], Cost())


def test_passes_over_other_queries_are_refused() -> None:
    with pytest.raises(ComparisonError, match="do not search the same queries"):
        sample_of([[[Timing("a", 1.0, 1.0)], [Timing("b", 1.0, 1.0)]]], Cost())


def test_a_clock_that_stood_still_is_refused_with_its_query() -> None:
    with pytest.raises(ComparisonError, match="query 'a': a time of 0"):
        sample_of([[[Timing("a", 0.0, 1.0)]]], Cost())
