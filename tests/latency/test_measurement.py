"""What is searched, how often, and beside which reference."""

from __future__ import annotations

import itertools
from time import sleep

import pytest

from pytest_beir.latency import measurement as measuring
from pytest_beir.latency import reference as referring
from pytest_beir.latency.measurement import (
    FEWEST_BLOCKS,
    FEWEST_PASSES,
    FEWEST_QUERIES,
    MOST_BLOCKS,
    PASSES,
    QUERIES,
    Design,
    LatencyMeasurement,
    chosen,
    designed,
)
from pytest_beir.latency.reference import Reference
from pytest_beir.latency.sample import Cost, Timing
from pytest_beir.latency.scheduling import Scheduling

FOUR = {f"q{number:02d}": f"text {number}" for number in range(4)}
MANY = {f"q{number:04d}": "text" for number in range(1000)}
FEW_PASSES = Design(tuple(FOUR), passes=6)


def test_all_of_a_few_queries_are_chosen_in_the_order_of_their_ids() -> None:
    assert list(chosen({"b": "x", "a": "y"})) == ["a", "b"]
    for count in (4, 5, 100):
        assert chosen(FOUR, count) == FOUR
    assert list(chosen(FOUR, 3)) == ["q00", "q01", "q02"]


def test_of_many_queries_a_fixed_number_is_chosen_over_the_whole_range() -> None:
    assert list(chosen(MANY, 50)) == [f"q{number:04d}" for number in range(0, 1000, 20)]


def test_a_quick_search_gets_every_query_and_pass_and_one_reference() -> None:
    design = designed(lambda _, __: None, MANY, budget=3600.0)
    assert (len(design.queries), design.passes, design.repeats) == (QUERIES, PASSES, 1)


def test_a_slow_search_gets_fewer_queries_then_fewer_passes() -> None:
    design = designed(lambda _, __: Reference().seconds(), MANY, budget=1e-9)
    assert (len(design.queries), design.passes) == (FEWEST_QUERIES, FEWEST_PASSES)


