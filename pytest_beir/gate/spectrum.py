"""Distributions of sums of many independent draws on a lattice, through their transforms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from pytest_beir.gate.differences import Floats, Units

    Complex = NDArray[np.complex128]

TIE = 1e-12  # what a transform's noise may hide of an exact tie
_NEGLIGIBLE = 1e-16  # of a transform's modulus
_FEW_FREQUENCIES = 1024
_WORTHWHILE = 8  # so many times fewer frequencies than points pay for summing them one by one
_BLOCK = 1024


def common_step(sizes: Iterable[Fraction]) -> Fraction:
    """The largest fraction of which every size is a whole multiple."""
    return reduce(_common_step_of_two, sizes)


def fast_length(points: int) -> int:
    """The next number of points, from `points` on, whose transform is fast: 2^a 3^b 5^c."""
    fast = 1 << max(0, points - 1).bit_length()
    fives = 1
    while fives < fast:
        threes = fives
        while threes < fast:
            twos = (max(0, -(-points // threes) - 1)).bit_length()
            fast = min(fast, threes << twos)
            threes *= 3
        fives *= 5
    return fast


def _common_step_of_two(one: Fraction, other: Fraction) -> Fraction:
    return Fraction(
        math.gcd(one.numerator * other.denominator, other.numerator * one.denominator),
        one.denominator * other.denominator,
    )


@lru_cache(maxsize=1)
def _keep_large_blocks() -> None:
    """Have large arrays reused: mapping them afresh costs more than the transforms.

    Having freed one block this large, glibc keeps such blocks (mallopt(3), M_MMAP_THRESHOLD).
    """
    np.empty(2**21)


class LatticeSum(Protocol):
    """A distribution on the points 0, 1, … of a window."""

    def at_most(self, point: int) -> float:
        """The chance of the points up to and with this one; any whole number is allowed."""
        ...

    def quantile(self, q: float) -> int:
        """The first point at which the cumulated chance reaches q."""
        ...


@dataclass(frozen=True)
class Draws:
    """`n` independent draws from one distribution over a cycle of points."""

    transform: Complex
    n: int
    length: int

    @classmethod
    def of(cls, points: Units, chances: Floats, n: int, length: int) -> Draws:
        _keep_large_blocks()
        mass = np.zeros(length)
        np.add.at(mass, points % length, chances)
        return cls(np.fft.rfft(mass), n, length)

    def with_one_more(self, points: Units, chances: Floats) -> Draws:
        """One draw more, from the distribution to which one further value is added evenly.

        That value lies on one point, or with some chance on each of several.
        """
        transform = self.transform * (self.n / (self.n + 1))
        for point, chance in zip(points.tolist(), chances.tolist(), strict=True):
            if chance:
                transform += _phases(point, self.length, chance / (self.n + 1))
        return Draws(transform, self.n + 1, self.length)

    def fewer(self, n: int) -> Draws:
        """The same distribution, drawn from another number of times."""
        return Draws(self.transform, n, self.length)


def sum_of_draws(draws: Sequence[Draws], first: int) -> LatticeSum:
    """The sum of all draws, which are independent and share a cycle.

    A point of the cycle stands for all that differ by its length: the window of that length that
    begins at `first` must hold all but a negligible chance. Give the widest distribution first.
    """
    alive: NDArray[np.intp] | None = None
    product: Complex | None = None
    for draw in draws:
        base = draw.transform
        if alive is None:
            modulus = base.real**2 + base.imag**2
            kept = modulus > _NEGLIGIBLE ** (2.0 / draw.n)
            if np.count_nonzero(kept) <= min(_FEW_FREQUENCIES, len(base) // _WORTHWHILE):
                alive = np.flatnonzero(kept)
                product = None if product is None else product[alive]
        power = _power(base.copy() if alive is None else base[alive], draw.n)
        product = power if product is None else np.multiply(product, power, out=product)
    if product is None:
        raise ValueError("there are no draws to sum")
    length = draws[0].length
    if alive is None:
        return DenseSum(np.roll(np.fft.irfft(product, length), -(first % length)))
    return SparseSum.of(product, alive, first, length)


@dataclass(frozen=True)
class DenseSum:
    """Every point's chance, for transforms that vanish nowhere."""

    chances: Floats

    def at_most(self, point: int) -> float:
        return float(self.chances[: max(0, point + 1)].sum())

    def quantile(self, q: float) -> int:
        # A running sum over all points is slow; one over blocks finds the block first.
        starts = np.arange(0, len(self.chances), _BLOCK)
        cumulated = np.add.reduceat(self.chances, starts).cumsum()
        block = int(np.argmax(cumulated >= q - TIE))
        before = float(cumulated[block - 1]) if block else 0.0
        start = int(starts[block])
        within = before + self.chances[start : start + _BLOCK].cumsum()
        return start + int(np.argmax(within >= q - TIE))


@dataclass(frozen=True)
class SparseSum:
    """The few frequencies that matter, for the smooth distributions of many draws."""

    angles: Floats
    weights: Complex
    length: int

    @classmethod
    def of(
        cls, transform: Complex, frequencies: NDArray[np.intp], first: int, length: int
    ) -> SparseSum:
        """From a transform's values at the frequencies that matter, zero among them."""
        turns, values = frequencies[1:], transform[1:]
        angles = (turns * (2.0 * np.pi / length)).astype(np.float64, copy=False)
        shift = np.exp(turns * (first % length) % length * (2j * np.pi / length))
        both_signs = np.where(2 * turns == length, 1.0, 2.0)
        # The inverse transform summed over the points 0 to p is a geometric series.
        weights = both_signs * values * shift / (length * -np.expm1(1j * angles))
        return cls(angles, weights, length)

    def at_most(self, point: int) -> float:
        points = min(max(point + 1, 0), self.length)
        waves = self.weights @ -np.expm1(1j * (self.angles * points))
        return points / self.length + float(waves.real)

    def quantile(self, q: float) -> int:
        low, high = -1, self.length - 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.at_most(middle) >= q - TIE:
                high = middle
            else:
                low = middle
        return high


def _power(base: Complex, exponent: int) -> Complex:
    """`base` to a whole power by repeated squaring; overwrites `base`."""
    result: Complex | None = None
    for bit in range(exponent.bit_length()):
        if bit:
            np.multiply(base, base, out=base)
        if exponent >> bit & 1:
            result = base.copy() if result is None else np.multiply(result, base, out=result)
    return base if result is None else result


def _phases(point: int, length: int, scale: float) -> Complex:
    """The transform of one point, from two short tables instead of many sines."""
    angle = -2j * np.pi / length
    fine = scale * np.exp(angle * (np.arange(_BLOCK) * point % length))
    coarse = np.exp(angle * (np.arange(length // 2 // _BLOCK + 1) * _BLOCK * point % length))
    phases: Complex = np.multiply.outer(coarse, fine).ravel()[: length // 2 + 1]
    return phases
