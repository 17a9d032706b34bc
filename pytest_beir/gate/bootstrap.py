"""The exact distribution of the paired bootstrap's mean, without a single random number.

The sum of n draws with replacement is the n-fold convolution of the differences' empirical
distribution. On a lattice that is a power of its Fourier transform, and strata multiply.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.fft import next_fast_len

from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.spectrum import TIE, Draws, LatticeSum, common_step, sum_of_draws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.gate.differences import Floats, Units, Values

_FEW_CHANGED = 64
_MOST_POINTS = {True: 2**21, False: 2**17}  # of an exact window: few changed queries or many
_COARSE_POINTS = 2**17
_EXPONENT = 28.0  # each tail holds less than exp(-28), and in practice a twentieth of that
_MANY_VALUES = 4096  # beyond, Bernstein's bound is near enough and much cheaper
_SLOPES = np.geomspace(0.7, 8.0, 12)
_MOST_TIMES = 12  # one of n + 1 queries is drawn more often with a chance below 1e-10
_SAME_MEAN = 1e-6  # of a step


class Quantiles(Protocol):
    """A distribution that is asked for its quantiles only."""

    def quantile(self, q: float) -> float:
        """The smallest mean at which the cumulated chance reaches q."""
        ...


@dataclass(frozen=True)
class BootstrapMean:
    """The bootstrap mean's distribution: point i of `sums` is the mean `first + i * step`.

    `first` and `step` are in metric units. On the exact lattice (`is_exact`) every point is a
    mean that can occur; otherwise a point stands for the means within half a step of it, but for
    `unmoved`, the chance that only unchanged queries are drawn and the mean is zero itself.
    `tails` are there where they were computed in another way: zero or less, zero or more.
    """

    sums: LatticeSum
    first: Fraction
    step: Fraction
    is_exact: bool
    unmoved: float
    tails: tuple[float, float] | None = None

    def at_most_zero(self) -> float:
        """The chance of a mean of zero or less."""
        if self.tails is not None:
            return self.tails[0]
        zero = -self.first / self.step
        if self.is_exact:
            return self.sums.at_most(math.floor(zero))
        return self._below(zero) + self.unmoved / 2.0

    def at_least_zero(self) -> float:
        """The chance of a mean of zero or more."""
        if self.tails is not None:
            return self.tails[1]
        zero = -self.first / self.step
        if self.is_exact:
            return 1.0 - self.sums.at_most(math.ceil(zero) - 1)
        return 1.0 - self._below(zero) + self.unmoved / 2.0

    def quantile(self, q: float) -> float:
        """The smallest mean at which the cumulated chance reaches q."""
        return float(self.first + self.sums.quantile(q) * self.step)

    def _below(self, position: Fraction) -> float:
        """The chance below a position, each point's chance spread evenly over its step."""
        point = math.floor(position + Fraction(1, 2))
        share = float(position + Fraction(1, 2) - point)
        return (1.0 - share) * self.sums.at_most(point - 1) + share * self.sums.at_most(point)


@dataclass(frozen=True)
class _Certain:
    """The whole chance on one point."""

    point: int = 0

    def at_most(self, point: int) -> float:
        return float(point >= self.point)

    def quantile(self, q: float) -> int:  # noqa: ARG002 - the same for every q
        return self.point


