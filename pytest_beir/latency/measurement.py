"""The order of a measurement: searches of single queries with the reference in between."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from pytest_beir.latency.reference import Reference
from pytest_beir.latency.sample import Timing, sample_of
from pytest_beir.latency.scheduling import scheduling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_beir.latency.sample import Cost, LatencySample

QUERIES = 50
FEWEST_QUERIES = 13
PASSES = 21
FEWEST_PASSES = 6
FEWEST_BLOCKS = 3
MOST_BLOCKS = 9
# Seconds that the searches of one measurement may take, if the fewest passes allow it.
BUDGET = 20.0
# More blocks follow while the level has a standard error above this.
PRECISE = 0.02
# Seconds for which the reference may last between two searches.
LONGEST_REFERENCE = 0.010
# A search from so many seconds on stands beside a reference that reads more than a cache holds. A
# shorter one cannot read that much, and would find its own cache emptied.
STREAMED = 0.001
_TRIED = 3


@dataclass(frozen=True)
class Design:
    """What is timed: the ids of the queries, passes in a block, repeats and kind of the reference.

    A measurement is compared with one of the same design: the shortest of twenty searches is
    shorter than that of six.
    """

    queries: tuple[str, ...]
    passes: int = PASSES
    repeats: int = 1
    streams: bool = False


def chosen(queries: Mapping[str, str], count: int = QUERIES) -> dict[str, str]:
    """At most `count` queries, spread evenly over the sorted ids: the same ones in every run."""
    ids = sorted(queries)
    step = max(1.0, len(ids) / count)
    return {ids[int(at * step)]: queries[ids[int(at * step)]] for at in range(min(count, len(ids)))}


def designed(
    search: Callable[[str, str], object], queries: Mapping[str, str], *, budget: float = BUDGET
) -> Design:
    """The design that fits a search into the budget of seconds, as far as the fewest passes do.

    The reference lasts about as long as a search, since a busy machine interrupts a long piece of
    work, but not a short one.
    """
    texts = chosen(queries)
    taken = []
    for query, text in [*texts.items()][:_TRIED] * 2:
        start = perf_counter()
        before = scheduling()
        search(query, text)
        queued = scheduling().queued - before.queued
        taken.append(perf_counter() - start - queued)
    one = min(taken)
    streams = one >= STREAMED
    reference = Reference(streams=streams)
    unit = min(reference.seconds() for _ in taken)
    repeats = max(1, round(min(one, LONGEST_REFERENCE) / unit))
    affordable = int(budget / FEWEST_BLOCKS / (one + repeats * unit))  # searches in a block
    count = min(QUERIES, max(FEWEST_QUERIES, affordable // PASSES))
    passes = min(PASSES, max(FEWEST_PASSES, affordable // count))
    return Design(tuple(chosen(queries, count)), passes, repeats, streams)


class LatencyMeasurement:
    """Searches one query after another, pass by pass, after a pass that warms up.

    `search` takes a query's id and text. `prepare` runs before each search and times the
    reference; `search_next` is what is timed. So any timer that calls the one before the other
    (pytest-benchmark's rounds) can measure, and `blocks_of` takes its seconds.
    """

    def __init__(
        self,
        search: Callable[[str, str], object],
        queries: Mapping[str, str],
        design: Design,
    ) -> None:
        self._search = search
        self._queries = [(query, queries[query]) for query in design.queries]
        self._design = design
        self._reference = Reference(design.repeats, streams=design.streams)
        self._references: list[float] = []
        self._processor: list[float] = []
        self._queued: list[float] = []
        self._gave_up: list[bool] = []
        self._next = 0
        for query, text in self._queries:
            search(query, text)
            self._reference.seconds()

    @property
    def rounds(self) -> int:
        """How many searches a block has."""
        return self._design.passes * len(self._queries)

    def prepare(self) -> None:
        """Time the reference."""
        self._references.append(self._reference.seconds())

    def search_next(self) -> None:
        """Search the query whose turn it is."""
        query, text = self._queries[self._next % len(self._queries)]
        self._next += 1
        start = process_time()
        before = scheduling()
        self._search(query, text)
        after = scheduling()
        self._processor.append(process_time() - start)
        self._queued.append(after.queued - before.queued)
        self._gave_up.append(after.given_up > before.given_up)

    def blocks_of(self, seconds: Sequence[float]) -> list[list[list[Timing]]]:
        """The blocks of passes, from the seconds of each call of `search_next`."""
        self.prepare()
        references = self._references[: len(seconds) + 1]  # a profiler may have called once more
        timings = [
            Timing(
                self._queries[number % len(self._queries)][0],
                taken,
                (before + after) / 2,
                self._processor[number],
                self._queued[number],
                self._gave_up[number],
            )
            for number, (taken, (before, after)) in enumerate(
                zip(seconds, pairwise(references), strict=True)
            )
        ]
        for noted in (self._references, self._processor, self._queued, self._gave_up):
            noted.clear()
        self._next = 0
        size = len(self._queries)
        passes = [timings[start : start + size] for start in range(0, len(timings), size)]
        length = self._design.passes
        return [passes[start : start + length] for start in range(0, len(passes), length)]

    def run(self) -> list[list[list[Timing]]]:
        """A block, timed here."""
        seconds = []
        for _ in range(self.rounds):
            self.prepare()
            start = perf_counter()
            self.search_next()
            seconds.append(perf_counter() - start)
        return self.blocks_of(seconds)

    def sample(
        self, blocks: list[list[list[Timing]]], cost: Cost, budget: float = BUDGET
    ) -> LatencySample:
        """The sample of these blocks and of further ones, until it is precise or time is up."""
        sample = sample_of(blocks, cost)
        timings = [timing for block in blocks for of_pass in block for timing in of_pass]
        spent = sum(each.seconds + each.reference * self._design.repeats for each in timings)
        of_block = spent / len(blocks)
        while spent + of_block <= budget and len(blocks) < MOST_BLOCKS:
            if sample.spread <= PRECISE and len(blocks) >= FEWEST_BLOCKS:
                break
            blocks = [*blocks, *self.run()]
            spent += of_block
            sample = sample_of(blocks, cost)
        return sample
