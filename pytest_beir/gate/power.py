"""What so many queries can detect, and which verdicts they can reach at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.verdicts import Verdict

TYPICAL = {"parameter": 0.08, "analyser": 0.16, "system": 0.33}
"""Usual standard deviations of a query's difference: after a changed parameter, with another
analyser, with another system."""

FEWEST_QUERIES = 30  # for `within tolerance`
_POWER = 0.8
_CONFIDENCE = 0.95
_TOLERANCE = 1e-9  # of a count that floats put just above a whole number


@dataclass(frozen=True)
class Sight:
    """What a test sees of changes of one kind, whose differences have the deviation `sd`.

    `mde` is the drop found four times in five. `to_detect` and `to_exclude` are the queries with
    which, four times in five, a drop of the margin is found, or is excluded where there is none;
    None where the margin is 0.
    """

    kind: str
    sd: float
    mde: float
    to_detect: int | None
    to_exclude: int | None
    detects_margin: bool
    excludes_margin: bool


@dataclass(frozen=True)
class Power:
    """What one test can tell with `n` queries at the level `alpha`.

    `fewest_changed` is how many queries must change for any p to reach `alpha`. `out_of_reach`
    are verdicts that no outcome can bring about.
    """

    n: int
    alpha: float
    margin: float
    fewest_changed: int
    out_of_reach: tuple[Verdict, ...]
    sights: tuple[Sight, ...]


def power(
    *members: Sequence[int], alpha: float, margin: float, observed: float | None = None
) -> Power:
    """The power of a test at `alpha`: of one dataset, or of the average of several members.

    A member is its numbers of queries: one, or one for each part of a divided dataset. `margin` is
    in metric units, capped already. `observed` is the deviation of differences that were seen,
    beside the typical ones.
    """
    n = sum(size for parts in members for size in parts)
    effective = effective_size(*members)
    kinds = TYPICAL | ({"observed": observed} if observed else {})
    needed = fewest_changed(alpha)
    out_of_reach: list[Verdict] = ["regressed", "improved"] if n < needed else []
    if n < FEWEST_QUERIES:
        out_of_reach.append("within tolerance")
    return Power(
        n=n,
        alpha=alpha,
        margin=margin,
        fewest_changed=needed,
        out_of_reach=tuple(out_of_reach),
        sights=tuple(
            _sight(kind, sd, n, effective, alpha=alpha, margin=margin) for kind, sd in kinds.items()
        ),
    )


def detectable_drop(sd: float, n: float, alpha: float) -> float:
    """The drop that is found four times in five: (z(1-α) + z(.8)) · sd / √n."""
    return _z_sum(1.0 - alpha) * sd / math.sqrt(n)


def fewest_changed(alpha: float) -> int:
    """How many queries must change for p, which is never below 2^-changed, to reach `alpha`."""
    return max(1, math.ceil(math.log2(1.0 / alpha) - _TOLERANCE))


def effective_size(*members: Sequence[int]) -> float:
    """How many queries of one undivided dataset tell as much as these, if all vary alike."""
    return _harmonic([_harmonic(parts) for parts in members])


def _harmonic(sizes: Sequence[float]) -> float:
    # The variance of a mean of D means is the sum of 1/n over D squared.
    return len(sizes) ** 2 / math.fsum(1.0 / size for size in sizes)


def _sight(kind: str, sd: float, n: int, effective: float, *, alpha: float, margin: float) -> Sight:
    mde = detectable_drop(sd, effective, alpha)
    # Parts that keep their proportions need more queries than an undivided dataset.
    scale = n / effective
    if margin <= 0.0:
        return Sight(kind, sd, mde, None, None, detects_margin=False, excludes_margin=False)
    to_detect = _queries(_z_sum(1.0 - alpha), sd, margin, scale)
    to_exclude = max(FEWEST_QUERIES, _queries(_z_sum(_CONFIDENCE), sd, margin, scale))
    return Sight(kind, sd, mde, to_detect, to_exclude, n >= to_detect, n >= to_exclude)


def _queries(z_sum: float, sd: float, margin: float, scale: float) -> int:
    return max(1, math.ceil(scale * (z_sum * sd / margin) ** 2 - _TOLERANCE))


def _z_sum(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(confidence) + ndtri(_POWER))
