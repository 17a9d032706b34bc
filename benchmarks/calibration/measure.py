"""Everything that one run measures, chapter by chapter."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.calibration import (
    harmless,
    pools,
    power,
    releases,
    single_test,
    small_sets,
    suites,
    tolerance,
)
from benchmarks.calibration.results import Results

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.calibration.pairs import Pairs

# Those that take longest first.
_CHAPTERS = {
    "tolerance": tolerance.measure,
    "sessions": harmless.measure,
    "single": single_test.measure,
    "suites": suites.measure,
    "small": small_sets.measure,
    "histories": releases.measure,
    "power": power.measure,
    "pools": pools.measure,
}


def measure(pairs: Pairs, runs: Path, scale: float, jobs: int = 1) -> Results:
    """All chapters with a share of their replicates; each says what CPU time it took.

    Every cell has random numbers of its own, so the results do not depend on `jobs`, the number of
    chapters that are measured at a time.
    """
    chapter = partial(_chapter, pairs=pairs, runs=runs, scale=scale)
    if jobs == 1:
        return Results(**dict(map(chapter, _CHAPTERS)))
    with ProcessPoolExecutor(jobs) as pool:
        return Results(**dict(pool.map(chapter, _CHAPTERS)))


def _chapter(name: str, *, pairs: Pairs, runs: Path, scale: float) -> tuple[str, Any]:
    start = time.process_time()
    found = _CHAPTERS[name](pairs, runs, scale)
    print(f"{name}: {time.process_time() - start:.1f} CPU s", flush=True)
    return name, found
