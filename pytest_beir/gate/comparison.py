"""One candidate against one baseline: the evidence and the verdict on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.differences import Differences, Scores, difference, pair
from pytest_beir.gate.evidence import TOLERANCE, Evidence, measure
from pytest_beir.gate.power import FEWEST_QUERIES

if TYPE_CHECKING:
    from pytest_beir.verdicts import Reason, Verdict

_Z_SUM = 1.645 + 0.842  # a one-sided 95 % bound, met four times in five


@dataclass(frozen=True)
class Comparison(Evidence):
    """The evidence with its verdict.

    `reason` says why an inconclusive one is so. `note` is set on a significant drop too small to
    matter, `queries_needed` where more queries would exclude a drop of the margin.
    """

    verdict: Verdict
    reason: Reason | None
    note: str | None = None
    queries_needed: int | None = None


def compare_scores(
    baseline: Scores,
    candidate: Scores,
    *,
    alpha: float = 0.05,
    min_effect: float = 0.005,
    margin: float = 0.02,
) -> Comparison:
    """The paired comparison of two systems' scores, and its verdict.

    Takes two mappings by query id or two aligned sequences of finite numbers, larger being
    better. `alpha` is the level of this one test; `min_effect` and `margin` are in the unit of
    the scores and taken as given. Raises ComparisonError where the two cannot be paired.
    """
    differences = difference([pair(baseline, candidate)], [Fraction(1)])
    return compare(differences, alpha=alpha, min_effect=min_effect, margin=margin)


def compare(
    differences: Differences,
    *,
    alpha: float,
    min_effect: float,
    margin: float,
    alpha_gain: float | None = None,
    noise: float = 0.0,
) -> Comparison:
    """The comparison of differences in one stratum or several.

    `alpha_gain` is the level for gains where it is not that for drops. A drop of up to `noise`
    is what repeating one system may show.
    """
    _check(alpha=alpha, min_effect=min_effect, margin=margin, noise=noise)
    evidence = measure(differences, alpha=alpha, min_effect=min_effect, margin=margin)
    verdict = _decide(evidence, alpha if alpha_gain is None else alpha_gain, noise)
    reason = _reason(evidence, noise) if verdict == "inconclusive" else None
    is_small_drop = verdict == "within tolerance" and evidence.p_drop <= alpha + TOLERANCE
    return Comparison(
        **vars(evidence),
        verdict=verdict,
        reason=reason,
        note="significant drop below min_effect" if is_small_drop else None,
        queries_needed=_queries_needed(evidence) if reason == "underpowered" else None,
    )


def _decide(evidence: Evidence, alpha_gain: float, noise: float) -> Verdict:
    if _is_noise(evidence, noise):
        return "inconclusive"
    if evidence.has_drop():
        return "regressed"
    if evidence.changed == 0:
        return "unchanged"
    if evidence.has_gain(alpha_gain):
        return "improved"
    is_excluded = evidence.margin_bound >= -evidence.margin - TOLERANCE
    if evidence.n >= FEWEST_QUERIES and is_excluded:
        return "within tolerance"
    return "inconclusive"


def _reason(evidence: Evidence, noise: float) -> Reason:
    if _is_noise(evidence, noise):
        return "noise"
    if evidence.n < FEWEST_QUERIES:
        return "too few queries"
    if math.ldexp(1.0, -evidence.changed) > evidence.alpha + TOLERANCE:
        return "too few changed queries"
    if evidence.mde is None or evidence.mde <= evidence.margin + TOLERANCE:
        return "undecided"
    return "underpowered"


def _is_noise(evidence: Evidence, noise: float) -> bool:
    return -noise - TOLERANCE <= evidence.delta < 0.0 < noise


def queries_to_exclude(margin: float, sd: float) -> int:
    """So many queries that a drop of the margin is excluded, four times in five, if there is none.

    `sd` is the standard deviation of one query's difference; both are in metric units.
    """
    return math.ceil((_Z_SUM * sd / margin) ** 2)


def _queries_needed(evidence: Evidence) -> int | None:
    if evidence.sd is None or evidence.margin == 0.0:
        return None
    return queries_to_exclude(evidence.margin, evidence.sd)


def _check(*, alpha: float, min_effect: float, margin: float, noise: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise ComparisonError(f"alpha is {alpha!r}; it must lie between 0 and 1")
    for name, value in (("min_effect", min_effect), ("margin", margin), ("noise", noise)):
        if not 0.0 <= value < math.inf:
            raise ComparisonError(f"{name} is {value!r}; it must be a finite number, at least 0")