def bootstrap(differences: Differences) -> BootstrapMean:
    """The mean of queries redrawn with replacement within each stratum, at infinitely many draws.

    Exact to about 1e-12 while the lattice of possible means fits the window. Beyond, differences
    are split between the two neighbouring points of a coarser lattice so that each keeps its mean
    (rounding them instead would move p by thousandths at ten thousand queries).
    """
    moving = [stratum for stratum in differences.strata if len(stratum.values[0]) > 1]
    if not moving:
        return _certain(differences)
    # The transform of the widest stratum leaves the fewest frequencies for the others.
    moving.sort(key=lambda s: float(s.weight) ** 2 * s.n * float(s.units.var()), reverse=True)
    reach = bootstrap_tails(moving)
    grid = _grid(moving, sum(reach), differences.changed)
    first, points = grid.window(differences, reach)
    length = next_fast_len(points, real=True)
    draws = [Draws.of(*grid.place(s.values, s), s.n, length) for s in moving]
    return _mean(differences, grid, first, sum_of_draws(draws, first))


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
        return _certain(differences), _certain(more)
    if len(stratum.values[0]) == 1:
        return _certain(differences), _of_one_value(differences, worst, weight)
    reach = bootstrap_tails([stratum])
    plain_grid = _grid([stratum], sum(reach), differences.changed)
    step = int(np.gcd.reduce(stratum.values[0] - stratum.values[0][0]))
    if plain_grid.is_exact and (worst - int(stratum.units[0])) % step:
        return _with_one_beside(differences, worst, plain_grid, reach, weight)
    more_reach = bootstrap_tails([extended])
    # In the unit of a sum both share one lattice, so one transform serves both. Its width is that
    # of the plain bootstrap, which a swap of the two systems does not change.
    spanned = Stratum(extended.units, stratum.weight)
    grid = _grid([spanned], sum(reach), differences.changed)
    more_grid = _Grid(grid.step * extended.weight / stratum.weight, grid.is_exact)
    first, points = grid.window(differences, reach)
    more_first, more_points = more_grid.window(more, more_reach)
    length = next_fast_len(max(points, more_points), real=True)
    draws = Draws.of(*grid.place(stratum.values, stratum), stratum.n, length)
    value = np.array([int(worst)]) if grid.is_exact else np.array([float(worst)])
    added = grid.place((value, np.array([stratum.n])), stratum)
    more_draws = draws.with_one_more(*added)
    plain = _mean(differences, grid, first, sum_of_draws([draws], first))
    if not grid.is_exact:
        plain = replace(plain, tails=_tails_far_apart(differences))
    return plain, _mean(more, more_grid, more_first, sum_of_draws([more_draws], more_first))


def _with_one_beside(
    differences: Differences,
    worst: Fraction,
    grid: _Grid,
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
    length = next_fast_len(math.ceil(sum(reach) / grid.step) + 2, real=True)
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
                sum_of_draws([draws.fewer(fewer)], start) if fewer else _Certain(-start),
            )
        )
    step = float(grid.step * scale * differences.quantum)
    plain = _mean(differences, grid, first, sum_of_draws([draws], first))
    return plain, _OneBeside(tuple(beside), step)


def _of_one_value(differences: Differences, worst: Fraction, weight: Fraction) -> _OneBeside:
    """The same where all queries changed alike."""
    (stratum,) = differences.strata
    value = int(stratum.units[0])
    parts = []
    for times in range(min(stratum.n + 1, _MOST_TIMES) + 1):
        total = (stratum.n + 1 - times) * value + times * worst
        chance = _drawn(stratum.n, times)
        parts.append((chance, float(total * weight * differences.quantum), _Certain()))
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
    grid = _grid([stratum], sum(reach), small.changed)
    origin = draws * stratum.weight * int(stratum.units[0]) if grid.is_exact else Fraction(0)
    middle = small.mean * draws / stratum.n - origin
    width = 2.0 * max(reach)
    start = math.floor((middle - Fraction(width)) / grid.step)
    points = math.ceil((middle + Fraction(width)) / grid.step) - start + 1
    length = next_fast_len(points, real=True)
    drawn = Draws.of(*grid.place(stratum.values, stratum), draws, length)
    mean = BootstrapMean(
        sum_of_draws([drawn], start),
        first=origin + start * grid.step,
        step=grid.step,
        is_exact=grid.is_exact,
        unmoved=float((1.0 - np.count_nonzero(stratum.units) / stratum.n) ** draws),
    )
    return mean.at_most_zero(), mean.at_least_zero()


