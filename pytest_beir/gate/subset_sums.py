"""The sum of a random half: every magnitude counts or not by a fair coin.

Each function gives the chance that such a sum is at most each of `points`. They differ in what
makes them cheap: few magnitudes, a short lattice, or many ties.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.gate.differences import Floats

_MOST_SUMS = 2**16  # distinct sums of half the magnitudes that enumeration may hold
_SPLIT_POINTS = 2**17  # of the lattice that stands for magnitudes without a common one
_BITS = 50.0
_NEGLIGIBLE = 2.0**-_BITS  # of a characteristic function
_SAME = 1e-12  # relative distance below which two sums of floats are one
_SPREAD = 8.0  # standard deviations, beyond which Hoeffding leaves less than 3e-14


def convolution_work(magnitudes: Floats, points: Floats) -> float:
    """About how many additions `by_convolution` takes."""
    return float(np.minimum(np.sort(magnitudes).cumsum(), points.max()).sum())


def by_convolution(magnitudes: Floats, points: Floats) -> Floats:
    """Exact for whole-numbered magnitudes; work grows with their number times their sum."""
    top = int(min(magnitudes.sum(), max(0.0, math.floor(points.max()))))
    mass = _convolve(magnitudes.astype(np.int64), top)
    places = np.clip(np.floor(points), -1, top).astype(np.int64)
    cumulated: Floats = np.append(mass.cumsum(), 0.0)[places]
    return cumulated


def by_splitting(magnitudes: Floats, points: Floats) -> Floats:
    """Like `by_convolution` for any magnitudes, on a lattice of 2^17 points.

    A magnitude between two points is put on either so that its mean stays.
    """
    step = float(magnitudes.sum()) / _SPLIT_POINTS
    lower = np.floor(magnitudes / step)
    mass = _convolve(
        lower.astype(np.int64),
        _SPLIT_POINTS + len(magnitudes),
        upper_shares=magnitudes / step - lower,
    )
    edges = np.arange(len(mass) + 1) - 0.5  # a point stands for all within half a step
    cumulated: Floats = np.interp(points / step, edges, np.append(0.0, mass.cumsum()))
    return cumulated


def by_enumeration(magnitudes: Floats, points: Floats) -> Floats | None:
    """Exact for any magnitudes with few distinct sums, None where there are too many.

    The sums of two halves are listed, equal ones merged, and matched (meeting in the middle).
    """
    ordered = np.sort(magnitudes)
    tolerance = _SAME * float(magnitudes.sum())
    halves = [_distinct_sums(part, tolerance) for part in (ordered[::2], ordered[1::2])]
    if halves[0] is None or halves[1] is None:
        return None
    (sums, chances), (others, other_chances) = halves[0], halves[1]
    cumulated = np.append(0.0, other_chances.cumsum())
    return np.array(
        [
            chances @ cumulated[np.searchsorted(others, point - sums, side="right")]
            for point in points
        ]
    )


def inversion_work(magnitudes: Floats, counts: NDArray[np.intp]) -> float:
    """About how many cosines `by_inversion` takes."""
    ranked = np.sort(counts)[::-1].cumsum()
    factors = int(np.searchsorted(ranked, _BITS)) + 1
    share = _near_multiple(int(counts.max())) / (math.pi / 2.0)
    return _SPREAD / 2.0 * math.sqrt(float(counts @ magnitudes**2)) * share * factors / 2.0


def by_inversion(magnitudes: Floats, counts: NDArray[np.intp], points: Floats) -> Floats:
    """Exact to 1e-13 for whole-numbered magnitudes, each given once with its count.

    The characteristic function of the centred sum is a product of cosines. Only frequencies at
    which it is not negligible matter, and with many ties the commonest magnitudes leave few.
    """
    total = float(counts @ magnitudes)
    spread = math.sqrt(float(counts @ magnitudes**2)) / 2.0
    length = 2 * math.ceil(_SPREAD * spread) + 2
    length += (length + int(total) + 1) % 2  # the window's ends then lie between two sums
    ranked = np.argsort(-counts, kind="stable")
    frequencies = _candidates(float(magnitudes[ranked[0]]), int(counts[ranked[0]]), length)
    product = np.ones_like(frequencies)
    for index in ranked:
        product *= _power(np.cos(frequencies * magnitudes[index]), int(counts[index]))
        alive = np.abs(product) > _NEGLIGIBLE
        if np.count_nonzero(alive) < 0.9 * len(alive):  # copying has its price
            frequencies, product = frequencies[alive], product[alive]
    weights = product / np.sin(frequencies)
    offsets = np.floor(points) + 0.5 - total / 2.0
    waves = np.sin(np.multiply.outer(2.0 * offsets, frequencies)) @ weights
    result = (offsets + length / 2.0 + waves) / length
    inside: Floats = np.where(
        np.abs(offsets) < length / 2.0, np.clip(result, 0.0, 1.0), offsets > 0
    )
    return inside


def _near_multiple(count: int) -> float:
    """How far from a multiple of pi the cosine's power is not yet negligible."""
    return math.acos(_NEGLIGIBLE ** (1.0 / count))


