"""What so many queries can detect, and which verdicts they can reach at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.verdicts import Verdict

CONFIDENCE = 0.95
POWER = 0.8

TYPICAL = {"parameter": 0.08, "analyser": 0.16, "system": 0.33}
"""Usual standard deviations of a query's difference: after a changed parameter, with another
analyser, with another system."""

FEWEST_QUERIES = 100
"""For `within tolerance`: fewer can miss what happens to one query in fifty. The chapter on it in
docs/calibration.md has the table that this number is taken from."""

TYPICAL_LOSS = 0.5
"""What a query that is lost altogether loses where no baseline's mean is known."""

_NORMAL = NormalDist()
_TOLERANCE = 1e-9  # of a count that floats put just above a whole number
_FLOOR_ERRORS = 2.0  # standard errors
_MOST_QUERIES = 10**12
_MOST_TIMES = 12  # one of n queries is drawn more often with a chance below 1e-10


@dataclass(frozen=True)
class Detectable:
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
    detectable: tuple[Detectable, ...]


def power(
    *members: Sequence[int],
    alpha: float,
    margin: float,
    observed: float | None = None,
    spread: float = 0.0,
    loss: float = TYPICAL_LOSS,
    effective: float | None = None,
) -> Power:
    """The power of a test at `alpha`: of one dataset, or of the average of several members.

    A member is its numbers of queries: one, or one for each part of a divided dataset. `margin` is
    in metric units, capped already. `observed` is the deviation of differences that were seen,
    beside the typical ones, and `spread` says how well it is known; `loss` is what one query more
    may lose, the baseline's mean.
    `effective` is as how many queries of one dataset they count, an average's by default.
    """
    n = sum(size for parts in members for size in parts)
    effective = effective_size(*members) if effective is None else effective
    kinds = {kind: (sd, 0.0) for kind, sd in TYPICAL.items()}
    if observed:
        kinds["observed"] = observed, spread
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
        detectable=tuple(
            _detectable(kind, *known, n, effective, alpha=alpha, margin=margin, loss=loss)
            for kind, known in kinds.items()
        ),
    )


def suggested_floor(mean: float, n: int) -> float:
    """A floor that a harmless change of analyser stays above in 97 of 100 cases, to two digits."""
    below = mean - _FLOOR_ERRORS * TYPICAL["analyser"] / math.sqrt(n)
    return max(0.0, math.floor(100.0 * below) / 100.0)


def detectable_drop(sd: float, n: float, alpha: float) -> float:
    """The drop that is found four times in five: (z(1-α) + z(.8)) · sd / √n."""
    return detectable_errors(alpha) * sd / math.sqrt(n)


def detectable_errors(alpha: float) -> float:
    """How many standard errors a drop has to be for a test at `alpha` to see it with `POWER`."""
    return _NORMAL.inv_cdf(POWER) - _NORMAL.inv_cdf(alpha)


def fewest_changed(alpha: float) -> int:
    """How many queries must change for p, which is never below 2^-changed, to reach `alpha`."""
    return max(1, math.ceil(math.log2(1.0 / alpha) - _TOLERANCE))


def effective_size(*members: Sequence[int]) -> float:
    """How many queries of one undivided dataset tell as much as these, if all vary alike."""
    return _harmonic([_harmonic(parts) for parts in members])


def diffuse_size(*members: Sequence[int]) -> float:
    """The same for the diffuse test, which weighs members by the root of their queries."""
    roots = [math.sqrt(_harmonic(parts)) for parts in members]
    return math.fsum(roots) ** 2 / len(roots)


def _harmonic(sizes: Sequence[float]) -> float:
    # The variance of a mean of D means is the sum of 1/n over D squared.
    return len(sizes) ** 2 / math.fsum(1.0 / size for size in sizes)


def queries_to_exclude(
    margin: float, sd: float, worst: float, *, spread: float = 0.0
) -> int | None:
    """So many queries that a drop of the margin is excluded, four times in five, if there is none.

    `sd` is the standard deviation of one query's difference and `worst` the difference of the one
    query more that the bound allows for, below zero; all in metric units. Where `sd` is estimated,
    `spread` is the relative variance of its square, and four in five holds over such estimates.
    None where it would take more than a million million.
    """
    # An estimate that is too low costs more of the promise than one too high wins. To second
    # order: with q = z(.95) + z(.8) the share kept is Phi(q x estimate / truth - z(.95)).
    quantile = _NORMAL.inv_cdf(POWER)
    sd *= 1.0 + (quantile * detectable_errors(1.0 - CONFIDENCE) + 1.0) / 8.0 * spread
    luck = quantile * sd

    def is_enough(n: int) -> bool:
        # The mean itself lies below 0 by so much in one sample of five.
        return _chance_below(luck / math.sqrt(n) - margin, n, sd, worst) <= 1.0 - CONFIDENCE

    few, enough = 1, 2
    while not is_enough(enough):
        few, enough = enough, 2 * enough
        if enough > _MOST_QUERIES:
            return None
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (few, middle) if is_enough(middle) else (middle, enough)
    return max(FEWEST_QUERIES, enough)


def _chance_below(mean: float, n: int, sd: float, worst: float) -> float:
    """Of a mean of n + 1 draws, from n queries that change by 0 on average and one of `worst`.

    How often the latter is drawn is binomial, and the mean of the others is near normal.
    """
    draws = n + 1
    chances = [math.exp(draws * math.log1p(-1.0 / draws))]
    for times in range(1, min(n, _MOST_TIMES) + 1):
        chances.append(chances[-1] * (draws - times + 1) / times / n)
    error = sd * math.sqrt(n) / draws
    return math.fsum(
        chance * _NORMAL.cdf((mean - times * worst / draws) / error)
        for times, chance in enumerate(chances)
    )


def _detectable(
    kind: str,
    sd: float,
    spread: float,
    n: int,
    effective: float,
    *,
    alpha: float,
    margin: float,
    loss: float,
) -> Detectable:
    mde = detectable_drop(sd, effective, alpha)
    # Parts that keep their proportions need more queries than an undivided dataset.
    scale = n / effective
    if margin <= 0.0:
        return Detectable(kind, sd, mde, None, None, detects_margin=False, excludes_margin=False)
    to_detect = _queries(detectable_errors(alpha), sd, margin, scale)
    undivided = queries_to_exclude(margin, sd, -loss, spread=spread)
    to_exclude = None if undivided is None else math.ceil(scale * undivided - _TOLERANCE)
    excludes = to_exclude is not None and n >= to_exclude
    return Detectable(kind, sd, mde, to_detect, to_exclude, n >= to_detect, excludes)


def _queries(z_sum: float, sd: float, margin: float, scale: float) -> int:
    return max(1, math.ceil(scale * (z_sum * sd / margin) ** 2 - _TOLERANCE))