@dataclass(frozen=True)
class _Grid:
    """Evenly spaced points for weighted sums: every possible one, or a coarser lattice.

    The exact lattice begins with the first query of each stratum drawn n times. The coarse one
    passes through zero: unchanged queries are never split, and a swap of the two systems mirrors
    the lattice too.
    """

    step: Fraction
    is_exact: bool

    def origin(self, differences: Differences) -> Fraction:
        """The sum that point 0 stands for."""
        fixed = [s for s in differences.strata if self.is_exact or len(s.values[0]) == 1]
        return sum((s.n * s.weight * int(s.units[0]) for s in fixed), Fraction(0))

    def window(self, differences: Differences, reach: tuple[float, float]) -> tuple[int, int]:
        """The first point, and how many hold all but a negligible chance."""
        middle = differences.mean - self.origin(differences)
        first = math.floor((middle - Fraction(reach[0])) / self.step)
        return first, math.ceil((middle + Fraction(reach[1])) / self.step) - first + 1

    def place(self, values: Values, stratum: Stratum) -> tuple[Units, Floats]:
        """The points that the stratum's values lie on, and the chance that one draw has each."""
        units, counts = values
        chances = counts / stratum.n
        scale = stratum.weight / self.step
        if self.is_exact:
            offsets = units - int(stratum.units[0])
            return offsets // scale.denominator * scale.numerator, chances
        positions = units * float(scale)
        lower = np.floor(positions)
        points = lower.astype(np.int64)
        return (
            np.concatenate((points, points + 1)),
            np.concatenate((chances * (1.0 + lower - positions), chances * (positions - lower))),
        )


def _grid(moving: Sequence[Stratum], width: float, changed: int) -> _Grid:
    step = common_step(s.weight * int(np.gcd.reduce(s.values[0] - s.values[0][0])) for s in moving)
    if width / step < _MOST_POINTS[changed <= _FEW_CHANGED]:
        return _Grid(step, is_exact=True)
    return _Grid(Fraction(width / _COARSE_POINTS), is_exact=False)


def _mean(differences: Differences, grid: _Grid, first: int, sums: LatticeSum) -> BootstrapMean:
    unmoved = math.prod((1.0 - np.count_nonzero(s.units) / s.n) ** s.n for s in differences.strata)
    return BootstrapMean(
        sums,
        first=(grid.origin(differences) + first * grid.step) * differences.quantum,
        step=grid.step * differences.quantum,
        is_exact=grid.is_exact,
        unmoved=float(unmoved),
    )


def _certain(differences: Differences) -> BootstrapMean:
    mean = differences.mean * differences.quantum
    return BootstrapMean(_Certain(), mean, differences.quantum, is_exact=True, unmoved=0.0)


def bootstrap_tails(strata: Sequence[Stratum]) -> tuple[float, float]:
    """How far below and above its mean the weighted sum of all draws may lie, in quanta.

    The smallest of Bernstein's bound, Chernoff's where it is cheap, and the support itself.
    """
    deviations = [(s.values[0] - s.units.mean()) * float(s.weight) for s in strata]
    return (
        _upper_tail([-deviation for deviation in deviations], strata),
        _upper_tail(deviations, strata),
    )


def _upper_tail(deviations: Sequence[Floats], strata: Sequence[Stratum]) -> float:
    variance = math.fsum(
        float(s.values[1] @ deviation**2) for deviation, s in zip(deviations, strata, strict=True)
    )
    if variance == 0.0:
        return 0.0
    largest = max(float(deviation.max()) for deviation in deviations)
    support = math.fsum(
        s.n * float(deviation.max()) for deviation, s in zip(deviations, strata, strict=True)
    )
    linear = largest * _EXPONENT / 3.0
    bernstein = linear + math.sqrt(linear**2 + 2.0 * _EXPONENT * variance)
    bound = min(bernstein, support)
    if sum(len(deviation) for deviation in deviations) > _MANY_VALUES:
        return bound
    # Any slope gives a valid bound; the best one lies above Bernstein's.
    slopes = _SLOPES * bernstein / (variance + linear * bernstein / _EXPONENT)
    logs = np.zeros_like(slopes)
    for deviation, stratum in zip(deviations, strata, strict=True):
        exponents = np.multiply.outer(slopes, deviation)
        peaks = exponents.max(axis=1, keepdims=True)
        chances = stratum.values[1] / stratum.n
        logs += stratum.n * (peaks[:, 0] + np.log(np.exp(exponents - peaks) @ chances))
    return min(bound, float(((logs + _EXPONENT) / slopes).min()))
