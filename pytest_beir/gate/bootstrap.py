"""The exact distribution of the paired bootstrap's mean, without a single random number.

The sum of n draws with replacement is the n-fold convolution of the differences' empirical
distribution. On a lattice that is a power of its Fourier transform, and strata multiply.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from scipy.fft import next_fast_len

from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.lattice import common_step
from pytest_beir.gate.spectrum import Draws, LatticeSum, sum_of_draws
from pytest_beir.gate.tails import bootstrap_tails

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.gate.differences import Floats, Units, Values

_FEW_CHANGED = 64
_MOST_POINTS = {True: 2**21, False: 2**17}  # of an exact window: few changed queries or many
_COARSE_POINTS = 2**17


@dataclass(frozen=True)
class BootstrapMean:
    """The bootstrap mean's distribution: point i of `sums` is the mean `first + i * step`.

    `first` and `step` are in metric units. On the exact lattice (`is_exact`) every point is a
    mean that can occur; otherwise a point stands for the means within half a step of it, but for
    `unmoved`, the chance that only unchanged queries are drawn and the mean is zero itself.
    """

    sums: LatticeSum
    first: Fraction
    step: Fraction
    is_exact: bool
    unmoved: float

    def at_most_zero(self) -> float:
        """The chance of a mean of zero or less."""
        zero = -self.first / self.step
        if self.is_exact:
            return self.sums.at_most(math.floor(zero))
        return self._below(zero) + self.unmoved / 2.0

    def at_least_zero(self) -> float:
        """The chance of a mean of zero or more."""
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


def bootstrap_with_one_more(differences: Differences) -> tuple[BootstrapMean, BootstrapMean]:
    """The bootstrap of one stratum, and the same with one query added: n + 1 draws from n + 1.

    The added one is as bad as the worst seen, or unchanged if none is worse.
    """
    (stratum,) = differences.strata
    worst = min(0, int(stratum.units.min()))
    extended = Stratum(np.append(stratum.units, worst), Fraction(1, stratum.n + 1))
    more = Differences((extended,), differences.quantum)
    if len(extended.values[0]) == 1:
        return _certain(differences), _certain(more)
    reach, more_reach = bootstrap_tails([stratum]), bootstrap_tails([extended])
    # In the unit of a sum both share one lattice, so one transform serves both. Its width is that
    # of the plain bootstrap, which a swap of the two systems does not change.
    spanned = Stratum(extended.units, stratum.weight)
    grid = _grid([spanned], sum(reach), differences.changed)
    more_grid = _Grid(grid.step * extended.weight / stratum.weight, grid.is_exact)
    first, points = grid.window(differences, reach)
    more_first, more_points = more_grid.window(more, more_reach)
    length = next_fast_len(max(points, more_points), real=True)
    draws = Draws.of(*grid.place(stratum.values, stratum), stratum.n, length)
    added = grid.place((np.array([worst]), np.array([stratum.n])), stratum)
    more_draws = draws.with_one_more(*added)
    return (
        _mean(differences, grid, first, sum_of_draws([draws], first)),
        _mean(more, more_grid, more_first, sum_of_draws([more_draws], more_first)),
    )


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
