"""The bootstrap with one query added, for what the queries at hand have not shown."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from pytest_beir.gate.bootstrap import BootstrapMean, Certain, bootstrap, certain_mean, mean_on
from pytest_beir.gate.bootstrap_grid import Grid, bootstrap_tails, grid_of
from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.spectrum import TIE, Draws, LatticeSum, fast_length, sum_of_draws

_MOST_TIMES = 12  # one of n + 1 queries is drawn more often with a chance below 1e-10
_SAME_MEAN = 1e-6  # of a step


class Quantiles(Protocol):
    """A distribution that is asked for its quantiles only."""

    def quantile(self, q: float) -> float:
        """The smallest mean at which the cumulated chance reaches q."""
        ...


def bootstrap_with_one_more(
    differences: Differences, lost: Fraction | int = 0
) -> tuple[BootstrapMean, Quantiles]:
    """The bootstrap of one stratum, and the same with one query added: n + 1 draws from n + 1.

    The added one is as bad as the worst seen, or as `lost` (in quanta), or unchanged if neither
    is worse.
    """
    (stratum,) = differences.strata
    worst = min(Fraction(0), Fraction(int(stratum.units.min())), Fraction(lost))
    # Of N queries each unit weighs 1/N; the added one is no copy of another.
    weight = 1 / (1 / stratum.weight + 1)
    extended = Stratum(np.append(stratum.units, math.floor(worst)), weight)
    more = Differences((extended,), differences.quantum)
    if len(extended.values[0]) == 1:
        return certain_mean(differences), certain_mean(more)
    if len(stratum.values[0]) == 1:
        return certain_mean(differences), _of_one_value(differences, worst, weight)
    reach = bootstrap_tails([stratum])
    plain_grid = grid_of([stratum], sum(reach), differences.changed)
    step = int(np.gcd.reduce(stratum.values[0] - stratum.values[0][0]))
    if plain_grid.is_exact and (worst - int(stratum.units[0])) % step:
        return _with_one_beside(differences, worst, plain_grid, reach, weight)
    more_reach = bootstrap_tails([extended])
    # In the unit of a sum both share one lattice, so one transform serves both. Its width is that
    # of the plain bootstrap, which a swap of the two systems does not change.
    spanned = Stratum(extended.units, stratum.weight)
    grid = grid_of([spanned], sum(reach), differences.changed)
    more_grid = Grid(grid.step * extended.weight / stratum.weight, grid.is_exact)
    first, points = grid.window(differences, reach)
    more_first, more_points = more_grid.window(more, more_reach)
    length = fast_length(max(points, more_points))
    draws = Draws.of(*grid.place(stratum.values, stratum), stratum.n, length)
    value = np.array([int(worst)]) if grid.is_exact else np.array([float(worst)])
    added = grid.place((value, np.array([stratum.n])), stratum)
    more_draws = draws.with_one_more(*added)
    plain = mean_on(differences, grid, first, sum_of_draws([draws], first))
    if not grid.is_exact:
        plain = replace(plain, tails=_tails_far_apart(differences))
    return plain, mean_on(more, more_grid, more_first, sum_of_draws([more_draws], more_first))


def _with_one_beside(
    differences: Differences,
    worst: Fraction,
    grid: Grid,
    reach: tuple[float, float],
    weight: Fraction,
) -> tuple[BootstrapMean, _OneBeside]:
    """The same where the added value is not on the coarse lattice of the others.

    How often it is drawn is binomial; the other draws stay on their lattice.
    """
    (stratum,) = differences.strata
    first, _ = grid.window(differences, reach)
    # One draw more may stray further, by its share at most.
    reach = (reach[0] * (1.0 + 1.0 / stratum.n), reach[1] * (1.0 + 1.0 / stratum.n))
    length = fast_length(math.ceil(sum(reach) / grid.step) + 2)
    draws = Draws.of(*grid.place(stratum.values, stratum), stratum.n, length)
    scale = weight / stratum.weight
    beside = []
    for times in range(min(stratum.n + 1, _MOST_TIMES) + 1):
        fewer = stratum.n + 1 - times
        # As a mean of `fewer` draws, so that each has its own window around its own middle.
        middle = differences.mean * fewer / stratum.n - fewer * stratum.weight * int(
            stratum.units[0]
        )
        start = math.floor((middle - Fraction(reach[0])) / grid.step)
        origin = fewer * stratum.weight * int(stratum.units[0]) + times * stratum.weight * worst
        beside.append(
            (
                _drawn(stratum.n, times),
                float((origin + start * grid.step) * scale * differences.quantum),
                sum_of_draws([draws.fewer(fewer)], start) if fewer else Certain(-start),
            )
        )
    step = float(grid.step * scale * differences.quantum)
    plain = mean_on(differences, grid, first, sum_of_draws([draws], first))
    return plain, _OneBeside(tuple(beside), step)


def _of_one_value(differences: Differences, worst: Fraction, weight: Fraction) -> _OneBeside:
    """The same where all queries changed alike."""
    (stratum,) = differences.strata
    value = int(stratum.units[0])
    parts = []
    for times in range(min(stratum.n + 1, _MOST_TIMES) + 1):
        total = (stratum.n + 1 - times) * value + times * worst
        chance = _drawn(stratum.n, times)
        parts.append((chance, float(total * weight * differences.quantum), Certain()))
    return _OneBeside(tuple(parts), float(weight * differences.quantum))


def _drawn(n: int, times: int) -> float:
    """The chance that n + 1 draws from n + 1 queries hold one of them so many times."""
    return math.comb(n + 1, times) * (n / (n + 1)) ** (n + 1 - times) / float(n + 1) ** times


@dataclass(frozen=True)
class _OneBeside:
    """A mixture over how often the added value was drawn: chance, first mean, distribution."""

    parts: tuple[tuple[float, float, LatticeSum], ...]
    step: float

    def quantile(self, q: float) -> float:
        """The smallest mean at which the cumulated chance reaches q."""
        low = min(first + sums.quantile(q) * self.step for _, first, sums in self.parts)
        high = max(first + sums.quantile(q) * self.step for _, first, sums in self.parts)
        if self._at_most(low) >= q - TIE:
            return low
        while high - low > _SAME_MEAN * self.step:
            middle = (low + high) / 2.0
            if not low < middle < high:  # as near as floats can be
                break
            low, high = (low, middle) if self._at_most(middle) >= q - TIE else (middle, high)
        # The smallest mean that can occur at or above.
        candidates = (
            first + round((high - first) / self.step) * self.step for _, first, _ in self.parts
        )
        return min(candidates, key=lambda mean: abs(mean - high))

    def _at_most(self, mean: float) -> float:
        return math.fsum(
            chance * sums.at_most(math.floor((mean - first) / self.step + _SAME_MEAN))
            for chance, first, sums in self.parts
        )


def _tails_far_apart(differences: Differences) -> tuple[float, float] | None:
    """The chances of a mean of zero or less, and or more, where a few values outweigh all others.

    A coarse lattice would put all small values into one step. If each large value outweighs n of
    the small ones, the large ones decide the sign wherever they do not cancel, and the small ones
    decide alone where none is drawn.
    """
    (stratum,) = differences.strata
    sizes = np.unique(np.abs(stratum.units[stratum.units != 0]))
    gaps = np.flatnonzero(sizes[1:] > sizes[:-1] * stratum.n)
    if not len(gaps):
        return None
    least = int(sizes[gaps[-1] + 1])
    is_large = np.abs(stratum.units) >= least
    large = Differences(
        (Stratum(np.where(is_large, stratum.units, 0), stratum.weight),), differences.quantum
    )
    sums = bootstrap(large)
    at_most, at_least = sums.at_most_zero(), sums.at_least_zero()
    even = max(0.0, at_most + at_least - 1.0)
    below, above = at_most - even, at_least - even
    small = Differences((Stratum(stratum.units[~is_large], stratum.weight),), differences.quantum)
    small_at_most, small_at_least = _small_tails(small, stratum.n)
    return below + even * small_at_most, above + even * small_at_least


def _small_tails(small: Differences, draws: int) -> tuple[float, float]:
    """The tails of so many draws from the small values, whose number is another."""
    (stratum,) = small.strata
    if len(stratum.values[0]) == 1:
        value = int(stratum.units[0])
        return float(value <= 0), float(value >= 0)
    reach = bootstrap_tails([stratum])
    grid = grid_of([stratum], sum(reach), small.changed)
    origin = draws * stratum.weight * int(stratum.units[0]) if grid.is_exact else Fraction(0)
    middle = small.mean * draws / stratum.n - origin
    width = 2.0 * max(reach)
    start = math.floor((middle - Fraction(width)) / grid.step)
    points = math.ceil((middle + Fraction(width)) / grid.step) - start + 1
    length = fast_length(points)
    drawn = Draws.of(*grid.place(stratum.values, stratum), draws, length)
    mean = BootstrapMean(
        sum_of_draws([drawn], start),
        first=origin + start * grid.step,
        step=grid.step,
        is_exact=grid.is_exact,
        unmoved=float((1.0 - np.count_nonzero(stratum.units) / stratum.n) ** draws),
    )
    return mean.at_most_zero(), mean.at_least_zero()
