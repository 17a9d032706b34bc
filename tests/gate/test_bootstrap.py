"""The exact bootstrap beside full enumeration, a finer lattice and random resampling."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.gate import bootstrap_grid
from pytest_beir.gate.bootstrap import bootstrap
from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.one_more_query import bootstrap_with_one_more


def one_stratum(units: list[int]) -> Differences:
    return Differences((Stratum(np.array(units, dtype=np.int64), Fraction(1, len(units))),))


def enumerate_means(*strata: tuple[list[int], Fraction]) -> dict[Fraction, Fraction]:
    """Every resample of every stratum, as the chances of the weighted sums."""
    means = {Fraction(0): Fraction(1)}
    for units, weight in strata:
        sums = Counter(sum(draw) for draw in product(units, repeat=len(units)))
        step: dict[Fraction, Fraction] = {}
        for (mean, chance), (total, count) in product(means.items(), sums.items()):
            reached = mean + weight * total
            share = chance * Fraction(count, len(units) ** len(units))
            step[reached] = step.get(reached, Fraction(0)) + share
        means = step
    return means


def quantile(means: dict[Fraction, Fraction], q: Fraction) -> Fraction:
    cumulated = Fraction(0)
    for mean in sorted(means):
        cumulated += means[mean]
        if cumulated >= q:
            return mean
    raise AssertionError


UNITS = st.one_of(
    st.integers(-10_000, 10_000), st.sampled_from([0, 0, 5000, -5000, 10_000, -10_000])
)


@settings(deadline=None, max_examples=120)
@given(st.lists(UNITS, min_size=1, max_size=6))
def test_small_samples_agree_with_full_enumeration(units: list[int]) -> None:
    expected = enumerate_means((units, Fraction(1, len(units))))
    found = bootstrap(one_stratum(units))
    drop = sum(chance for mean, chance in expected.items() if mean >= 0)
    gain = sum(chance for mean, chance in expected.items() if mean <= 0)
    assert found.at_least_zero() == pytest.approx(float(drop), abs=1e-12)
    assert found.at_most_zero() == pytest.approx(float(gain), abs=1e-12)
    for q in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
        mean = quantile(expected, q) * Fraction(1, 10_000)
        assert found.quantile(float(q)) == pytest.approx(float(mean), abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(st.lists(UNITS, min_size=1, max_size=5))
def test_one_query_more_agrees_with_full_enumeration(units: list[int]) -> None:
    extended = [*units, min(0, *units)]
    expected = enumerate_means((extended, Fraction(1, len(extended))))
    plain, more = bootstrap_with_one_more(one_stratum(units))
    mean = quantile(expected, Fraction(1, 20)) * Fraction(1, 10_000)
    assert more.quantile(0.05) == pytest.approx(float(mean), abs=1e-12)
    alone = bootstrap(one_stratum(units))
    assert plain.at_least_zero() == pytest.approx(alone.at_least_zero(), abs=1e-12)
    assert plain.quantile(0.95) == pytest.approx(alone.quantile(0.95), abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(UNITS, min_size=1, max_size=3), min_size=2, max_size=3))
def test_strata_agree_with_full_enumeration(strata: list[list[int]]) -> None:
    weights = [Fraction(1, len(strata) * len(units)) for units in strata]
    expected = enumerate_means(*zip(strata, weights, strict=True))
    found = bootstrap(
        Differences(
            tuple(
                Stratum(np.array(units), weight)
                for units, weight in zip(strata, weights, strict=True)
            )
        )
    )
    drop = sum(chance for mean, chance in expected.items() if mean >= 0)
    assert found.at_least_zero() == pytest.approx(float(drop), abs=1e-12)
    mean = quantile(expected, Fraction(1, 20)) * Fraction(1, 10_000)
    assert found.quantile(0.05) == pytest.approx(float(mean), abs=1e-12)


def normal(n: int, m: int, seed: int = 1) -> Differences:
    rng = np.random.default_rng(seed)
    units = np.zeros(n, dtype=np.int64)
    units[:m] = np.rint(np.clip(rng.normal(-0.01, 0.2, m), -1, 1) * 1e4)
    return Differences((Stratum(units, Fraction(1, n)),))


@pytest.mark.parametrize(("n", "m"), [(300, 70), (1406, 200), (10_000, 1000)])
def test_the_coarse_lattice_moves_p_by_less_than_a_hundred_thousandth(
    n: int, m: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    differences = normal(n, m)
    coarse = bootstrap(differences)
    monkeypatch.setattr(bootstrap_grid, "_MOST_POINTS", {True: 2**22, False: 2**22})
    exact = bootstrap(differences)
    assert (coarse.is_exact, exact.is_exact) == (False, True)
    assert coarse.at_least_zero() == pytest.approx(exact.at_least_zero(), abs=1e-5)
    assert coarse.at_most_zero() == pytest.approx(exact.at_most_zero(), abs=1e-5)
    spread = exact.quantile(0.5) - exact.quantile(0.16)
    for q in (0.05, 0.95):
        assert coarse.quantile(q) == pytest.approx(exact.quantile(q), abs=2e-4 * spread)


def test_a_lattice_too_wide_keeps_the_chance_that_nothing_moves() -> None:
    # Scores like latencies: three of fifty changed, by amounts without a common step.
    units = [10**11 + 7, -(10**11) + 9, 10**10 + 1] + [0] * 47
    found = bootstrap(one_stratum(units))
    assert not found.is_exact
    still = (47 / 50) ** 50
    both = found.at_least_zero() + found.at_most_zero() - 1
    assert both == pytest.approx(still, abs=1e-9)


def test_a_smooth_distribution_agrees_with_the_trinomial() -> None:
    # Of a hit rate over many queries few frequencies are left, which are summed one by one.
    losses, gains, n = 260, 240, 15_000
    units = np.repeat([-10_000, 0, 10_000], [losses, n - losses - gains, gains])
    drawn = np.arange(n + 1)
    # Given the gains drawn, each other draw is a loss with a chance of losses / (n - gains).
    at_most = scipy.stats.binom.cdf(drawn, n - drawn, losses / (n - gains))
    expected = float(scipy.stats.binom.pmf(drawn, n, gains / n) @ at_most)
    assert bootstrap(one_stratum(units.tolist())).at_least_zero() == pytest.approx(
        expected, abs=1e-12
    )


def test_p_agrees_with_scipy_within_monte_carlo_error() -> None:
    differences = normal(300, 60, seed=5)
    d = differences.strata[0].units / 1e4
    resamples = 20_000
    result = scipy.stats.bootstrap(
        (d,),
        np.mean,
        n_resamples=resamples,
        batch=500,
        method="percentile",
        alternative="two-sided",
        confidence_level=0.9,
        random_state=np.random.default_rng(7),
    )
    found = bootstrap(differences)
    p = found.at_least_zero()
    sampled = float((result.bootstrap_distribution >= -1e-12).mean())
    assert sampled == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / resamples))
    spread = found.quantile(0.5) - found.quantile(0.16)
    noise = 5 * spread * math.sqrt(0.05 * 0.95 / resamples) / 0.103  # density at the 5 % quantile
    assert result.confidence_interval.low == pytest.approx(found.quantile(0.05), abs=noise)
    assert result.confidence_interval.high == pytest.approx(found.quantile(0.95), abs=noise)


@pytest.mark.parametrize("units", [[0] * 5, [-5] * 40, [3333] * 15_000, [7]])
def test_equal_differences_leave_one_mean(units: list[int]) -> None:
    found = bootstrap(one_stratum(units))
    assert found.quantile(0.05) == found.quantile(0.95) == units[0] / 1e4
    assert found.at_least_zero() == float(units[0] >= 0)
    assert found.at_most_zero() == float(units[0] <= 0)
