"""Shallow pools cut from deep judgements: what `pool-suspect` is worth.

The judgements of a collection that was judged deeply serve as the truth. A pool holds the top of
the baseline and of some other systems; all else counts as unjudged, which hurts a candidate that
the pool does not hold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path  # noqa: TC003 - a field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from benchmarks.calibration import gate
from benchmarks.calibration.monte_carlo import stream
from pytest_beir.explanation.pool import check_pool
from pytest_beir.gate.differences import difference, pair
from pytest_beir.gate.evidence import SAME_EFFECT, TOLERANCE
from pytest_beir.retrieval.run_files import read_run
from pytest_beir.scoring.ranking import order
from pytest_beir.scoring.scorer import JUDGED, Scores, score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.calibration.pairs import Pairs
    from pytest_beir.explanation.pool import PoolCheck

    Qrels: TypeAlias = dict[str, dict[str, int]]
    Run: TypeAlias = Mapping[str, Mapping[str, float]]
    Truth: TypeAlias = Literal["spurious", "between", "genuine"]

METRIC = "nDCG@10"
LEVEL = 0.05
DEPTHS = (5, 10, 20)
OTHERS = (0, 1, 2, 3)  # systems that share the pool with the baseline
THINNED = (0.0, 0.2, 0.4)  # chance that a document vanishes from the candidate's ranking
_TOP_K = 100
_SHORT = 20  # no condensed ranking to speak of


@dataclass(frozen=True)
class Case:
    """A drop that fails on the shallow pool.

    It is `genuine` where full judgements fail it too, `spurious` where on them the mean falls by
    less than min_effect, and lies `between` otherwise. `others` share the pool with the
    baseline; `is_short` says that one of the two systems answers but a dozen documents a query.
    """

    pair: tuple[str, str]
    depth: int
    others: int
    thinned: float
    is_short: bool
    truth: Truth
    flagged: bool
    fall: float
    artefact: float


@dataclass(frozen=True)
class Share:
    """A share with its jackknife error over pairs of systems: cases of one pair are kin."""

    hits: int
    of: int
    error: float

    def __str__(self) -> str:
        if not self.of:
            return "–"
        error = "?" if math.isnan(self.error) else f"{100 * self.error:.0f}"
        return f"{100 * self.hits / self.of:.0f} ± {error}"


@dataclass(frozen=True)
class Cases:
    """Some of the cases, and what the flag is worth on them."""

    cases: tuple[Case, ...]

    def where(self, holds: Callable[[Case], bool]) -> Cases:
        return Cases(tuple(case for case in self.cases if holds(case)))

    def count(self, truth: Truth) -> int:
        return sum(case.truth == truth for case in self.cases)

    def flagged(self, truth: Truth) -> Share:
        return _share([(c.pair, c.flagged) for c in self.cases if c.truth == truth])

    def unflagged(self, *truths: Truth) -> Share:
        """Of the unflagged, the share that is one of `truths`."""
        return _share([(c.pair, c.truth in truths) for c in self.cases if not c.flagged])

    @property
    def slope(self) -> float:
        """The artefact (what the pool adds to a drop) per fall of judged@10, through zero."""
        fall = np.array([case.fall for case in self.cases])
        artefact = np.array([case.artefact for case in self.cases])
        return float(fall @ artefact / (fall @ fall)) if len(fall) else math.nan


@dataclass(frozen=True)
class Pools:
    tried: int
    found: Cases


@dataclass(frozen=True)
class Collection:
    """Submitted runs, cut to what is scored, and judgements that count as complete."""

    folder: Path

    @cached_property
    def qrels(self) -> Qrels:
        grades: Qrels = {}
        with (self.folder / "qrels.txt").open(encoding="utf-8") as lines:
            for line in lines:
                query, _, document, grade = line.split()
                grades.setdefault(query, {})[document] = int(grade)
        return grades

    @cached_property
    def runs(self) -> dict[str, Run]:
        """Each system's best hundred, the score being minus the rank."""
        return {
            path.stem: {
                query: _ranked(order(documents, depth=2 * _TOP_K))
                for query, documents in read_run(path).items()
            }
            for path in sorted(self.folder.glob("*.trec"))
        }

    def pool(self, systems: Sequence[str], depth: int) -> Qrels:
        """The judgements of what these systems have at the top."""
        return {
            query: {
                document: grades[document]
                for system in systems
                for document in list(self.runs[system].get(query, ()))[:depth]
                if document in grades
            }
            for query, grades in self.qrels.items()
        }


