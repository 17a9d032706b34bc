"""What was measured of one retriever on one dataset: ratios, their spread, and seconds to read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING

from pytest_beir.errors import ComparisonError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PERCENTILES = (50, 95, 99)
# Of the queries, the share at either end that an average over them leaves out.
TRIMMED = 0.1
# Searches of which a larger share gives the processor up by itself wait for something. That may be
# done while they stand in the queue, so the queue is part of their time.
_WAITS = 0.05
# Into so many parts in time a block is cut, to see how far its level depends on each.
_PARTS = 7


@dataclass(frozen=True)
class Timing:
    """One search of one query: its seconds, and the reference's before and after it.

    `processor` are the seconds for which the process had a processor meanwhile, over all threads.
    `queued` are those in which the searching thread could have gone on, but other work had the
    processor; `gave_up` says whether it waited by itself, for a service, a disk or another thread.
    """

    query: str
    seconds: float
    reference: float
    processor: float = 0.0
    queued: float = 0.0
    gave_up: bool = False


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

    `ratios` maps query id to its seconds by the reference's: of each block of passes the shortest
    of both, then the median over the blocks. So it says what a search takes when nothing comes in
    between; seconds in the queue for a processor are left out, unless the search waits for
    something. `spread` is the standard error of their level, from how far the blocks lie apart.
    `percentiles` are of the seconds of all searches, `rate` is queries per second.
    `reference_seconds` is what the reference took at its best, `on_processor` the processor's
    seconds by the clock's: far below 1 the search waits, for the machine or for a service.
    """

    ratios: Mapping[str, float]
    spread: float
    percentiles: Mapping[int, float]
    rate: float
    cost: Cost
    reference_seconds: float = 1.0
    on_processor: float = 1.0

    @property
    def level(self) -> float:
        """The logarithm of the ratios, averaged over the queries."""
        return _level(self.ratios)


def sample_of(blocks: Sequence[Sequence[Sequence[Timing]]], cost: Cost) -> LatencySample:
    """The sample of blocks of passes over the same queries.

    Raises:
        ComparisonError: there is no pass, a pass lacks a query, or a time is not positive.

    """
    passes = [timings for block in blocks for timings in block]
    if not passes or not passes[0]:
        raise ComparisonError("no search was timed")
    queries = [timing.query for timing in passes[0]]
    _check(passes, queries)
    timings = [timing for of_pass in passes for timing in of_pass]
    if sum(timing.gave_up for timing in timings) <= _WAITS * len(timings):
        blocks = [[[*map(_unqueued, of_pass)] for of_pass in block] for block in blocks]
    of_blocks = [_best(block) for block in blocks]
    spread = max(
        standard_error([_level(best) for best in of_blocks]),
        math.hypot(*map(jackknife, blocks)) / len(blocks),
    )
    seconds = sorted(timing.seconds for timing in timings)
    total = math.fsum(seconds)
    return LatencySample(
        ratios={query: median(best[query] for best in of_blocks) for query in queries},
        spread=spread,
        percentiles={share: percentile(seconds, share) for share in PERCENTILES},
        rate=len(seconds) / total,
        cost=cost,
        reference_seconds=min(timing.reference for timing in timings),
        on_processor=math.fsum(timing.processor for timing in timings) / total,
    )


def _check(passes: Sequence[Sequence[Timing]], queries: Sequence[str]) -> None:
    for timings in passes:
        if [timing.query for timing in timings] != queries:
            raise ComparisonError("the passes do not search the same queries in the same order")
        for timing in timings:
            if not (timing.seconds > 0.0 and timing.reference > 0.0):
                raise ComparisonError(f"query {timing.query!r}: a time of 0 cannot be compared")


def _unqueued(timing: Timing) -> Timing:
    """The timing without its seconds in the queue, which the system may count less exactly."""
    net = timing.seconds - timing.queued
    return replace(timing, seconds=net) if net > 0.0 else timing


def _best(block: Sequence[Sequence[Timing]]) -> dict[str, float]:
    """Per query, its shortest search by the shortest reference beside it."""
    return {
        of_query[0].query: min(timing.seconds for timing in of_query)
        / min(timing.reference for timing in of_query)
        for of_query in zip(*block, strict=True)
    }


def _level(best: Mapping[str, float]) -> float:
    return trimmed_mean(map(math.log, best.values()))


def jackknife(block: Sequence[Sequence[Timing]]) -> float:
    """The standard error of a block's level, from leaving out each part of its passes in turn.

    Parts are consecutive passes, since what disturbs a machine lasts longer than one of them.
    """
    parts = min(_PARTS, len(block))
    if parts < 2:  # noqa: PLR2004 (one cannot be left out)
        return 0.0
    edges = [len(block) * number // parts for number in range(parts + 1)]
    levels = [_level(_best([*block[:start], *block[end:]])) for start, end in pairwise(edges)]
    middle = fmean(levels)
    squares = math.fsum((level - middle) ** 2 for level in levels)
    return math.sqrt((parts - 1) / parts * squares)


def trimmed_mean(values: Iterable[float]) -> float:
    """The mean without a tenth of the values at either end: one wild query does not move it."""
    ordered = sorted(values)
    cut = int(len(ordered) * TRIMMED)
    return fmean(ordered[cut : len(ordered) - cut])


def standard_error(levels: Sequence[float]) -> float:
    """The standard error of the mean of some values; 0 for a single one."""
    return stdev(levels) / math.sqrt(len(levels)) if len(levels) > 1 else 0.0


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that `share` percent of the sorted values do not exceed."""
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]
