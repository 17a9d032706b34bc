"""One candidate against one baseline: the evidence and the verdict on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.differences import Differences, Scores, difference, pair, unit_numbers
from pytest_beir.gate.evidence import SAME_EFFECT, TOLERANCE, Evidence, measure
from pytest_beir.gate.power import FEWEST_QUERIES, queries_to_exclude

if TYPE_CHECKING:
    from pytest_beir.verdicts import Reason, Verdict


@dataclass(frozen=True)
class Comparison(Evidence):
    """The evidence with its verdict.

    `reason` says why an inconclusive one is so. `note` is set on a significant drop too small to
    matter. `queries_needed` is how many queries like these would exclude a drop of the margin four
    times in five if there is none; None where no number would, or the verdict needs none.
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
    units: Mapping[str, str] | None = None,
) -> Comparison:
    """The paired comparison of two systems' scores, and its verdict.

    Takes two mappings by query id or two aligned sequences of finite numbers, larger being
    better. `alpha` is the level of this one test; `min_effect` and `margin` are in the unit of
    the scores and taken as given. `units` maps the ids of queries that are copies of one another
    to a name that they share: they are one unit, weighted by its copies; other queries may be
    left out of it. With sequences the ids are the positions, as text.

    Raises:
        ComparisonError: The two cannot be paired.

    """
    before, after = pair(baseline, candidate)
    ids = list(baseline) if isinstance(baseline, Mapping) else list(map(str, range(len(before))))
    copies = unit_numbers(ids, units) if units else None
    return compare(
        difference([(before, after)], [Fraction(1)], [copies]),
        alpha=alpha,
        min_effect=min_effect,
        margin=margin,
        baseline_mean=math.fsum((before / len(before)).tolist()),
    )


def compare(
    differences: Differences,
    *,
    alpha: float,
    min_effect: float,
    margin: float,
    alpha_gain: float | None = None,
    noise: float = 0.0,
    baseline_mean: float | None = None,
) -> Comparison:
    """The comparison of differences in one stratum or several.

    `baseline_mean` is what a query that is lost altogether loses; None leaves that out.
    `alpha_gain` is the level for gains where it is not that for drops. A drop of up to `noise`
    is what repeating one system may show.
    """
    _check(alpha=alpha, min_effect=min_effect, margin=margin, noise=noise)
    evidence = measure(
        differences,
        alpha=alpha,
        min_effect=min_effect,
        margin=margin,
        baseline_mean=baseline_mean,
    )
    verdict = _decide(evidence, alpha if alpha_gain is None else alpha_gain, noise)
    reason = _reason(evidence, noise) if verdict == "inconclusive" else None
    is_small_drop = verdict == "within tolerance" and evidence.p_drop <= alpha + TOLERANCE
    return Comparison(
        **vars(evidence),
        verdict=verdict,
        reason=reason,
        note="significant drop below min_effect" if is_small_drop else None,
        queries_needed=_queries_needed(evidence) if verdict == "inconclusive" else None,
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
    is_excluded = evidence.margin_bound >= -evidence.margin - SAME_EFFECT
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
    if evidence.mde is None or evidence.mde <= evidence.margin + SAME_EFFECT:
        return "undecided"
    return "underpowered"


def _is_noise(evidence: Evidence, noise: float) -> bool:
    return -noise - SAME_EFFECT <= evidence.effect < 0.0 < noise


def _queries_needed(evidence: Evidence) -> int | None:
    """So many that a drop of the margin is excluded; None where these are enough."""
    if not evidence.sd or evidence.margin == 0.0:
        return None
    needed = queries_to_exclude(
        evidence.margin, evidence.sd, evidence.worst, spread=evidence.spread
    )
    return needed if needed is not None and needed > evidence.n else None


def _check(*, alpha: float, min_effect: float, margin: float, noise: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise ComparisonError(f"alpha is {alpha!r}; it must lie between 0 and 1")
    for name, value in (("min_effect", min_effect), ("margin", margin), ("noise", noise)):
        if not 0.0 <= value < math.inf:
            raise ComparisonError(f"{name} is {value!r}; it must be a finite number, at least 0")