def measure(_pairs: Pairs, folder: Path, scale: float) -> Pools:
    collection = Collection(folder)
    names = list(collection.runs)
    depths = DEPTHS if scale >= 1.0 else DEPTHS[:1]
    short = {name for name, run in collection.runs.items() if max(map(len, run.values())) <= _SHORT}
    candidates = {
        (name, share): _thinned(collection.runs[name], share, name)
        for name in names
        for share in (THINNED if scale >= 1.0 else THINNED[:2])
    }

    @cache
    def full(name: str, share: float) -> Scores:
        return score(collection.qrels, candidates[name, share], (METRIC,))

    tried, cases = 0, []
    for baseline in names:
        for size in OTHERS:
            for others in combinations([name for name in names if name != baseline], size):
                for depth in depths:
                    pool = collection.pool((baseline, *others), depth)
                    before = score(pool, collection.runs[baseline], (METRIC,))
                    for (name, share), run in candidates.items():
                        if name == baseline or name in others:
                            continue
                        tried += 1
                        failing = _failing(pool, before, run)
                        if failing is None:
                            continue
                        true = _compare(full(baseline, 0.0), full(name, share))
                        cases.append(
                            Case(
                                (baseline, name),
                                depth,
                                size,
                                share,
                                bool({baseline, name} & short),
                                _truth(true),
                                failing.check.flag == "pool-suspect",
                                failing.check.judged_fall,
                                true.delta - failing.delta,
                            )
                        )
    return Pools(tried, Cases(tuple(cases)))


@dataclass(frozen=True)
class _Compared:
    delta: float
    matters: bool
    is_regressed: bool


@dataclass(frozen=True)
class _Failing:
    delta: float
    check: PoolCheck


def _failing(pool: Qrels, before: Scores, run: Run) -> _Failing | None:
    now = score(pool, run, (METRIC,))
    shallow = _compare(before, now)
    if not shallow.is_regressed:
        return None
    check = check_pool(
        METRIC,
        pool,
        (before.judged, now.judged),
        (before.top10, now.top10),
        (_mean(before, JUDGED), _mean(now, JUDGED)),
        level=LEVEL,
    )
    return _Failing(shallow.delta, check)


def _truth(true: _Compared) -> Truth:
    if true.is_regressed:
        return "genuine"
    return "between" if true.matters else "spurious"


def _compare(before: Scores, now: Scores) -> _Compared:
    differences = difference([pair(before.values[METRIC], now.values[METRIC])], [Fraction(1)])
    least = gate.limits(_mean(before, METRIC)).min_effect
    matters = differences.effect <= -least + SAME_EFFECT
    is_regressed = matters and gate.p_drop_of(differences, LEVEL) <= LEVEL + TOLERANCE
    return _Compared(differences.effect, matters, is_regressed)


def _mean(scores: Scores, metric: str) -> float:
    return math.fsum(scores.values[metric].values()) / len(scores.values[metric])


def _thinned(run: Run, share: float, name: str) -> Run:
    """The ranking after each document vanished with a chance of `share`: a system gone worse."""
    rng = stream("pools", name, share)
    return {
        query: _ranked([document for document in documents if rng.random() >= share])
        for query, documents in run.items()
    }


def _ranked(documents: Sequence[str]) -> dict[str, float]:
    return {document: -float(place) for place, document in enumerate(documents[: 2 * _TOP_K])}


def _share(flags: Sequence[tuple[tuple[str, str], bool]]) -> Share:
    pairs = sorted({systems for systems, _ in flags})
    hits, of = sum(flag for _, flag in flags), len(flags)
    left_out = []
    for left in pairs:
        rest = [flag for other, flag in flags if other != left]
        if rest:
            left_out.append(sum(rest) / len(rest))
    g = len(left_out)
    error = math.sqrt((g - 1) * float(np.var(left_out))) if g > 1 else math.nan
    return Share(hits, of, error)
