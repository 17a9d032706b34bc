"""`within tolerance`: how often it is claimed of a drop as large as the margin, and of nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from benchmarks.calibration import gate
from benchmarks.calibration.monte_carlo import Rate, rate, share_of, stream
from benchmarks.calibration.pairs import PER_ONE
from benchmarks.calibration.small_sets import LEVELS as SHARES
from pytest_beir.gate.bootstrap import bootstrap
from pytest_beir.gate.evidence import SAME_EFFECT, variance_spread
from pytest_beir.gate.one_more_query import bootstrap_with_one_more
from pytest_beir.gate.power import FEWEST_QUERIES, detectable_drop, queries_to_exclude

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs, Units

QUERIES = (30, 50, 100, 150)
REPLICATES = {False: 200, True: 600}  # below the floor, and from there on
HARMLESS = 60
PROMISES = 1000
SAMPLE = 100  # queries that a promise is made from
_MOST_PROMISED = 20_000
LOWER = 0.05


@dataclass(frozen=True)
class Evenly:
    """A change by unfair signs: every query may lose or gain a little."""

    pair: Pair

    @property
    def name(self) -> str:
        return f"unfair signs, {self.pair.name}"

    @property
    def mean(self) -> float:
        return self.pair.mean

    def change(self, rng: np.random.Generator, n: int, loss: float) -> tuple[Units, float]:
        """Differences whose true mean is -loss, and the mean of the baseline's sample."""
        return self.pair.drop(rng, n, loss), self.pair.mean


@dataclass(frozen=True)
class Broken:
    """Sparse breakage: some queries lose all they had, a few others jitter without a direction."""

    name: str
    scores: Units
    jitter: Pair
    share: float = 1.0

    @cached_property
    def mean(self) -> float:
        return float(self.scores.mean()) / PER_ONE

    def change(self, rng: np.random.Generator, n: int, loss: float) -> tuple[Units, float]:
        before = self.scores[rng.integers(0, len(self.scores), n)]
        moved = np.where(rng.random(n) < self.share, self.jitter.null(rng, n), 0)
        broken = rng.random(n) < loss / self.mean
        return np.where(broken, -before, moved), float(before.mean()) / PER_ONE


Population: TypeAlias = Evenly | Broken


@dataclass(frozen=True)
class Claims:
    """Claims of one population by queries: at a true drop of the margin, and of no change.

    `before` is by the bound without the lost query. How many queries are asked for is another
    matter: here none are.
    """

    name: str
    n: int
    wrong_before: Rate
    wrong: Rate
    harmless_before: Rate
    harmless: Rate


@dataclass(frozen=True)
class Promise:
    """How often the promised number of queries excludes the margin, where nothing dropped.

    `n` and `kept` are those of the change's own deviation; `typical` is the median number that a
    sample of such queries promises, and `kept_by_samples` how often each sample's number does.
    """

    name: str
    n: int
    kept: Rate
    typical: int
    kept_by_samples: Rate


@dataclass(frozen=True)
class Detected:
    """How often a drop of the detectable size is `regressed`: four times in five is said."""

    name: str
    level: str
    n: int
    mde: float
    found: Rate


@dataclass(frozen=True)
class Tolerance:
    claims: tuple[Claims, ...]
    promises: tuple[Promise, ...]
    detected: tuple[Detected, ...]


def populations(pairs: Pairs) -> tuple[Population, ...]:
    low = pairs.pair("low recall", "scidocs.recall10", "BM25", "SBERT-Dense")
    return (
        Evenly(pairs.parameter),
        Evenly(pairs.analyser),
        Evenly(pairs.system),
        Evenly(pairs.graded),
        Evenly(pairs.recall),
        Broken("breakage, one relevant document", pairs.barely.before, pairs.barely),
        Broken("breakage, many relevant, low mean", pairs.graded.before, pairs.graded, 0.08),
        Broken("breakage, recall", pairs.recall.before, pairs.recall, 0.3),
        Broken("breakage, low recall", low.before, low, 0.08),
    )


