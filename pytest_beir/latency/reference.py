"""A fixed piece of work, timed between searches: what a machine can do at that moment.

A busy or throttled machine slows the reference and the search alike, so their ratio stays where
their seconds do not. It holds what searching does too: a loop of Python, sorting and arithmetic
over arrays that fit a cache, and reading here and there in memory that does not. A search of a
millisecond and more may be bound by memory: beside it the work also reads an array that fits no
cache, for about as long as the rest lasts.
"""

from __future__ import annotations

import itertools
from time import perf_counter

import numpy as np

from pytest_beir.latency.scheduling import scheduling

VERSION = 1
"""Of the work; ratios to another version are not comparable."""
# So little that a busy machine seldom interrupts it; a longer search has it repeated.
_NUMBERS = 1 << 11
_LOOP = 250
_MEMORY = 1 << 18
_READ = 1 << 12
# 128 MiB, of which each work reads the next 2 MiB: it returns to none before the others were read.
_STREAM = 1 << 24
_PIECE = 1 << 18


class Reference:
    """The fixed work, done `repeats` times; the same numbers on every machine.

    `streams` says whether it also reads the array that fits no cache.
    """

    def __init__(self, repeats: int = 1, *, streams: bool = False) -> None:
        self.repeats = repeats
        self._pieces = itertools.cycle(np.ones(_STREAM).reshape(-1, _PIECE) if streams else ())
        self._values = _scattered(_NUMBERS).astype(np.float64) / 2.0**32
        self._places = (_scattered(_NUMBERS) % np.uint64(_NUMBERS)).astype(np.intp)
        self._memory = np.arange(_MEMORY, dtype=np.float64)
        self._far_places = (_scattered(_READ) % np.uint64(_MEMORY)).astype(np.intp)
        self._counts = {number: number * 7 % 1009 for number in range(_LOOP)}

    def seconds(self) -> float:
        """The seconds that each repeat takes now, about .06 ms, without those in the queue.

        Twice as many with the array that fits no cache.
        """
        start = perf_counter()
        before = scheduling()
        for _ in range(self.repeats):
            self._work()
        queued = scheduling().queued - before.queued
        return (perf_counter() - start - queued) / self.repeats

    def _work(self) -> float:
        total = 0.0
        for number, count in self._counts.items():
            total += number * count
        gathered = np.sort(self._values)[self._places]
        total += float(np.sqrt(gathered * gathered + 1.0).sum())
        total += float(self._memory[self._far_places].sum())
        for piece in itertools.islice(self._pieces, 1):  # none without the array
            total += float(piece.sum())
        return total


def _scattered(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Knuth's multiplicative hash: numbers in no order, without a generator's version."""
    return (np.arange(count, dtype=np.uint64) * np.uint64(2654435761)) % np.uint64(2**32)
