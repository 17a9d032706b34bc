"""Harmless sessions of a suite: which flags show, what fails by them, and a year of changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration import gate, rivals
from benchmarks.calibration.monte_carlo import Rate, share_of, stream
from benchmarks.calibration.pairs import PER_ONE
from benchmarks.calibration.suites import FAMILY, LEVEL, QUERIES, is_at_most, least_p
from pytest_beir.flags import STRICT_BY_DEFAULT
from pytest_beir.gate.evidence import SAME_EFFECT
from pytest_beir.gate.power import FEWEST_QUERIES
from pytest_beir.gate.verdict import SUSPECT, has_drifted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs, Units
    from pytest_beir.gate.family import Limits

CHANGES = (20, 50, 100)
FLAGS = ("regressed", "likely-drop", "suspect", "drift", "stale-baseline", "inconclusive")
REPLICATES = 800
_FEWEST_LOST = 4
_WITHOUT = 100  # sessions that are also judged by earlier rules, and without sharing alpha


@dataclass(frozen=True)
class Sessions:
    """The share of harmless sessions in which a flag shows; `regressed` is the verdict.

    `adds` are sessions that fail by one flag more than by verdicts, `strict` those that fail under
    the default list. `anchored` fail by verdicts where one harmless step was taken before, and an
    anchor is tested too. `uncorrected` would fail if each dataset were tested at all of alpha,
    `threshold` by a fixed limit. `old_likely` and `old_drift` are sessions in which the earlier
    rules of these flags held.
    """

    source: str
    sd: float
    shown: dict[str, Rate]
    adds: dict[str, Rate]
    strict: Rate
    anchored: Rate
    uncorrected: Rate
    threshold: Rate
    old_likely: Rate
    old_drift: Rate


def kinds(pairs: Pairs) -> tuple[Pair, ...]:
    """Every kind of harmless change."""
    return (
        pairs.barely,
        pairs.parameter,
        pairs.analyser,
        pairs.graded,
        pairs.recall,
        pairs.system,
    )


def measure(pairs: Pairs, _runs: Path, scale: float) -> tuple[Sessions, ...]:
    return tuple(
        _sessions(pair, *(share_of(count, scale) for count in (REPLICATES, _WITHOUT)))
        for pair in kinds(pairs)
    )


def is_likely(units: Units, p_drop: float, margin: float, level: float) -> bool:
    """Whether a dataset that did not regress at `level` shows `likely-drop`."""
    if units.mean() / PER_ONE > -margin + SAME_EFFECT:
        return False
    worse = int(np.count_nonzero(units < 0))
    is_one_sided = not (units > 0).any() and (worse >= _FEWEST_LOST or worse == len(units))
    return is_one_sided or is_at_most(p_drop, FAMILY.likely(level))


def is_inconclusive(units: Units, limits: Limits) -> bool:
    """Whether a dataset below the floor that did not regress is neither unchanged nor improved."""
    return (
        len(units) < FEWEST_QUERIES
        and bool(units.any())
        and not gate.is_regressed(-units, LEVEL, limits)
    )


def _sessions(pair: Pair, replicates: int, without: int) -> Sessions:
    rng = stream("harmless", pair.name)
    hits: Counter[str] = Counter()
    adds: Counter[str] = Counter()
    for number in range(replicates):
        gaps = [pair.null(rng, n) for n in QUERIES.values()]
        earlier = [pair.null(rng, n) for n in QUERIES.values()]
        shown = set(_shown(pair, gaps, earlier))
        if number < without:
            shown |= {f"without {name}" for name in _by_other_rules(pair, gaps)}
        hits.update(shown)
        adds.update(name for name in FLAGS if shown & {"regressed", name})
        hits["strict"] += bool(shown & {"regressed", *STRICT_BY_DEFAULT})

    def of(name: str) -> Rate:
        return Rate(hits[f"without {name}"], min(without, replicates))

    return Sessions(
        pair.name,
        pair.sd,
        {name: Rate(hits[name], replicates) for name in FLAGS},
        {name: Rate(adds[name], replicates) for name in FLAGS},
        Rate(hits["strict"], replicates),
        Rate(hits["anchored"], replicates),
        of("correction"),
        of("a test"),
        of("the new likely-drop"),
        of("a step"),
    )


def _shown(pair: Pair, gaps: Sequence[Units], earlier: Sequence[Units]) -> Iterator[str]:
    """The flags of a session, and whether its verdicts fail, with the earlier step or without."""
    limits = gate.limits(pair.mean)
    p = [gate.p_drop(units, SUSPECT) for units in gaps]
    least = least_p(gaps, pair.mean, LEVEL)
    if is_at_most(least, LEVEL):
        yield "regressed"
    calm = [
        (units, p_drop)
        for units, p_drop in zip(gaps, p, strict=True)
        if not (gate.falls(units, limits) and is_at_most(p_drop, LEVEL))
    ]
    if any(is_likely(units, p_drop, limits.margin, LEVEL) for units, p_drop in calm):
        yield "likely-drop"
    if any(is_at_most(p_drop, SUSPECT) for _, p_drop in calm):
        yield "suspect"
    if any(gate.is_regressed(-units, LEVEL, limits) for units in gaps):
        yield "stale-baseline"
    if any(is_inconclusive(units, limits) for units, _ in calm):
        yield "inconclusive"
    since = [one + other for one, other in zip(gaps, earlier, strict=True)]
    if any(has_drifted(units.mean() / PER_ONE, limits.margin) for units in since):
        yield "drift"
    half = LEVEL / 2
    if is_at_most(least, half) or is_at_most(least_p(since, pair.mean, half), half):
        yield "anchored"


def _by_other_rules(pair: Pair, gaps: Sequence[Units]) -> Iterator[str]:
    limits = gate.limits(pair.mean)
    fallen = [units for units in gaps if gate.falls(units, limits)]
    significant = [units for units in fallen if is_at_most(gate.p_drop(units), FAMILY.alpha)]
    if significant:
        yield "correction"
    if any(rivals.falls_below_threshold(units) for units in gaps):
        yield "a test"
    if any(
        units.mean() / PER_ONE <= -limits.margin and not gate.is_regressed(units, LEVEL, limits)
        for units in significant
    ):
        yield "the new likely-drop"
    if any(has_drifted(units.mean() / PER_ONE, limits.margin) for units in gaps):
        yield "a step"
