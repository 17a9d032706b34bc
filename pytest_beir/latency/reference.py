"""A fixed piece of work, timed between searches: what a machine can do at that moment.

A busy or throttled machine slows the reference and the search alike, so their ratio stays where
their seconds do not. It holds what searching does too: sorting, reading memory here and there,
arithmetic over arrays, and a loop of Python.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

_NUMBERS = 1 << 14
_LOOP = 2000


class Reference:
    """The fixed work; the same numbers on every machine."""

    def __init__(self) -> None:
        # Knuth's multiplicative hash: numbers in no order, without a generator's version.
        mixed = (np.arange(_NUMBERS, dtype=np.uint64) * np.uint64(2654435761)) % np.uint64(2**32)
        self._places = (mixed % np.uint64(_NUMBERS)).astype(np.intp)
        self._values = mixed.astype(np.float64) / 2.0**32
        self._counts = {number: number * 7 % 1009 for number in range(_LOOP)}

    def seconds(self) -> float:
        """The wall time, in seconds, that the work takes now: about a millisecond."""
        start = perf_counter()
        ordered = np.sort(self._values)
        gathered = ordered[self._places]
        total = float(np.sqrt(gathered * gathered + 1.0).sum())
        for number, count in self._counts.items():
            total += number * count
        return perf_counter() - start