def _candidates(magnitude: float, count: int, length: int) -> Floats:
    """Frequencies at which the commonest magnitude alone leaves more than nothing."""
    most = length // 2
    period = length / magnitude
    reach = math.ceil(period * _near_multiple(count) / math.pi + 0.5)  # centres are rounded
    nodes = np.arange(1.0, most + 1.0)
    if 2 * (reach + 1) <= period:  # else neighbours would overlap
        centres = np.rint(np.arange(math.floor(most / period) + 2.0) * period)
        near = np.add.outer(centres, np.arange(-reach, reach + 1.0)).ravel()
        nodes = near[(near >= 1.0) & (near <= most)]
    frequencies: Floats = nodes * (math.pi / length)
    return frequencies


def _power(base: Floats, exponent: int) -> Floats:
    """A whole power by repeated squaring, many times faster than numpy's own; may reuse `base`."""
    result: Floats | None = None
    while True:
        if exponent & 1:
            result = base.copy() if result is None else result * base
        exponent >>= 1
        if not exponent:
            return base if result is None else result
        base *= base


def _convolve(
    positions: NDArray[np.int64], top: int, *, upper_shares: Floats | None = None
) -> Floats:
    """Chances of the sums 0 to `top`; a share of a magnitude may lie one point higher."""
    mass = np.zeros(top + 1)
    mass[0] = 1.0
    reach = 0
    order = np.argsort(positions)
    if upper_shares is None:
        for position in positions[order].tolist():
            reach = min(top, reach + position)
            if position <= reach:
                mass[position : reach + 1] += mass[: reach + 1 - position]
        return np.ldexp(mass, -len(positions))
    for position, share in zip(
        positions[order].tolist(), upper_shares[order].tolist(), strict=True
    ):
        before = mass[: reach + 1].copy()
        reach += position + 1
        mass[position : position + len(before)] += (1.0 - share) * before
        mass[position + 1 : position + 1 + len(before)] += share * before
    return np.ldexp(mass, -len(positions))


def _distinct_sums(magnitudes: Floats, tolerance: float) -> tuple[Floats, Floats] | None:
    sums, chances = np.zeros(1), np.ones(1)
    for magnitude in magnitudes.tolist():
        sums = np.concatenate((sums, sums + magnitude))
        chances = np.concatenate((chances, chances)) * 0.5
        order = np.argsort(sums, kind="stable")  # merges two sorted runs
        sums, chances = sums[order], chances[order]
        starts = np.flatnonzero(np.diff(sums, prepend=-np.inf) > tolerance)
        sums, chances = sums[starts], np.add.reduceat(chances, starts)
        if len(sums) > _MOST_SUMS:
            return None
    return sums, chances
