"""The sign-flip test beside enumeration, plain convolution and scipy."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.gate.differences import Differences, Floats, Stratum, Units
from pytest_beir.gate.saddlepoint import signed_sum_at_most
from pytest_beir.gate.signflip import SignFlip, sign_flip

if TYPE_CHECKING:
    from collections.abc import Callable

    Draw = Callable[[np.random.Generator, int], Floats]

GAINS = np.append(1 / np.log2(np.arange(2, 12)), 0.0)


def one_stratum(units: Units | list[int]) -> Differences:
    array = np.asarray(units, dtype=np.int64)
    return Differences((Stratum(array, Fraction(1, len(array))),))


def enumerate_flips(values: list[Fraction]) -> tuple[Fraction, Fraction]:
    observed = sum(values)
    sums = [
        sum(sign * value for sign, value in zip(signs, values, strict=True))
        for signs in product((1, -1), repeat=len(values))
    ]
    share = Fraction(1, len(sums))
    return (
        share * sum(total <= observed for total in sums),
        share * sum(total >= observed for total in sums),
    )


def convolve(units: Units) -> SignFlip:
    """Both tails by adding one query after another, on the whole lattice."""
    magnitudes = np.abs(units[units != 0])
    spacing = int(np.gcd.reduce(magnitudes))
    chances = np.ones(1)
    for magnitude in (magnitudes // spacing).tolist():
        longer = np.zeros(len(chances) + magnitude)
        longer[: len(chances)] += chances / 2
        longer[magnitude:] += chances / 2
        chances = longer
    gains = int(units[units > 0].sum()) // spacing
    losses = -int(units[units < 0].sum()) // spacing
    return SignFlip(float(chances[: gains + 1].sum()), float(chances[: losses + 1].sum()))


def one_relevant(rng: np.random.Generator, m: int) -> Floats:
    gaps: Floats = GAINS[rng.integers(0, 11, 2 * m)] - GAINS[rng.integers(0, 11, 2 * m)]
    return gaps


def graded(rng: np.random.Generator, m: int) -> Floats:
    return np.clip(rng.normal(0, 0.25, 2 * m), -1, 1)


def recall(rng: np.random.Generator, m: int) -> Floats:
    relevant = rng.choice([1, 1, 1, 2, 3, 4], 2 * m)
    found = rng.integers(0, relevant + 1) - rng.integers(0, relevant + 1)
    gaps: Floats = found / relevant
    return gaps


def thirds_and_halves(rng: np.random.Generator, m: int) -> Floats:
    return rng.choice([1 / 2, 1 / 3, 2 / 3], 2 * m)


def hits(rng: np.random.Generator, m: int) -> Floats:
    return rng.choice([-1.0, 1.0], 2 * m)


def changed(draw: Draw, m: int, seed: int, lean: float = 0.8) -> Units:
    """`m` differences that are not zero, more often losses by `lean` standard deviations."""
    rng = np.random.default_rng(seed)
    units = np.rint(draw(rng, m) * 1e4).astype(np.int64)
    units = np.abs(units[units != 0][:m])
    assert len(units) == m
    leaning: Units = np.where(rng.random(m) < 0.5 + lean / 2 / math.sqrt(m), -units, units)
    return leaning


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.one_of(st.integers(-10_000, 10_000), st.sampled_from([0, 5000, -5000])),
        min_size=1,
        max_size=9,
    )
)
def test_small_samples_agree_with_full_enumeration(units: list[int]) -> None:
    drop, gain = enumerate_flips([Fraction(unit) for unit in units])
    found = sign_flip(one_stratum(units))
    assert found.drop == pytest.approx(float(drop), abs=1e-12)
    assert found.gain == pytest.approx(float(gain), abs=1e-12)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=4), min_size=2, max_size=3)
)
def test_strata_agree_with_full_enumeration(strata: list[list[int]]) -> None:
    weights = [Fraction(1, len(strata) * len(units)) for units in strata]
    values = [w * unit for w, units in zip(weights, strata, strict=True) for unit in units]
    drop, gain = enumerate_flips(values)
    found = sign_flip(
        Differences(tuple(Stratum(np.array(u), w) for u, w in zip(strata, weights, strict=True)))
    )
    assert found.drop == pytest.approx(float(drop), abs=1e-12)
    assert found.gain == pytest.approx(float(gain), abs=1e-12)


def test_twenty_changed_queries_of_large_datasets_are_exact() -> None:
    # Weights whose common lattice no window could hold.
    rng = np.random.default_rng(2)
    sizes, each = (7919, 7907, 7901, 7883, 7879), 4
    values: list[list[int]] = rng.integers(-10_000, 10_001, (len(sizes), each)).tolist()
    strata = tuple(
        Stratum(np.array([*units, *[0] * (n - each)]), Fraction(1, 5 * n))
        for units, n in zip(values, sizes, strict=True)
    )
    weighted = np.concatenate([np.array(units) / n for units, n in zip(values, sizes, strict=True)])
    sums = np.zeros(1)
    for magnitude in weighted:
        sums = np.concatenate((sums + magnitude, sums - magnitude))
    expected = float((sums <= weighted.sum() + 1e-9).mean())
    assert sign_flip(Differences(strata)).drop == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("m", [20, 64, 65, 100, 250])
@pytest.mark.parametrize("draw", [recall, thirds_and_halves, hits])
def test_with_many_ties_it_is_exact(draw: Draw, m: int) -> None:
    units = changed(draw, m, seed=m)
    expected, found = convolve(units), sign_flip(one_stratum(units))
    assert found.drop == pytest.approx(expected.drop, rel=1e-9)
    assert found.gain == pytest.approx(expected.gain, rel=1e-9)


@pytest.mark.parametrize(
    ("m", "error"), [(30, 1e-9), (64, 1e-9), (66, 1e-9), (150, 1e-3), (400, 3e-4)]
)
@pytest.mark.parametrize("lean", [0.0, 1.6, 3.0])
@pytest.mark.parametrize("draw", [one_relevant, graded])
def test_without_many_ties_it_is_exact_or_near_enough(
    draw: Draw, lean: float, m: int, error: float
) -> None:
    units = changed(draw, m, seed=m, lean=lean)
    expected, found = convolve(units), sign_flip(one_stratum(units))
    assert found.drop == pytest.approx(expected.drop, rel=error)
    assert found.gain == pytest.approx(expected.gain, rel=error)


@pytest.mark.parametrize("m", [3, 64, 65, 5000])
def test_changes_of_one_sign_have_the_smallest_p_and_the_largest(m: int) -> None:
    for sign in (-1, 1):
        units = sign * np.abs(changed(recall, m, seed=m))
        found = sign_flip(one_stratum(units))
        smallest, largest = (found.drop, found.gain) if sign < 0 else (found.gain, found.drop)
        assert (smallest, largest) == (math.ldexp(1.0, -m), 1.0)


def test_unchanged_queries_count_for_nothing() -> None:
    units = changed(graded, 40, seed=3)
    padded = np.concatenate((np.zeros(900, dtype=np.int64), units))
    assert sign_flip(one_stratum(padded)) == sign_flip(one_stratum(units))


@pytest.mark.parametrize("m", [40, 90, 700])
def test_some_magnitudes_may_outweigh_all_others(m: int) -> None:
    # Two timeouts among small changes: flipping them decides, and the rest decides within.
    rng = np.random.default_rng(m)
    small = rng.integers(-900, 901, m)
    units = np.concatenate((small, [-(10**10), 3 * 10**9]))
    inner = sign_flip(one_stratum(small))
    found = sign_flip(one_stratum(units))
    # Both as they are leave the inner share; otherwise only the sign of the sum matters.
    assert found.drop == pytest.approx(0.25 + 0.25 * inner.drop, rel=2e-3)


def test_p_agrees_with_scipy_within_monte_carlo_error() -> None:
    units = changed(graded, 120, seed=9)
    resamples = 40_000
    result = scipy.stats.permutation_test(
        (units / 1e4,),
        np.mean,
        permutation_type="samples",
        alternative="less",
        n_resamples=resamples,
        batch=2000,
        vectorized=True,
        random_state=np.random.default_rng(3),
    )
    p = sign_flip(one_stratum(units)).drop
    assert result.pvalue == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / resamples))


def test_the_saddlepoint_is_symmetric_and_bounded() -> None:
    magnitudes = np.sort(np.random.default_rng(0).random(200))
    counts = np.ones(200, dtype=np.intp)
    points = np.concatenate((np.linspace(-200, 200, 401), [1e-9, 1e-3]))
    chances = signed_sum_at_most(magnitudes, counts, points)
    mirrored = signed_sum_at_most(magnitudes, counts, -points)
    assert np.all((chances >= 0) & (chances <= 1))
    assert np.allclose(chances + mirrored, 1.0, atol=1e-9)
    assert np.all(np.diff(chances[:401]) >= -1e-12)
