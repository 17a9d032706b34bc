"""How far a bootstrap sum can stray: bounds that leave out a negligible chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.gate.differences import Floats, Stratum

_EXPONENT = 28.0  # each tail holds less than exp(-28), and in practice a twentieth of that
_MANY_VALUES = 4096  # beyond, Bernstein's bound is near enough and much cheaper
_SLOPES = np.geomspace(0.7, 8.0, 12)


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
