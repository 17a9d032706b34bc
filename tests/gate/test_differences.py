"""Pairing and rounding of scores."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.differences import QUANTUM, Differences, difference, pair


def differences(baseline: list[float], candidate: list[float]) -> Differences:
    return difference([pair(baseline, candidate)], [Fraction(1)])


def test_mappings_are_paired_by_query_in_any_order() -> None:
    before, after = pair({"a": 0.1, "b": 0.2}, {"b": 0.4, "a": 0.3})
    assert (before.tolist(), after.tolist()) == ([0.1, 0.2], [0.3, 0.4])


def test_arrays_pair_like_lists() -> None:
    before, _ = pair(np.array([0.5, 1.0]), np.array([1, 0]))  # type: ignore[arg-type]
    assert before.tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("baseline", "candidate", "named"),
    [
        ({"a": 1.0, "b": 1.0}, {"a": 1.0}, r"candidate lacks 1 of them \('b'\)"),
        ({"a": 1.0}, {"a": 1.0, "q9": 0.0}, r"baseline lacks 1 of them \('q9'\)"),
        ({"a": 1.0}, {"b": 1.0}, r"candidate lacks 1 .*'a'.* baseline lacks 1 .*'b'"),
        ({str(i): 1.0 for i in range(9)}, {"8": 1.0}, r"lacks 8 of them \('0', '1', '2', …\)"),
        ([1.0, 0.5], [1.0], "baseline has 2 scores, the candidate 1"),
        ({"a": 1.0}, [1.0], "one set of scores is a mapping"),
        ({}, {}, "no queries"),
        ([], [], "no queries"),
        ([0.5, float("nan")], [0.5, 0.5], "query 1: the baseline's score is nan"),
        ({"q": 0.5}, {"q": float("inf")}, "query 'q': the candidate's score is inf"),
        ([0.5], ["0.5"], "query 0: the candidate's score is '0.5', which is not a number"),
        ([0.5, None], [0.5, 0.5], "query 1: the baseline's score is None"),
        ([-1.7e308], [1.7e308], "differ by more than a float can hold"),
    ],
)
def test_what_cannot_be_paired_is_named(baseline: Any, candidate: Any, named: str) -> None:
    with pytest.raises(ComparisonError, match=named):
        differences(baseline, candidate)


def test_differences_are_rounded_half_to_even_to_four_places() -> None:
    halves = [0.5 * 1e-4, 1.5 * 1e-4, 2.5 * 1e-4, -0.5 * 1e-4]
    rounded = differences([0.0] * 4, halves)
    assert rounded.strata[0].units.tolist() == [0, 2, 2, 0]
    assert rounded.quantum == QUANTUM


def test_float_noise_is_no_change() -> None:
    rounded = differences([0.1 + 0.2, 0.7], [0.3, 0.1 * 7])
    assert rounded.changed == 0
    assert rounded.mean == 0


def test_numbers_of_any_type_are_taken() -> None:
    before: list[Any] = [Fraction(1, 2), 0]
    after: list[Any] = [np.float32(0.25), True]
    rounded = differences(before, after)
    assert rounded.strata[0].units.tolist() == [-2500, 10000]
    with pytest.raises(ComparisonError, match="Decimal"):
        differences([0.5], [Decimal("0.5")])  # type: ignore[list-item]


def test_huge_differences_keep_twelve_digits() -> None:
    rounded = differences([0.0, 0.0], [1.5e300, -1.0])
    assert float(rounded.strata[0].units[0] * rounded.quantum) == pytest.approx(1.5e300, rel=1e-11)
    assert rounded.strata[0].units[1] == 0


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1, max_size=30))
def test_the_mean_of_four_place_scores_is_exact(scores: list[tuple[int, int]]) -> None:
    before, after = zip(*scores, strict=True)
    rounded = differences([b / 1e4 for b in before], [a / 1e4 for a in after])
    assert rounded.mean * rounded.quantum == Fraction(sum(after) - sum(before), len(scores) * 10**4)
    assert rounded.worse == sum(a < b for b, a in scores)
    assert rounded.better == sum(a > b for b, a in scores)