def test_a_long_search_stands_beside_a_reference_that_lasts_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Reference, "seconds", lambda _: 0.001)
    clock = itertools.count(step=0.008)  # between any two looks at the clock
    monkeypatch.setattr(measuring, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(measuring, "scheduling", Scheduling)  # nothing waited
    assert designed(lambda _, __: None, FOUR).repeats == 8
    clock = itertools.count(step=4.0)
    assert designed(lambda _, __: None, FOUR).repeats == 10  # at most 10 ms


@pytest.mark.parametrize(("milliseconds", "streams"), [(0.9, False), (1.1, True)])
def test_from_a_millisecond_on_the_reference_reads_more_than_a_cache_holds(
    monkeypatch: pytest.MonkeyPatch, milliseconds: float, *, streams: bool
) -> None:
    clock = itertools.count(step=milliseconds / 1000)
    monkeypatch.setattr(measuring, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(measuring, "scheduling", Scheduling)  # nothing waited
    assert designed(lambda _, __: None, FOUR).streams is streams


def test_the_reference_reads_the_whole_array_before_it_returns_to_a_piece() -> None:
    pieces = Reference(streams=True)._pieces
    read = [next(pieces) for _ in range(65)]
    assert sum(piece.nbytes for piece in read[:64]) == 128 << 20
    assert len({piece.ctypes.data for piece in read[:64]}) == 64
    assert read[64].ctypes.data == read[0].ctypes.data
    assert list(Reference()._pieces) == []


def test_every_query_is_searched_once_a_pass_and_once_before() -> None:
    searched: list[str] = []
    measurement = LatencyMeasurement(lambda query, _: searched.append(query), FOUR, FEW_PASSES)
    ((*passes,),) = measurement.run()
    assert len(passes) == 6
    assert [[timing.query for timing in of_pass] for of_pass in passes] == [[*FOUR]] * 6
    assert searched == [*FOUR] * 7


def test_a_search_stands_beside_the_references_before_and_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measurement = LatencyMeasurement(lambda _, __: None, {"a": "x"}, Design(("a",), passes=3))
    references = iter([1.0, 3.0, 5.0, 9.0])
    monkeypatch.setattr(Reference, "seconds", lambda _: next(references))
    for _ in range(measurement.rounds):
        measurement.prepare()
        measurement.search_next()
    ((*passes,),) = measurement.blocks_of([0.25] * 3)
    assert [timing.seconds for (timing,) in passes] == [0.25] * 3
    assert [timing.reference for (timing,) in passes] == [2.0, 4.0, 7.0]


def test_the_references_numbers_are_those_of_the_hash_whatever_the_machine() -> None:
    reference = Reference()
    hashed = [number * 2654435761 % 2**32 for number in range(1 << 12)]
    assert (reference._values * 2.0**32).tolist() == hashed[: 1 << 11]
    assert reference._places.tolist() == [each % (1 << 11) for each in hashed[: 1 << 11]]
    assert reference._far_places.tolist() == [each % (1 << 18) for each in hashed]


def test_waiting_is_no_time_on_the_processor() -> None:
    measurement = LatencyMeasurement(lambda _, __: sleep(0.05), {"a": "x"}, Design(("a",), 2))
    sample = measurement.sample(measurement.run(), Cost(), budget=0.0)
    assert sample.on_processor < 0.5
    assert sample.percentiles[50] >= 0.05


def test_a_wait_is_noted_with_the_search_that_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = iter(
        [Scheduling(1.0, 5), Scheduling(1.5, 5), Scheduling(2.0, 5), Scheduling(2.0, 6)]
    )
    measurement = LatencyMeasurement(lambda _, __: None, {"a": "x"}, Design(("a",), passes=2))
    monkeypatch.setattr(measuring, "scheduling", lambda: next(accounts))
    ((*passes,),) = measurement.run()
    assert [timing.queued for (timing,) in passes] == [0.5, 0.0]
    assert [timing.gave_up for (timing,) in passes] == [False, True]


def test_the_reference_leaves_its_wait_for_a_processor_out(monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = iter([Scheduling(1.0), Scheduling(1.5)])
    clock = iter([10.0, 12.5])
    monkeypatch.setattr(referring, "scheduling", lambda: next(accounts))
    monkeypatch.setattr(referring, "perf_counter", lambda: next(clock))
    assert Reference(repeats=4).seconds() == 0.5  # a quarter of 2.5 - .5


def test_blocks_follow_while_the_level_is_not_precise(monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = LatencyMeasurement(lambda _, __: None, FOUR, FEW_PASSES)
    ran = []
    run = measurement.run

    def counted() -> list[list[list[Timing]]]:
        ran.append(1)
        return run()

    monkeypatch.setattr(measurement, "run", counted)
    monkeypatch.setattr(measuring, "PRECISE", -1.0)
    measurement.sample(run(), Cost(), budget=3600.0)
    assert len(ran) == MOST_BLOCKS - 1
    measurement.sample(run(), Cost(), budget=0.0)
    assert len(ran) == MOST_BLOCKS - 1  # no time for another one
    monkeypatch.setattr(measuring, "PRECISE", 1e9)
    measurement.sample(run(), Cost(), budget=3600.0)
    assert len(ran) == MOST_BLOCKS - 1 + FEWEST_BLOCKS - 1


def test_the_reference_takes_time_and_gives_it_in_seconds_for_each_repeat() -> None:
    assert 0.0 < Reference(3).seconds() < 60.0


def test_blocks_hold_their_own_passes_in_order() -> None:
    measurement = LatencyMeasurement(lambda _, __: None, FOUR, Design(tuple(FOUR), passes=2))
    for _ in range(2 * measurement.rounds):
        measurement.prepare()
        measurement.search_next()
    measurement.prepare()
    blocks = measurement.blocks_of([float(number) for number in range(16)])
    seconds = [[[timing.seconds for timing in of_pass] for of_pass in block] for block in blocks]
    assert seconds == [
        [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]],
        [[8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]],
    ]
