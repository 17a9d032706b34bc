"""What is searched, how often, and beside which reference."""

from __future__ import annotations

from pytest_beir.latency.measurement import (
    FEWEST_PASSES,
    PASSES,
    LatencyMeasurement,
    chosen,
)
from pytest_beir.latency.reference import Reference

QUERIES = {f"q{number:02d}": f"text {number}" for number in range(4)}


def test_all_of_a_few_queries_are_chosen_in_the_order_of_their_ids() -> None:
    assert list(chosen({"b": "x", "a": "y"})) == ["a", "b"]


def test_of_many_queries_a_fixed_number_is_chosen_over_the_whole_range() -> None:
    many = {f"q{number:04d}": "text" for number in range(1000)}
    ids = list(chosen(many, 50))
    assert ids == [f"q{number:04d}" for number in range(0, 1000, 20)]


def test_every_query_is_searched_once_a_pass_and_once_before() -> None:
    searched: list[str] = []
    measurement = LatencyMeasurement(lambda query, _: searched.append(query), QUERIES)
    passes = measurement.run()
    assert len(passes) == measurement.passes == PASSES
    assert [timing.query for timing in passes[0]] == list(QUERIES)
    assert searched == list(QUERIES) * (1 + PASSES)


def test_a_slow_search_gets_the_fewest_passes() -> None:
    measurement = LatencyMeasurement(lambda _, __: Reference().seconds(), QUERIES, budget=1e-9)
    assert measurement.passes == FEWEST_PASSES


def test_a_search_stands_beside_the_references_before_and_after_it() -> None:
    measurement = LatencyMeasurement(lambda _, __: None, {"a": "x"})
    for _ in range(measurement.rounds):
        measurement.prepare()
        measurement.search_next()
    passes = measurement.passes_of([0.25] * measurement.rounds)
    assert [timing.seconds for timings in passes for timing in timings] == [0.25] * PASSES
    assert all(timing.reference > 0.0 for timings in passes for timing in timings)


def test_the_references_numbers_are_those_of_the_hash_whatever_the_machine() -> None:
    reference = Reference()
    hashed = [number * 2654435761 % 2**32 for number in range(1 << 14)]
    assert (reference._values * 2.0**32).tolist() == hashed
    assert reference._places.tolist() == [each % (1 << 14) for each in hashed]


def test_the_reference_takes_time_and_gives_it_in_seconds() -> None:
    assert 0.0 < Reference().seconds() < 60.0
