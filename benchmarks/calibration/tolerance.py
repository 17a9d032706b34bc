"""`within tolerance`: how often it is claimed of a drop as large as the margin, and of nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from benchmarks.calibration import gate
from benchmarks.calibration.monte_carlo import Rate, rate, stream
from benchmarks.calibration.pairs import PER_ONE
from pytest_beir.gate.evidence import SAME_EFFECT
from pytest_beir.gate.one_more_query import bootstrap_with_one_more
from pytest_beir.gate.power import queries_to_exclude

if TYPE_CHECKING:
    from benchmarks.calibration.pairs import Pair, Pairs, Units

QUERIES = (30, 50, 75, 100, 150)
PROMISED = ("parameter", "analyser")
REPLICATES = 400
_LOWER = 0.05
_OLD_FLOOR = 30


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

    `before` is by the bound without the lost query, with no more than 30 queries asked for.
    """

    name: str
    n: int
    wrong_before: Rate
    wrong: Rate
    harmless_before: Rate
    harmless: Rate


@dataclass(frozen=True)
class Promise:
    """How often the promised number of queries excludes the margin, where nothing dropped."""

    name: str
    n: int
    kept: Rate


@dataclass(frozen=True)
class Tolerance:
    claims: tuple[Claims, ...]
    promises: tuple[Promise, ...]


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


def measure(pairs: Pairs, scale: float) -> Tolerance:
    replicates = max(20, round(REPLICATES * scale))
    claims = tuple(
        _claims(population, n, replicates) for population in populations(pairs) for n in QUERIES
    )
    promises = tuple(
        _promise(pair, replicates)
        for pair in (pairs.parameter, pairs.analyser, pairs.graded, pairs.recall)
    )
    return Tolerance(claims, promises)


def excludes(units: Units, mean: float, *, with_lost: bool) -> bool:
    """Whether a drop of the margin is excluded, whatever the number of queries."""
    margin = gate.limits(mean).margin
    # The bound never lies above the mean.
    if units.mean() / PER_ONE <= -margin:
        return False
    lost = -round(mean * PER_ONE) if with_lost else 0
    plain, more = bootstrap_with_one_more(gate.differences(units), lost)
    return min(plain.quantile(_LOWER), more.quantile(_LOWER)) >= -margin - SAME_EFFECT


def _claims(population: Population, n: int, replicates: int) -> Claims:
    rng = stream("tolerance", population.name, n)
    margin = gate.limits(population.mean).margin
    found: dict[tuple[bool, float], list[bool]] = {}
    for _ in range(replicates):
        for loss in (margin, 0.0):
            units, mean = population.change(rng, n, loss)
            # A claim by the stricter bound is one by the other, and without change there is none.
            before = bool(units.any()) and excludes(units, mean, with_lost=False)
            found.setdefault((False, loss), []).append(before)
            found.setdefault((True, loss), []).append(
                before and excludes(units, mean, with_lost=True)
            )
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
    n = queries_to_exclude(margin, pair.sd, worst)
    kept = [excludes(pair.null(rng, n), pair.mean, with_lost=True) for _ in range(replicates)]
    return Promise(pair.name, n, rate(kept))
