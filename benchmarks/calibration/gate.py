"""The gate's own decisions, asked for thousands of times.

Most replicates of a harmless change are nowhere near significance. Where that is certain without
the exact test, the test is skipped; the decision is the one it would have made. Of the two parts
of p the cheaper one is asked first, and the other only where the first leaves the question open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from pytest_beir.gate.bootstrap import bootstrap
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.evidence import SAME_EFFECT, TOLERANCE
from pytest_beir.gate.family import Limits
from pytest_beir.gate.signflip import sign_flip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.calibration.pairs import Units

HIGHEST = 0.05  # no level above it is asked for, unless it is named
_ONE_SIGMA = 3 / 32  # Dvořák and Klein (2022): a random-sign sum reaches one sigma this often
_BERRY_ESSEEN = 0.56  # Shevtsova (2010), summands of unlike distributions
SMALLEST = 1e-12
_CHEAP_FLIPS = 64  # changed queries: beyond, the bootstrap is the cheaper part


@dataclass(frozen=True)
class Drop:
    """Both parts of p_drop; `p` is their maximum."""

    p_bootstrap: float
    p_signflip: float

    @property
    def p(self) -> float:
        return max(self.p_bootstrap, self.p_signflip)


def differences(units: Units) -> Differences:
    return Differences((Stratum(units, Fraction(1, len(units))),))


def both_parts(units: Units) -> Drop:
    """Both parts in full."""
    each = differences(units)
    return Drop(
        min(1.0, max(SMALLEST, bootstrap(each).at_least_zero())),
        min(1.0, max(SMALLEST, sign_flip(each).drop)),
    )


def p_drop(units: Units, highest: float = HIGHEST) -> float:
    """p_drop where it is at most `highest`, and otherwise some number above it."""
    if is_surely_harmless(units, highest):
        return 1.0
    return p_drop_of(differences(units), highest)


def p_drop_of(each: Differences, highest: float = HIGHEST) -> float:
    """The same for any strata, without the shortcut."""
    parts = [_p_signflip, _p_bootstrap]
    if each.changed > _CHEAP_FLIPS:
        parts.reverse()
    p = SMALLEST
    for part in parts:
        p = max(p, part(each))
        if p > highest + TOLERANCE:
            return 1.0
    return p


def _p_signflip(each: Differences) -> float:
    return sign_flip(each).drop


def _p_bootstrap(each: Differences) -> float:
    return bootstrap(each).at_least_zero()


def is_surely_harmless(units: NDArray[np.generic], level: float = HIGHEST) -> bool:
    """Whether the sign-flip p is certainly above `level`, from moments alone.

    `units` may carry weights. The bounds are those of the literature on sums of fair signs.
    """
    values = units.astype(np.float64)
    size = math.sqrt(float(values @ values))
    total = float(values.sum())
    if total >= 0.0 or size == 0.0:
        return True
    z = -total / size
    if z <= 1.0:
        return level < _ONE_SIGMA
    # p >= Phi(-z) - error, and the bootstrap cannot lower the maximum of both.
    error = _BERRY_ESSEEN * float((np.abs(values) ** 3).sum()) / size**3
    return float(ndtr(-z)) - error > level


def is_regressed(units: Units, level: float, limits: Limits) -> bool:
    """The verdict `regressed`, `limits` being effective ones."""
    return falls(units, limits) and p_drop(units, level) <= level + TOLERANCE


def falls(units: Units, limits: Limits) -> bool:
    """Whether the mean fell by enough to matter."""
    return bool(units.mean() / 1e4 <= -limits.min_effect + SAME_EFFECT)


def limits(mean: float) -> Limits:
    """The default limits, capped for a baseline of this mean."""
    return Limits().effective(mean)


def agrees_with_the_verdict(units: Units, level: float, effective: Limits) -> bool:
    """Whether the shortcuts decide as `compare_scores` does on the same differences."""
    full = compare_scores(
        [0.0] * len(units),
        (units / 1e4).tolist(),
        alpha=level,
        min_effect=effective.min_effect,
        margin=effective.margin,
    )
    return (full.verdict == "regressed") == is_regressed(units, level, effective)
