"""The order of a measurement: searches of single queries with the reference in between."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from pytest_beir.latency.reference import Reference
from pytest_beir.latency.sample import Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

QUERIES = 50
PASSES = 21
FEWEST_PASSES = 3
# Seconds that the searches of one measurement may take, if the fewest passes allow it.
BUDGET = 20.0


def chosen(queries: Mapping[str, str], count: int = QUERIES) -> dict[str, str]:
    """At most `count` queries, spread evenly over the sorted ids: the same ones in every run."""
    ids = sorted(queries)
    step = max(1.0, len(ids) / count)
    return {ids[int(at * step)]: queries[ids[int(at * step)]] for at in range(min(count, len(ids)))}


class LatencyMeasurement:
    """Searches one query after another, pass by pass, after a pass that warms up.

    `search` takes a query's id and text. `prepare` runs before each search and times the
    reference; `search_next` is what is timed. So any timer that calls the one before the other
    (pytest-benchmark's rounds) can measure, and `passes_of` takes its seconds.
    """

    def __init__(
        self,
        search: Callable[[str, str], object],
        queries: Mapping[str, str],
        *,
        budget: float = BUDGET,
    ) -> None:
        self._search = search
        self._queries = list(queries.items())
        self._reference = Reference()
        self._references: list[float] = []
        self._next = 0
        start = perf_counter()
        for query, text in self._queries:
            search(query, text)
        warm_up = perf_counter() - start
        for _ in self._queries:
            self._reference.seconds()
        affordable = int(budget / warm_up) if warm_up > 0 else PASSES
        self.passes = min(PASSES, max(FEWEST_PASSES, affordable))

    @property
    def rounds(self) -> int:
        """How many searches are to be timed."""
        return self.passes * len(self._queries)

    def prepare(self) -> None:
        """Time the reference."""
        self._references.append(self._reference.seconds())

    def search_next(self) -> None:
        """Search the query whose turn it is."""
        query, text = self._queries[self._next % len(self._queries)]
        self._next += 1
        self._search(query, text)

    def passes_of(self, seconds: Sequence[float]) -> list[list[Timing]]:
        """The passes, from the seconds of each call of `search_next`."""
        self.prepare()
        references = self._references[: len(seconds) + 1]  # a profiler may have called once more
        around = pairwise(references)
        timings = [
            Timing(self._queries[number % len(self._queries)][0], taken, (before + after) / 2)
            for number, (taken, (before, after)) in enumerate(zip(seconds, around, strict=True))
        ]
        size = len(self._queries)
        return [timings[start : start + size] for start in range(0, len(timings), size)]

    def run(self) -> list[list[Timing]]:
        """The passes, timed here."""
        seconds = []
        for _ in range(self.rounds):
            self.prepare()
            start = perf_counter()
            self.search_next()
            seconds.append(perf_counter() - start)
        return self.passes_of(seconds)
