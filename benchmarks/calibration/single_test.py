"""One test on a harmless change: how often it fails, by level, queries and changed queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from benchmarks.calibration import gate, rivals
from benchmarks.calibration.monte_carlo import LEVELS, Rate, rate, share_of, stream
from benchmarks.calibration.pairs import Few, Skewed
from pytest_beir.gate.evidence import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs, Units

Source: TypeAlias = "Pair | Few | Skewed"

QUERIES = (50, 100, 300, 1000, 3000, 10_000)
SKEWED_QUERIES = (50, 300, 1000, 10_000)
RIVAL_QUERIES = (50, 300)
REPLICATES, SKEWED_REPLICATES, RIVAL_REPLICATES = 500, 300, 250
SLOW_QUERIES, SLOW_REPLICATES = 50, 120  # scipy's bootstrap takes its time
_SPOT_CHECKED = 50  # one replicate in so many is compared with the full verdict
HALF = 0.5


@dataclass(frozen=True)
class Cell:
    """False alarms of the gate's test in one cell, by level."""

    source: str
    n: int
    changed: float
    rates: tuple[Rate, ...]


@dataclass(frozen=True)
class SkewedCell:
    """The same for drops alone, with what three other tests do; `rates` by test, then level."""

    source: str
    n: int
    rates: dict[str, tuple[Rate, ...]]


@dataclass(frozen=True)
class RivalCell:
    """All tools on the same replicates: by level, and those with a rule of their own."""

    source: str
    n: int
    by_level: dict[str, tuple[Rate, ...]]
    own_rule: dict[str, Rate]


@dataclass(frozen=True)
class SingleTest:
    cells: tuple[Cell, ...]
    skewed: tuple[SkewedCell, ...]
    rivals: tuple[RivalCell, ...]
    checked: int
    disagreed: int


def sources(pairs: Pairs) -> tuple[Source, ...]:
    return (pairs.few, pairs.barely, pairs.analyser, pairs.recall, pairs.system, pairs.graded)


def skews(pairs: Pairs) -> tuple[Skewed, ...]:
    return (
        Skewed("mild: half change", pairs.system, 0.5),
        Skewed("strong: a tenth changes", pairs.analyser, 0.1),
    )


def measure(pairs: Pairs, _runs: Path, scale: float) -> SingleTest:
    checks: list[bool] = []
    cells = tuple(
        _cell(source, n, share_of(REPLICATES, scale), checks)
        for source in sources(pairs)
        for n in QUERIES
    )
    skewed = tuple(
        _skewed(source, n, share_of(SKEWED_REPLICATES, scale))
        for source in skews(pairs)
        for n in SKEWED_QUERIES
    )
    beside = tuple(
        _rivals(
            source,
            n,
            share_of(RIVAL_REPLICATES, scale),
            share_of(SLOW_REPLICATES, scale) if n <= SLOW_QUERIES else 0,
        )
        for source in (pairs.few, pairs.analyser)
        for n in RIVAL_QUERIES
    )
    return SingleTest(cells, skewed, beside, len(checks), checks.count(False))


def reflected(units: Units) -> Units:
    """The drop among a change and its mirror image, which are equally likely.

    Counted at one half, it stands for both directions at the cost of one.
    """
    return -units if units.sum() > 0 else units


def _below(p: Sequence[float], per_hit: float = HALF) -> tuple[Rate, ...]:
    values = np.asarray(p)
    return tuple(rate(values <= level + TOLERANCE, per_hit) for level in LEVELS)


def _cell(source: Source, n: int, replicates: int, checks: list[bool]) -> Cell:
    rng = stream("single", source.name, n)
    found, changed = [], []
    for each in range(replicates):
        units = reflected(source.null(rng, n))
        changed.append(np.count_nonzero(units))
        found.append(gate.p_drop(units))
        if each % _SPOT_CHECKED == 0:
            effective = gate.limits(0.5)
            checks.append(gate.agrees_with_the_verdict(units, LEVELS[0], effective))
    return Cell(source.name, n, float(np.mean(changed)), _below(found))


def _skewed(source: Skewed, n: int, replicates: int) -> SkewedCell:
    rng = stream("skewed", source.name, n)
    found: dict[str, list[float]] = {name: [] for name in ("gate", "sign-flip", "bootstrap", "t")}
    for _ in range(replicates):
        units = source.null(rng, n)
        # Nothing is skipped that any of the four could call a drop.
        parts = gate.both_parts(units) if units.sum() < 0 else gate.Drop(1.0, 1.0)
        found["gate"].append(parts.p)
        found["sign-flip"].append(parts.p_signflip)
        found["bootstrap"].append(parts.p_bootstrap)
        found["t"].append(rivals.t_test(units))
    return SkewedCell(source.name, n, {name: _below(p, 1.0) for name, p in found.items()})


def _rivals(source: Pair | Few, n: int, replicates: int, slow: int) -> RivalCell:
    rng = stream("rivals", source.name, n)
    base = source.pair if isinstance(source, Few) else source
    found: dict[str, list[float]] = {name: [] for name in ("gate", "sign-flip", "bootstrap", "t")}
    percentile, bca, student, fisher, threshold = [], [], [], [], []
    for each in range(replicates):
        units = reflected(source.null(rng, n))
        parts = gate.both_parts(units) if units.any() else gate.Drop(1.0, 1.0)
        found["gate"].append(parts.p)
        found["sign-flip"].append(parts.p_signflip)
        found["bootstrap"].append(parts.p_bootstrap)
        found["t"].append(rivals.t_test(units))
        before = base.scores(rng, n)
        student.append(rivals.ranx_finds_a_drop(before, units))
        threshold.append(rivals.falls_below_threshold(units))
        if each < slow:
            intervals = rivals.scipy_bootstrap(units, LEVELS, rng)
            percentile.append(intervals.percentile)
            bca.append(intervals.bca)
            if rivals.ranx_test() is not None:
                fisher.append(rivals.ranx_finds_a_drop(before, units, "fisher"))
    by_level = {name: _below(p) for name, p in found.items()}
    for name, flags in (("scipy percentile", percentile), ("scipy BCa", bca)):
        by_level[name] = tuple(rate([row[k] for row in flags], HALF) for k in range(len(LEVELS)))
    own_rule = {
        "ranx compare": rate(student, HALF),
        "ranx compare, Fisher": rate(fisher, HALF),
        "threshold .01": rate(threshold, HALF),
    }
    return RivalCell(source.name, n, by_level, own_rule)
