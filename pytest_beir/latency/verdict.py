"""Whether a retriever has become slower, by the logic of the gate for quality."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_beir.gate.comparison import compare_scores

if TYPE_CHECKING:
    from pytest_beir.latency.sample import LatencySample

LatencyVerdict = Literal["slower", "faster", "same", "inconclusive", "no baseline"]

# A change of less than a tenth is within what caches and neighbours do to a ratio.
MIN_CHANGE = 1.10
# And one within so many standard deviations of what the passes themselves show is noise.
SPREADS = 3.0
# With fewer queries, even if all became slower, chance would do it too often.
FEWEST_QUERIES = 10


@dataclass(frozen=True)
class LatencyComparison:
    """Now against the baseline, over the queries that both measured.

    `change` is how many times as long a search takes, `least` the change from which it counts,
    `lower` and `upper` one-sided 95 % bounds of the change. `p_slower` and `p_faster` are of the
    paired test over queries; `queries` is how many were compared.
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
    baseline: LatencySample, now: LatencySample, *, alpha: float
) -> LatencyComparison:
    """The comparison of two samples of the same class of machine, at the level `alpha`."""
    queries = [query for query in baseline.ratios if query in now.ratios]
    if len(queries) < FEWEST_QUERIES:
        return LatencyComparison(
            "inconclusive", f"{len(queries)} queries were measured in both runs", len(queries)
        )
    spread = math.hypot(baseline.spread, now.spread)
    least = max(math.log(MIN_CHANGE), SPREADS * spread)
    # Of negative logarithms larger is better, as the gate wants it, and steps are factors.
    evidence = compare_scores(
        [-math.log(baseline.ratios[query]) for query in queries],
        [-math.log(now.ratios[query]) for query in queries],
        alpha=alpha,
        min_effect=least,
        margin=max(2 * least, 0.02),
    )
    verdict: LatencyVerdict = "same"
    if evidence.p_drop <= alpha and evidence.delta <= -least:
        verdict = "slower"
    elif evidence.p_gain <= alpha and evidence.delta >= least:
        verdict = "faster"
    return LatencyComparison(
        verdict,
        None,
        len(queries),
        change=math.exp(-evidence.delta),
        least=math.exp(least),
        lower=math.exp(-evidence.upper),
        upper=math.exp(-evidence.lower),
        p_slower=evidence.p_drop,
        p_faster=evidence.p_gain,
    )


def confirmed(first: LatencyComparison, second: LatencyComparison) -> LatencyComparison:
    """The first comparison, slower or faster only where a second measurement says so too."""
    if first.verdict not in ("slower", "faster") or second.verdict == first.verdict:
        return first
    change = "" if second.change is None else f": {second.change:.2f} times"
    return LatencyComparison(
        **{
            **vars(first),
            "verdict": "inconclusive",
            "reason": f"a second measurement did not confirm it{change}",
        }
    )
