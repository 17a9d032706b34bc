"""Whether a retriever has become slower: effect, significance, confirmation, or too much noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Literal

from pytest_beir.latency.sample import trimmed_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.latency.sample import LatencySample

LatencyVerdict = Literal["slower", "faster", "same", "inconclusive", "no baseline"]

# How far the levels of two sessions of the same code lie apart by themselves (a standard deviation
# of logarithms): other addresses in memory, other neighbours. As measured by
# benchmarks/latency.py, and so sure as if it came from so many sessions.
BETWEEN_SESSIONS = 0.035
_PRIOR_SESSIONS = 4
# With fewer queries one of them would decide too much.
FEWEST_QUERIES = 10
_BOUND = 0.95


@dataclass(frozen=True)
class LatencyLimits:
    """The level of the test, the change that matters, and the one that has to be excluded."""

    alpha: float = 0.05
    min_effect: float = 0.10
    margin: float = 0.20


@dataclass(frozen=True)
class LatencyComparison:
    """Now against the baseline, over the queries that both measured.

    `change` is how many times as long a search takes, `lower` and `upper` one-sided 95 % bounds of
    it, `least` the change from which it counts. `p_slower` and `p_faster` are of a normal test
    whose error is what blocks and sessions of the same code differ by; `queries` is how many were
    compared.
    """

    verdict: LatencyVerdict
    reason: str | None
    queries: int
    change: float | None = None
    least: float | None = None
    lower: float | None = None
    upper: float | None = None
    p_slower: float | None = None
    p_faster: float | None = None


def compare_latency(
    baseline: LatencySample,
    now: LatencySample,
    limits: LatencyLimits,
    *,
    levels: Sequence[float] = (),
) -> LatencyComparison:
    """The comparison of two samples of the same class of machine and the same design.

    `levels` are those of the sessions that the baseline is the mean of.
    """
    queries = [query for query in baseline.ratios if query in now.ratios]
    if len(queries) < FEWEST_QUERIES:
        return LatencyComparison(
            "inconclusive", f"{len(queries)} queries were measured in both runs", len(queries)
        )
    change = trimmed_mean(math.log(now.ratios[query] / baseline.ratios[query]) for query in queries)
    apart = between_sessions(levels)
    error = math.hypot(apart / math.sqrt(max(1, len(levels))), baseline.spread, apart, now.spread)
    normal = NormalDist()
    bound = normal.inv_cdf(_BOUND) * error
    p_slower, p_faster = normal.cdf(-change / error), normal.cdf(change / error)
    least = math.log1p(limits.min_effect)
    lower, upper = math.exp(change - bound), math.exp(change + bound)
    verdict: LatencyVerdict = "inconclusive"
    reason = None
    if p_slower <= limits.alpha and change >= least:
        verdict = "slower"
    elif p_faster <= limits.alpha and change <= -least:
        verdict = "faster"
    elif upper < 1.0 + limits.margin and lower > 1.0 / (1.0 + limits.margin):
        verdict = "same"
    else:
        reason = f"too noisy to tell: a search takes {lower:.2f} to {upper:.2f} times as long"
    return LatencyComparison(
        verdict,
        reason,
        len(queries),
        change=math.exp(change),
        least=1.0 + limits.min_effect,
        lower=lower,
        upper=upper,
        p_slower=p_slower,
        p_faster=p_faster,
    )


def between_sessions(levels: Sequence[float]) -> float:
    """The standard deviation between sessions: what is usual, moved by what was seen here."""
    seen = len(levels) - 1
    if seen < 1:
        return BETWEEN_SESSIONS
    middle = fmean(levels)
    squares = math.fsum((level - middle) ** 2 for level in levels)
    usual = _PRIOR_SESSIONS * BETWEEN_SESSIONS**2
    return math.sqrt((usual + squares) / (_PRIOR_SESSIONS + seen))


def confirmed(first: LatencyComparison, second: LatencyComparison) -> LatencyComparison:
    """The first comparison, slower or faster only where a second measurement says so too."""
    if first.verdict not in ("slower", "faster") or second.verdict == first.verdict:
        return first
    change = "" if second.change is None else f": {second.change:.2f} times"
    return replace(
        first,
        verdict="inconclusive",
        reason=f"a second measurement did not confirm it{change}",
    )
