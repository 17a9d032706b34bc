"""Logarithms of factorials, against whole numbers and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import gammaln

from pytest_beir.gate.log_factorials import log_factorials


def test_the_first_are_those_of_whole_numbers() -> None:
    expected = [math.log(math.factorial(number)) for number in range(21)]
    assert log_factorials(20).tolist() == pytest.approx(expected, rel=1e-14, abs=1e-15)


def test_many_are_those_of_scipy() -> None:
    np.testing.assert_allclose(
        log_factorials(10_000), gammaln(np.arange(1.0, 10_002.0)), rtol=1e-14
    )


def test_zero_factorial_is_the_least() -> None:
    assert log_factorials(0).tolist() == [0.0]
