"""Lengths of transforms."""

from __future__ import annotations

import pytest
from scipy.fft import next_fast_len

from pytest_beir.gate.spectrum import fast_length


def test_every_short_length_is_the_one_of_scipy() -> None:
    assert [fast_length(points) for points in range(1, 3000)] == [
        next_fast_len(points, real=True) for points in range(1, 3000)
    ]


@pytest.mark.parametrize("points", [12_345, 65_537, 1_000_001, 2**21 - 1, 2**21 + 1, 5**9 + 1])
def test_long_lengths_are_those_of_scipy(points: int) -> None:
    assert fast_length(points) == next_fast_len(points, real=True)
