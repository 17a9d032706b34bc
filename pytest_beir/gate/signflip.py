"""The sign-flip test: the share of sign assignments whose sum is as low as the one observed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.gate.log_factorials import log_factorials
from pytest_beir.gate.saddlepoint import signed_sum_at_most
from pytest_beir.gate.spectrum import common_step
from pytest_beir.gate.subset_sums import (
    by_convolution,
    by_enumeration,
    by_inversion,
    by_splitting,
    convolution_work,
    inversion_work,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.gate.differences import Differences, Floats

_FEW_CHANGED = 64
_SHORT_LATTICE = 2**21  # points: 64 magnitudes of up to 1.0 need a third of it
_EXACT_FLOATS = 2.0**52
_MOST_CONVOLVED = 1000  # 2^m must stay a float
_CHEAP_ADDITIONS = 2**23
_CHEAP_COSINES, _MOST_COSINES = 2**17, 2**20
_LUMPY = 32
_LIKELY = 1e-17  # binomial counts that are rarer are left out
_MOST_CONDITIONS = 4096
_OUTLIER_SHARE = 1 / 8  # of the remaining sum of squares


@dataclass(frozen=True)
class SignFlip:
    """Shares of the 2^m assignments with a sum as low (drop) or as high (gain) as observed."""

    drop: float
    gain: float


def sign_flip(differences: Differences) -> SignFlip:
    """Both tails of the sign-flip distribution of the (weighted) sum of differences.

    A sum of signed magnitudes is as low as the observed one when the magnitudes that are
    flipped to a gain sum to no more than the observed gains do. So p_drop is the distribution
    function of a random half's sum at the gains, and p_gain the same at the losses.
    """
    worse, better = differences.worse, differences.better
    if worse == 0 or better == 0:
        return SignFlip(
            drop=math.ldexp(1.0, -worse) if better == 0 else 1.0,
            gain=math.ldexp(1.0, -better) if worse == 0 else 1.0,
        )
    magnitudes, is_lattice = _magnitudes(differences)
    gains = float(magnitudes[magnitudes > 0].sum())
    losses = -float(magnitudes[magnitudes < 0].sum())
    magnitudes = np.abs(magnitudes)
    tolerance = 0.5 if is_lattice else 1e-9 * (gains + losses)
    smaller = min(gains, losses)
    # The larger tail is what lies not below the smaller sum, since a random half and the other
    # half are distributed alike: so one short distribution serves both.
    below, at_most = _half_sum_at_most(
        magnitudes, np.array([smaller - tolerance, smaller + tolerance]), is_lattice=is_lattice
    ).tolist()
    if gains < losses:
        return SignFlip(drop=at_most, gain=1.0 - below)
    return SignFlip(drop=1.0 - below, gain=at_most)


def _magnitudes(differences: Differences) -> tuple[Floats, bool]:
    """Weighted differences that are not zero, as whole numbers where floats can hold them."""
    changed = [
        (stratum.units[stratum.units != 0], stratum.weight) for stratum in differences.strata
    ]
    changed = [(units, weight) for units, weight in changed if len(units)]
    step = common_step([weight * int(np.gcd.reduce(units)) for units, weight in changed])
    total = sum(
        (weight / step * int(np.abs(units).sum()) for units, weight in changed), Fraction(0)
    )
    is_lattice = total < _EXACT_FLOATS
    parts = [units * float(weight / step) for units, weight in changed]
    magnitudes = np.concatenate([np.rint(part) if is_lattice else part for part in parts])
    return magnitudes, is_lattice


def _half_sum_at_most(magnitudes: Floats, points: Floats, *, is_lattice: bool) -> Floats:
    is_short = is_lattice and float(magnitudes.sum()) < _SHORT_LATTICE
    if len(magnitudes) <= _FEW_CHANGED:
        if is_short:
            return by_convolution(magnitudes, points)
        enumerated = by_enumeration(magnitudes, points)
        if enumerated is not None:
            return enumerated
    distinct, counts = np.unique(magnitudes, return_counts=True)
    if is_lattice and len(magnitudes) - counts.max() > _FEW_CHANGED:
        # Few distinct magnitudes make lumps that a smooth formula misses by per cents.
        cosines = _CHEAP_COSINES if len(distinct) > _LUMPY else _MOST_COSINES
        if inversion_work(distinct, counts) < cosines:
            return by_inversion(distinct, counts, points)
        is_cheap = convolution_work(magnitudes, points) < _CHEAP_ADDITIONS
        if is_short and is_cheap and len(magnitudes) <= _MOST_CONVOLVED:
            return by_convolution(magnitudes, points)
    return _split_off_commonest(distinct, counts, points, is_lattice=is_lattice)


def _split_off_commonest(
    distinct: Floats, counts: NDArray[np.intp], points: Floats, *, is_lattice: bool
) -> Floats:
    """Condition on how often the commonest magnitude counts, which no smooth formula can follow.

    The few magnitudes that outweigh the rest are conditioned on as well.
    """
    commonest = int(np.argmax(counts))
    head, chances = _binomial_sums(float(distinct[commonest]), int(counts[commonest]))
    rest = np.repeat(np.delete(distinct, commonest), np.delete(counts, commonest))
    while len(rest) and rest[-1] ** 2 > _OUTLIER_SHARE * (rest @ rest):
        if 2 * len(head) > _MOST_CONDITIONS:
            break
        head = np.concatenate((head, head + rest[-1]))
        chances = np.concatenate((chances, chances)) / 2.0
        rest = rest[:-1]
    remaining = np.subtract.outer(points, head).ravel()
    if len(rest) > _FEW_CHANGED:
        at_most = signed_sum_at_most(
            *np.unique(rest, return_counts=True), 2.0 * remaining - float(rest.sum())
        )
    elif len(rest):
        is_short = is_lattice and float(rest.sum()) < _SHORT_LATTICE
        at_most = (by_convolution if is_short else by_splitting)(rest, remaining)
    else:
        at_most = (remaining >= 0.0).astype(np.float64)
    return at_most.reshape(len(points), len(head)) @ chances


def _binomial_sums(magnitude: float, count: int) -> tuple[Floats, Floats]:
    """How much equal magnitudes may add, and the chances, the negligible ones left out."""
    hits = np.arange(count + 1.0)
    logs = log_factorials(count)
    chances = np.exp(logs[-1] - logs - logs[::-1] - count * math.log(2.0))
    kept = chances > _LIKELY
    return hits[kept] * magnitude, chances[kept] / chances[kept].sum()
