"""Real pairs of systems, and changes drawn from them whose true effect is known."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Units = NDArray[np.int64]

PER_POINT = 100  # a point is .01, a unit .0001
PER_ONE = 10_000


@dataclass(frozen=True)
class Pair:
    """Two real systems' scores per query, in units of 1e-4.

    A `null` draws queries with replacement and gives each difference a fair random sign, so that
    the two versions are exchangeable. A `drop` does the same with an unfair coin, so that the
    true mean is the one asked for while every magnitude is a real one.
    """

    name: str
    before: Units
    gaps: Units

    @property
    def mean(self) -> float:
        return float(self.before.mean()) / PER_ONE

    @property
    def share(self) -> float:
        return float(np.mean(self.gaps != 0))

    @property
    def sd(self) -> float:
        """Of a fair swap's differences: their mean is zero."""
        return float(np.sqrt(np.mean(self.gaps.astype(float) ** 2))) / PER_ONE

    @cached_property
    def reach(self) -> float:
        """The largest true drop that unfair signs can make, in metric units."""
        return float(np.abs(self.gaps).mean()) / PER_ONE

    @cached_property
    def moved(self) -> Units:
        return self.gaps[self.gaps != 0]

    def null(self, rng: np.random.Generator, n: int) -> Units:
        return self.drop(rng, n, 0.0)

    def drop(self, rng: np.random.Generator, n: int, loss: float) -> Units:
        """Differences of n queries whose true mean is -loss."""
        if loss > self.reach:
            raise ValueError(f"{self.name} cannot lose {loss}")
        sizes = np.abs(self.gaps[rng.integers(0, len(self.gaps), n)])
        falls = rng.random(n) < 0.5 + 0.5 * loss / self.reach
        return np.where(falls, -sizes, sizes)

    def scores(self, rng: np.random.Generator, n: int) -> Units:
        """The older system's scores of n queries drawn with replacement."""
        return self.before[rng.integers(0, len(self.before), n)]


@dataclass(frozen=True)
class Few:
    """Five to twelve changed queries of n, whatever n is; magnitudes from a real pair."""

    name: str
    pair: Pair

    def null(self, rng: np.random.Generator, n: int) -> Units:
        gaps = np.zeros(n, dtype=np.int64)
        m = int(rng.integers(5, 13))
        sizes = np.abs(self.pair.moved[rng.integers(0, len(self.pair.moved), m)])
        gaps[:m] = sizes * rng.choice([-1, 1], m)
        return gaps


@dataclass(frozen=True)
class Skewed:
    """A harmless change that is not exchangeable: many small losses, rare big gains, mean zero.

    Losses are the smaller half of a real pair's magnitudes; gains come from its largest tenth, so
    much rarer that the true mean is zero. `share` of the queries change.
    """

    name: str
    pair: Pair
    share: float

    @cached_property
    def _halves(self) -> tuple[Units, Units]:
        sizes = np.sort(np.abs(self.pair.moved))
        return sizes[: len(sizes) // 2], sizes[-(len(sizes) // 10) :]

    @property
    def gain_share(self) -> float:
        """Of the changed queries, those that gain."""
        small, big = (float(half.mean()) for half in self._halves)
        return small / (small + big)

    def null(self, rng: np.random.Generator, n: int) -> Units:
        small, big = self._halves
        gaps = -small[rng.integers(0, len(small), n)]
        gains = big[rng.integers(0, len(big), n)]
        gaps = np.where(rng.random(n) < self.gain_share, gains, gaps)
        return np.where(rng.random(n) < self.share, gaps, 0)


@dataclass(frozen=True)
class Pairs:
    """Twelve systems on two collections, two metrics: read once, paired by name."""

    folder: Path

    def pair(self, name: str, table: str, before: str, after: str) -> Pair:
        columns = self._table(table)
        old, new = columns[before], columns[after]
        # The difference is rounded, not the scores, as the gate does.
        gaps = np.rint((new - old) * PER_ONE).astype(np.int64)
        return Pair(name, np.rint(old * PER_ONE).astype(np.int64), gaps)

    def _table(self, name: str) -> dict[str, NDArray[np.float64]]:
        with (self.folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(lines))
        values = np.array([[float(value) for value in row[1:]] for row in rows[1:]])
        return dict(zip(rows[0][1:], values.T, strict=True))

    @cached_property
    def barely(self) -> Pair:
        return self.pair("8 % changed", "scifact.ndcg10", "UMA-RAG", "CA-HR")

    @cached_property
    def parameter(self) -> Pair:
        return self.pair("parameter", "scifact.ndcg10", "BGE-Hybrid", "BGE-CA-HR")

    @cached_property
    def analyser(self) -> Pair:
        return self.pair("analyser", "scifact.ndcg10", "BM25", "Neural-Hybrid")

    @cached_property
    def system(self) -> Pair:
        return self.pair("system", "scifact.ndcg10", "BM25", "SBERT-Dense")

    @cached_property
    def graded(self) -> Pair:
        return self.pair("many relevant", "scidocs.ndcg10", "BM25", "SBERT-Dense")

    @cached_property
    def recall(self) -> Pair:
        return self.pair("recall", "scifact.recall10", "BGE-Dense", "RRF-BGE")

    @cached_property
    def few(self) -> Few:
        return Few("5 to 12 queries", self.barely)
