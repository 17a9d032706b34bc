"""What is found of a real drop of one and two points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration import gate, rivals
from benchmarks.calibration.monte_carlo import Rate, rate, share_of, stream
from pytest_beir.gate.evidence import TOLERANCE

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs

LOSSES = (0.01, 0.02)
QUERIES = (50, 300, 1000, 5000)
LEVELS = (0.05, 0.05 / 18)
REPLICATES = 100
TESTS = ("gate", "bootstrap", "t", "sign-flip")


@dataclass(frozen=True)
class Cell:
    """The share of real drops found: by test and level, and by the tools with their own rule."""

    source: str
    n: int
    loss: float
    by_level: dict[str, tuple[Rate, ...]]
    own_rule: dict[str, Rate]


def measure(pairs: Pairs, _runs: Path, scale: float) -> tuple[Cell, ...]:
    return tuple(
        _cell(pair, n, loss, scale)
        for pair in (pairs.parameter, pairs.analyser)
        for loss in LOSSES
        if loss <= pair.reach
        for n in QUERIES
    )


def _cell(pair: Pair, n: int, loss: float, scale: float) -> Cell:
    rng = stream("power", pair.name, n, loss)
    least = gate.limits(pair.mean).min_effect
    found: dict[str, list[float]] = {name: [] for name in TESTS}
    student, threshold = [], []
    for _ in range(share_of(REPLICATES, scale)):
        units = pair.drop(rng, n, loss)
        parts = gate.both_parts(units) if units.sum() < 0 else gate.Drop(1.0, 1.0)
        matters = units.mean() / 1e4 <= -least + TOLERANCE
        found["gate"].append(parts.p if matters else 1.0)
        found["sign-flip"].append(parts.p_signflip)
        found["bootstrap"].append(parts.p_bootstrap)
        found["t"].append(rivals.t_test(units))
        student.append(rivals.ranx_finds_a_drop(pair.scores(rng, n), units))
        threshold.append(rivals.falls_below_threshold(units))
    by_level = {
        name: tuple(rate(np.asarray(p) <= level + TOLERANCE) for level in LEVELS)
        for name, p in found.items()
    }
    own_rule = {"ranx compare": rate(student), "threshold .01": rate(threshold)}
    return Cell(pair.name, n, loss, by_level, own_rule)
