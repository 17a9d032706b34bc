"""What is measured of a candidate against a baseline, before anyone judges it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.gate.bootstrap import bootstrap
from pytest_beir.gate.differences import QUANTUM
from pytest_beir.gate.one_more_query import bootstrap_with_one_more
from pytest_beir.gate.power import CONFIDENCE, detectable_errors
from pytest_beir.gate.signflip import sign_flip

if TYPE_CHECKING:
    from pytest_beir.gate.differences import Differences

TOLERANCE = 1e-12  # in comparing p with alpha
SAME_EFFECT = 1e-9  # float noise in comparing effects with limits
_SMALLEST_P = 1e-12  # transforms end in noise and 2^-m underflows: no p is reported below
_LARGEST_LOSERS = 3


@dataclass(frozen=True)
class Evidence:
    """The paired comparison in numbers, all effects in metric units.

    `delta` is the mean of candidate minus baseline over `n` units (queries with the same text are
    one), of which `changed` differ (`worse` and `better`); `effect` is the same mean before
    differences were rounded, which limits are held against. `p_drop` and `p_gain` are one-sided,
    the larger of bootstrap and sign-flip; `p_bootstrap` and `p_signflip` are the two parts of
    `p_drop`. `lower` and `upper` bound the mean difference, each at one-sided 95 %. A drop beyond
    `margin_bound` is excluded with the same confidence also near the margin; it allows for one
    query more, whose difference is `worst`. `mde` is the drop found four times in five at
    `alpha`, None where nothing varies. `sd` belongs to one query's difference, None for one
    query; over several strata it is the one that gives n equal queries the same standard error.
    `spread` says how well it is known: the relative variance of its square.
    `largest_losers_share` is what the three largest losers carry of the whole loss, None where
    nothing was lost.
    """

    n: int
    changed: int
    worse: int
    better: int
    delta: float
    effect: float
    p_drop: float
    p_gain: float
    p_bootstrap: float
    p_signflip: float
    lower: float
    upper: float
    margin_bound: float
    mde: float | None
    sd: float | None
    spread: float
    largest_losers_share: float | None
    worst: float
    alpha: float
    min_effect: float
    margin: float

    def has_drop(self, alpha: float | None = None) -> bool:
        """Whether the drop is significant at a level (its own by default) and large enough."""
        level = self.alpha if alpha is None else alpha
        return self.p_drop <= level + TOLERANCE and self.effect <= -self.min_effect + SAME_EFFECT

    def has_gain(self, alpha: float) -> bool:
        """Whether the gain is significant at a level and large enough."""
        is_large = self.effect > SAME_EFFECT and self.effect >= self.min_effect - SAME_EFFECT
        return is_large and self.p_gain <= alpha + TOLERANCE


def measure(
    differences: Differences,
    *,
    alpha: float,
    min_effect: float,
    margin: float,
    baseline_mean: float | None = None,
) -> Evidence:
    """Run both tests on the differences; `alpha` enters only the detectable effect.

    `baseline_mean` is what a query that is lost altogether loses.
    """
    if len(differences.strata) == 1:
        lost = min(Fraction(0), Fraction(round(-(baseline_mean or 0.0) / float(QUANTUM))) * QUANTUM)
        lost /= differences.quantum
        lowest = Fraction(int(differences.strata[0].units.min()))
        worst = float(min(lowest, lost) * differences.quantum)
        resampled, one_more = bootstrap_with_one_more(differences, lost)
        lower = resampled.quantile(1.0 - CONFIDENCE)
        margin_bound = min(lower, one_more.quantile(1.0 - CONFIDENCE))
    else:
        # One query more, as bad as the worst one seen, where it weighs most.
        resampled = bootstrap(differences)
        lower = resampled.quantile(1.0 - CONFIDENCE)
        heaviest = min(s.weight * min(0, int(s.units.min())) for s in differences.strata)
        margin_bound = lower + float(heaviest * differences.quantum)
        worst = float(heaviest * differences.quantum) * differences.n
    flipped = sign_flip(differences)
    p_bootstrap, p_signflip = _bounded(resampled.at_least_zero()), _bounded(flipped.drop)
    error = standard_error(differences)
    fell, rose = differences.fell_and_rose
    return Evidence(
        n=differences.n,
        changed=fell + rose,
        worse=fell,
        better=rose,
        delta=float(differences.mean * differences.quantum),
        effect=differences.effect,
        p_drop=max(p_bootstrap, p_signflip),
        p_gain=max(_bounded(resampled.at_most_zero()), _bounded(flipped.gain)),
        p_bootstrap=p_bootstrap,
        p_signflip=p_signflip,
        lower=lower,
        upper=resampled.quantile(CONFIDENCE),
        margin_bound=margin_bound,
        mde=detectable_errors(alpha) * error if error else None,
        sd=None if error is None else error * math.sqrt(differences.n),
        spread=variance_spread(differences),
        largest_losers_share=_largest_losers_share(differences),
        worst=worst,
        alpha=alpha,
        min_effect=min_effect,
        margin=margin,
    )


def standard_error(differences: Differences) -> float | None:
    """Of the mean difference, in metric units; None where no stratum has two queries."""
    variances = [
        float(s.weight) ** 2 * s.n * float(s.units.var(ddof=1))
        for s in differences.strata
        if s.n > 1
    ]
    return math.sqrt(math.fsum(variances)) * float(differences.quantum) if variances else None


def variance_spread(differences: Differences) -> float:
    """The relative variance of the estimated variance, which few changed queries tell badly."""
    variance = spread = 0.0
    for stratum in differences.strata:
        deviations = stratum.units - stratum.units.mean()
        squares = (float(stratum.weight) * deviations) ** 2
        variance += float(squares.sum())
        spread += stratum.n * float(squares.var())
    return spread / variance**2 if variance else 0.0


def _bounded(p: float) -> float:
    return min(1.0, max(_SMALLEST_P, p))


def _largest_losers_share(differences: Differences) -> float | None:
    losses = np.concatenate([s.units[s.units < 0] * float(s.weight) for s in differences.strata])
    if not losses.size:
        return None
    return float(np.sort(losses)[:_LARGEST_LOSERS].sum() / losses.sum())