def measure(pairs: Pairs, _runs: Path, scale: float) -> Tolerance:
    claims = tuple(
        _claims(
            population,
            n,
            share_of(REPLICATES[n >= FEWEST_QUERIES], scale),
            share_of(HARMLESS, scale),
        )
        for population in populations(pairs)
        for n in QUERIES
    )
    changes = (pairs.parameter, pairs.analyser, pairs.graded, pairs.recall)
    promises = tuple(_promise(pair, share_of(PROMISES, scale)) for pair in changes)
    detected = tuple(
        _detected(pair, level, n, share_of(PROMISES, scale))
        for pair, level, n in (
            (pairs.parameter, "alone", 100),
            (pairs.analyser, "alone", 100),
            (pairs.analyser, "one of 20 tests", 300),
            (pairs.system, "one of 20 tests", 1000),
        )
    )
    return Tolerance(claims, promises, detected)


def excludes(units: Units, mean: float, *, with_lost: bool = True) -> bool:
    """Whether a drop of the margin is excluded, whatever the number of queries."""
    margin = gate.limits(mean).margin
    # The bound never lies above the mean, nor above that of the plain bootstrap.
    if units.mean() / PER_ONE <= -margin:
        return False
    differences = gate.differences(units)
    if bootstrap(differences).quantile(LOWER) < -margin - SAME_EFFECT:
        return False
    lost = -round(mean * PER_ONE) if with_lost else 0
    _, more = bootstrap_with_one_more(differences, lost)
    return more.quantile(LOWER) >= -margin - SAME_EFFECT


def _claims(population: Population, n: int, replicates: int, harmless: int) -> Claims:
    rng = stream("tolerance", population.name, n)
    margin = gate.limits(population.mean).margin
    found: dict[tuple[bool, float], list[bool]] = {}
    for loss, count in ((margin, replicates), (0.0, harmless)):
        for _ in range(count):
            units, mean = population.change(rng, n, loss)
            # A claim by the stricter bound is one by the other, and without change there is none.
            before = bool(units.any()) and excludes(units, mean, with_lost=False)
            found.setdefault((False, loss), []).append(before)
            # Where a query lost as much as the mean, both bounds are one.
            is_seen = float(units.min()) <= -mean * PER_ONE
            found.setdefault((True, loss), []).append(before and (is_seen or excludes(units, mean)))
    return Claims(
        population.name,
        n,
        rate(found[False, margin]),
        rate(found[True, margin]),
        rate(found[False, 0.0]),
        rate(found[True, 0.0]),
    )


def _promise(pair: Pair, replicates: int) -> Promise:
    """From a sample of the change itself, as `N queries would exclude` is computed."""
    rng = stream("promise", pair.name)
    margin = gate.limits(pair.mean).margin
    worst = min(-pair.mean, float(pair.gaps.min()) / PER_ONE)
    n = queries_to_exclude(margin, pair.sd, worst) or _MOST_PROMISED
    kept = [excludes(pair.null(rng, n), pair.mean) for _ in range(replicates)]
    promised, by_samples = [], []
    for _ in range(replicates):
        sample = pair.null(rng, SAMPLE)
        needed = _needed(sample, pair.mean, margin)
        # A summary says a number only where it is more than there are.
        if SAMPLE < needed <= _MOST_PROMISED:
            promised.append(needed)
            by_samples.append(excludes(pair.null(rng, needed), pair.mean))
    return Promise(pair.name, n, rate(kept), int(np.median(promised or [0])), rate(by_samples))


def _needed(units: Units, mean: float, margin: float) -> int:
    sd = float(units.std(ddof=1)) / PER_ONE
    worst = min(-mean, float(units.min()) / PER_ONE)
    spread = variance_spread(gate.differences(units))
    return (queries_to_exclude(margin, sd, worst, spread=spread) if sd else None) or 0


def _detected(pair: Pair, level: str, n: int, replicates: int) -> Detected:
    rng = stream("detected", pair.name, level, n)
    limits = gate.limits(pair.mean)
    alpha = SHARES[level]
    mde = detectable_drop(pair.sd, n, alpha)
    found = [gate.is_regressed(pair.drop(rng, n, mde), alpha, limits) for _ in range(replicates)]
    return Detected(pair.name, level, n, mde, rate(found))
