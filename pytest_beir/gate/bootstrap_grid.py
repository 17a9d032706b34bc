"""The points that a bootstrap's mean can lie on, or may be counted as lying on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.gate.spectrum import common_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.gate.differences import Differences, Floats, Stratum, Units, Values


_FEW_CHANGED = 64
_MOST_POINTS = {True: 2**21, False: 2**17}  # of an exact window: few changed queries or many
_COARSE_POINTS = 2**17
_EXPONENT = 28.0  # each tail holds less than exp(-28), and in practice a twentieth of that
_MANY_VALUES = 4096  # beyond, Bernstein's bound is near enough and much cheaper
_SLOPES = np.geomspace(0.7, 8.0, 12)


@dataclass(frozen=True)
class Grid:
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


def grid_of(moving: Sequence[Stratum], width: float, changed: int) -> Grid:
    """The exact lattice where a window of that width holds it, else a coarser one."""
    step = common_step(s.weight * int(np.gcd.reduce(s.values[0] - s.values[0][0])) for s in moving)
    if width / step < _MOST_POINTS[changed <= _FEW_CHANGED]:
        return Grid(step, is_exact=True)
    return Grid(Fraction(width / _COARSE_POINTS), is_exact=False)


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
