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

from pytest_beir.gate.bootstrap_grid import bootstrap_tails, grid_of
from pytest_beir.gate.spectrum import Draws, LatticeSum, fast_length, sum_of_draws

if TYPE_CHECKING:
    from pytest_beir.gate.bootstrap_grid import Grid
    from pytest_beir.gate.differences import Differences


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
class Certain:
    """The whole chance on one point."""

    point: int = 0

    def at_most(self, point: int) -> float:
        """The chance of this point or a smaller one."""
        return float(point >= self.point)

    def quantile(self, q: float) -> int:  # noqa: ARG002 - the same for every q
        """The point itself."""
        return self.point


def bootstrap(differences: Differences) -> BootstrapMean:
    """The mean of queries redrawn with replacement within each stratum, at infinitely many draws.

    Exact to about 1e-12 while the lattice of possible means fits the window. Beyond, differences
    are split between the two neighbouring points of a coarser lattice so that each keeps its mean
    (rounding them instead would move p by thousandths at ten thousand queries).
    """
    moving = [stratum for stratum in differences.strata if len(stratum.values[0]) > 1]
    if not moving:
        return certain_mean(differences)
    # The transform of the widest stratum leaves the fewest frequencies for the others.
    moving.sort(key=lambda s: float(s.weight) ** 2 * s.n * float(s.units.var()), reverse=True)
    reach = bootstrap_tails(moving)
    grid = grid_of(moving, sum(reach), differences.changed)
    first, points = grid.window(differences, reach)
    length = fast_length(points)
    draws = [Draws.of(*grid.place(s.values, s), s.n, length) for s in moving]
    return mean_on(differences, grid, first, sum_of_draws(draws, first))


def mean_on(differences: Differences, grid: Grid, first: int, sums: LatticeSum) -> BootstrapMean:
    """The mean whose chances are `sums`, on the grid from its point `first` on."""
    unmoved = math.prod((1.0 - np.count_nonzero(s.units) / s.n) ** s.n for s in differences.strata)
    return BootstrapMean(
        sums,
        first=(grid.origin(differences) + first * grid.step) * differences.quantum,
        step=grid.step * differences.quantum,
        is_exact=grid.is_exact,
        unmoved=float(unmoved),
    )


def certain_mean(differences: Differences) -> BootstrapMean:
    """The mean where every draw is the same."""
    mean = differences.mean * differences.quantum
    return BootstrapMean(Certain(), mean, differences.quantum, is_exact=True, unmoved=0.0)
