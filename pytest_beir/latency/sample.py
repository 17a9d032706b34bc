"""What was measured of one retriever on one dataset: ratios, their spread, and seconds to read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING

from pytest_beir.errors import ComparisonError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PERCENTILES = (50, 95, 99)


@dataclass(frozen=True)
class Timing:
    """One search of one query: its seconds, and those of the reference before and after it."""

    query: str
    seconds: float
    reference: float


@dataclass(frozen=True)
class Cost:
    """What is measured once, and not compared.

    `index_seconds` and `batch_rate` (queries per second, all at once) are of wall time;
    `index_bytes` is what lies in the corpus's cache folder after indexing, `resident_bytes` by how
    much the process grew meanwhile. None where it could not be measured.
    """

    index_seconds: float | None = None
    index_bytes: int | None = None
    resident_bytes: int | None = None
    batch_rate: float | None = None


@dataclass(frozen=True)
class LatencySample:
    """Search times of some queries, one at a time.

    `ratios` maps query id to the median, over the passes, of its seconds by the reference's.
    `spread` is the standard error of the middle of their logarithms, from how far the passes lie
    apart: what a second measurement would move by itself. `percentiles` are of the seconds of all
    searches, `rate` is queries per second.
    """

    ratios: Mapping[str, float]
    spread: float
    percentiles: Mapping[int, float]
    rate: float
    cost: Cost

    @property
    def level(self) -> float:
        """The geometric mean of the ratios."""
        return math.exp(fmean(map(math.log, self.ratios.values())))


def sample_of(passes: Sequence[Sequence[Timing]], cost: Cost) -> LatencySample:
    """The sample of several passes over the same queries.

    Raises:
        ComparisonError: there is no pass, a pass lacks a query, or a time is not positive.

    """
    if not passes or not passes[0]:
        raise ComparisonError("no search was timed")
    queries = [timing.query for timing in passes[0]]
    ratios: dict[str, list[float]] = {query: [] for query in queries}
    for timings in passes:
        if [timing.query for timing in timings] != queries:
            raise ComparisonError("the passes do not search the same queries in the same order")
        for timing in timings:
            if not (timing.seconds > 0.0 and timing.reference > 0.0):
                raise ComparisonError(f"query {timing.query!r}: a time of 0 cannot be compared")
            ratios[timing.query].append(timing.seconds / timing.reference)
    levels = [
        median(math.log(ratios[query][number]) for query in queries)
        for number in range(len(passes))
    ]
    seconds = sorted(timing.seconds for timings in passes for timing in timings)
    return LatencySample(
        ratios={query: median(values) for query, values in ratios.items()},
        spread=standard_error(levels),
        percentiles={share: percentile(seconds, share) for share in PERCENTILES},
        rate=len(seconds) / math.fsum(seconds),
        cost=cost,
    )


def standard_error(levels: Sequence[float]) -> float:
    """The standard error of the median of some values, not moved by a few wild ones.

    The median absolute deviation, times 1.4826, is the standard deviation of normal values, and
    the standard error of their median is 1.2533 standard deviations by the root of their number.
    """
    middle = median(levels)
    deviation = 1.4826 * median(abs(level - middle) for level in levels)
    return 1.2533 * deviation / math.sqrt(len(levels))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that `share` percent of the sorted values do not exceed."""
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]
