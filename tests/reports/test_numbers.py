"""Numbers as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.reports import numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.652, ".652"),
        (1.0, "1.000"),
        (0.0, ".000"),
        (0.6519, ".652"),
        (None, "–"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
    ],
)
def test_a_score_has_three_decimals_and_no_leading_zero(value: float | None, shown: str) -> None:
    assert numbers.score(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(-0.041, "−.041"), (0.008, "+.008"), (-1.0, "−1.000"), (0.0, ".000"), (-0.0001, "−.000")],
)
def test_a_difference_bears_its_sign_unless_it_is_nothing(value: float, shown: str) -> None:
    assert numbers.change(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0004, ".0004"),
        (0.051, ".0510"),
        (1.0, "1"),
        (0.99999, "1.0000"),
        (0.00005, "5e-5"),
        (1e-6, "1e-6"),
        (9e-7, "<1e-6"),
        (1e-12, "<1e-6"),
        (None, "–"),
    ],
)
def test_a_probability_is_short_and_never_nothing(value: float | None, shown: str) -> None:
    assert numbers.probability(value) == shown


def test_a_probability_just_above_its_level_does_not_look_equal_to_it() -> None:
    assert numbers.probability(0.05 / 18 + 4e-6, 0.05 / 18) == ".0027818"
    assert numbers.probability(0.05, 0.05) == ".0500"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.05, ".05"), (0.0125, ".0125"), (0.05 / 18, ".0028"), (0.02, ".02"), (0.0, "0"), (1.0, "1")],
)
def test_a_limit_has_the_digits_it_needs(value: float, shown: str) -> None:
    assert numbers.limit(value) == shown


@given(st.floats(1e-12, 1.0))
def test_no_probability_takes_more_than_nine_columns(value: float) -> None:
    assert len(numbers.probability(value, 0.05)) <= 9


@given(st.floats(-1.0, 1.0))
def test_the_sign_of_a_difference_is_never_lost(value: float) -> None:
    shown = numbers.change(value)
    assert shown.startswith("−") == (value < 0)
    assert shown.startswith("+") == (value > 0)


def test_a_number_stays_with_its_symbol_when_a_sentence_is_wrapped() -> None:
    assert numbers.equation("p", 0.0004) == "p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}.0004"
    assert numbers.equation("p", 1e-9).replace("\N{NO-BREAK SPACE}", " ") == "p < 1e-6"


def test_a_rank_beyond_the_run_is_said_in_words() -> None:
    assert [numbers.rank(3), numbers.rank(None)] == ["3", "beyond 100"]
