"""The verdict on one metric of one dataset, over both vectors that its baseline keeps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_beir.gate.comparison import Comparison, compare
from pytest_beir.gate.evidence import SAME_EFFECT, TOLERANCE
from pytest_beir.gate.strata import Member, by_prefix, mean, stratified_difference
from pytest_beir.verdicts import VERDICTS, Verdict, worst

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from pytest_beir.gate.differences import Differences
    from pytest_beir.gate.family import Limits

__all__ = [
    "VERDICTS",
    "MetricVerdict",
    "Stored",
    "Verdict",
    "judge_members",
    "judge_metric",
    "worst",
]

Stored: TypeAlias = Literal["current", "anchor"]

_FEWEST_LOST = 4  # with nothing on the other side
SUSPECT = 0.01
_FRAGILE = 0.5


@dataclass(frozen=True)
class MetricVerdict:
    """What the gate says of one metric: of a dataset, or of the average over a set.

    `now`, `baseline` and `anchor` are means. `level` is the dataset's share of alpha; `alpha` is
    what each vector was tested at, half of it where both were, and None for a metric that is not
    gated, as is its `verdict`. `min_effect` and `margin` are the effective limits against the
    current vector. `against_anchor` is None where the anchor equals the current vector or there
    is none. `regressed_against` names the vectors against which the drop fails.
    """

    metric: str
    gated: bool
    verdict: Verdict | None
    reason: str | None
    now: float
    note: str | None = None
    baseline: float | None = None
    anchor: float | None = None
    level: float | None = None
    alpha: float | None = None
    min_effect: float | None = None
    margin: float | None = None
    current: Comparison | None = None
    against_anchor: Comparison | None = None
    flags: tuple[str, ...] = ()
    regressed_against: tuple[Stored, ...] = ()

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """What was compared: against the current vector, and the anchor where it differs."""
        return tuple(c for c in (self.current, self.against_anchor) if c is not None)

    @property
    def has_drop(self) -> bool:
        """Whether against either vector the drop is significant at the whole level and matters.

        Said of gated and other metrics alike; it bars the others' improvement from the baseline.
        """
        level = self.level
        return level is not None and any(each.has_drop(level) for each in self.comparisons)


def judge_metric(
    metric: str,
    now: Mapping[str, float],
    current: Mapping[str, float] | None,
    anchor: Mapping[str, float] | None,
    *,
    level: float,
    limits: Limits,
    gated: bool = True,
    strata: Sequence[str] = (),
    noise: float = 0.0,
    likely_level: float | None = None,
    units: Mapping[str, str] | None = None,
) -> MetricVerdict:
    """The verdict on scores by query id against both stored vectors.

    `level` is the dataset's share of alpha and `limits` are in metric units, not yet capped by
    the baseline's mean. With `strata` (the forums' names, which begin every query id) the mean is
    that over strata. `noise` is the drop that repeating the run may show. `likely_level` is the
    p at which a drop is likely, by default twice the level. `units` maps queries that are copies
    of one another to the name of their unit.

    Raises:
        ComparisonError: The queries differ.

    """

    def member(scores: Mapping[str, float]) -> tuple[Member]:
        return (by_prefix(scores, strata) if strata else scores,)

    return judge_members(
        metric,
        member(now),
        None if current is None else member(current),
        None if anchor is None else member(anchor),
        level=level,
        limits=limits,
        gated=gated,
        noise=noise,
        likely_level=likely_level,
        units=[units] if units else (),
    )


def judge_members(
    metric: str,
    now: Sequence[Member],
    current: Sequence[Member] | None,
    anchor: Sequence[Member] | None,
    *,
    level: float,
    limits: Limits,
    gated: bool = True,
    noise: float = 0.0,
    likely_level: float | None = None,
    units: Sequence[Mapping[str, str]] = (),
    shares: Sequence[Fraction] = (),
) -> MetricVerdict:
    """The verdict on the mean over members, of which a dataset alone is the simplest case.

    With `shares` members count for so much instead of alike; `units` are those of each member.
    """

    def differences(stored: Sequence[Member]) -> Differences:
        return stratified_difference(stored, now, units=units, shares=shares)

    if current is None:
        return MetricVerdict(
            metric=metric,
            gated=gated,
            verdict="no baseline" if gated else None,
            reason=None,
            now=mean(now, shares),
            level=level,
            flags=_toothless(differences(now).n, level) if gated else (),
        )
    anchor = current if anchor is None else anchor
    is_rebased = stratified_difference(current, anchor).changed > 0
    alpha = level / 2.0 if is_rebased else level

    def against(stored: Sequence[Member]) -> Comparison:
        stored_mean = mean(stored, shares)
        effective = limits.effective(stored_mean)
        return compare(
            differences(stored),
            alpha=alpha,
            alpha_gain=level,
            min_effect=effective.min_effect,
            margin=effective.margin,
            noise=noise,
            baseline_mean=stored_mean,
        )

    comparison = against(current)
    against_anchor = against(anchor) if is_rebased else None
    failed = _failed(comparison, against_anchor)
    verdict: Verdict | None = None
    if gated:
        verdict = "regressed" if failed else comparison.verdict
    return MetricVerdict(
        metric=metric,
        gated=gated,
        verdict=verdict,
        # With one vector there is nothing to tell apart.
        reason=_reason(verdict, comparison, failed if is_rebased else ()),
        note=comparison.note if verdict == "within tolerance" else None,
        now=mean(now, shares),
        baseline=mean(current, shares),
        anchor=mean(anchor, shares),
        level=level,
        alpha=alpha if gated else None,
        min_effect=comparison.min_effect,
        margin=comparison.margin,
        current=comparison,
        against_anchor=against_anchor,
        flags=(
            *_flags(metric, verdict, comparison, against_anchor, failed, likely_level or 2 * level),
            *(_toothless(comparison.n, alpha) if gated else ()),
        ),
        regressed_against=failed,
    )


def _reason(
    verdict: Verdict | None, comparison: Comparison, failed: Sequence[Stored]
) -> str | None:
    if verdict == "inconclusive":
        return comparison.reason
    return f"against {' and '.join(failed)}" if verdict == "regressed" and failed else None


def _failed(comparison: Comparison, against_anchor: Comparison | None) -> tuple[Stored, ...]:
    failed: list[Stored] = []
    if comparison.verdict == "regressed":
        failed.append("current")
    if against_anchor is not None and against_anchor.verdict == "regressed":
        failed.append("anchor")
    return tuple(failed)


def _flags(
    metric: str,
    verdict: Verdict | None,
    comparison: Comparison,
    against_anchor: Comparison | None,
    failed: Sequence[Stored],
    likely_level: float,
) -> tuple[str, ...]:
    """Flags change no verdict. A metric that is not gated can only be suspect."""
    flags = []
    if verdict == "inconclusive" and _is_likely_drop(comparison, likely_level):
        flags.append("likely-drop")
    if verdict != "regressed" and comparison.p_drop <= SUSPECT + TOLERANCE:
        flags.append(f"suspect:{metric}")
    if verdict is None:
        return tuple(flags)
    if against_anchor is not None and has_drifted(against_anchor.effect, against_anchor.margin):
        flags.append("drift")
    decisive = against_anchor if against_anchor and failed == ("anchor",) else comparison
    if decisive.delta < 0.0 and (decisive.largest_losers_share or 0.0) > _FRAGILE + TOLERANCE:
        flags.append("fragile")
    return tuple(flags)


def _is_likely_drop(comparison: Comparison, level: float) -> bool:
    if comparison.reason == "noise" or comparison.effect > -comparison.margin + SAME_EFFECT:
        return False
    if comparison.p_drop <= level + TOLERANCE:
        return True
    # So few queries cannot reach a level, however bad the loss.
    all_fell = comparison.worse == comparison.n
    return comparison.better == 0 and (comparison.worse >= _FEWEST_LOST or all_fell)


def has_drifted(effect: float, margin: float) -> bool:
    """Whether the distance from an anchor that differs, in metric units, is worth a word."""
    return effect < -SAME_EFFECT and effect <= -margin / 2.0 + SAME_EFFECT


def _toothless(n: int, alpha: float) -> tuple[str, ...]:
    """The flag of a test that cannot fail: even if all n lost, p would be 2^-n."""
    return ("toothless",) if math.ldexp(1.0, -n) > alpha + TOLERANCE else ()
