"""Twenty to fifty queries: what is found of a loss, and what recall finds beside nDCG."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration import gate
from benchmarks.calibration.harmless import is_likely
from benchmarks.calibration.monte_carlo import Rate, rate, share_of, stream
from benchmarks.calibration.pairs import PER_ONE
from benchmarks.calibration.pools import Collection
from benchmarks.calibration.suites import FAMILY, is_at_most
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.scoring.scorer import score_run

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs, Units

QUERIES = (20, 30, 50)
LEVEL = 0.05
LEVELS = {"alone": LEVEL, f"one of {FAMILY.tests} tests": FAMILY.level("scifact")}
LOST = (0.0, 0.1, 0.2)
TOPICS = 50
REPLICATES, VANISHED_REPLICATES = 300, 80
# The share of documents that is gone, and the rank from which on documents can go.
VANISHED = ((0.0, 1), (0.02, 1), (0.05, 1), (0.05, 11), (0.1, 11))


@dataclass(frozen=True)
class Small:
    """Verdicts on sets of n queries of which a share is lost altogether, the others jittering."""

    n: int
    level: str
    lost: float
    regressed: Rate
    likely: Rate
    improved: Rate


@dataclass(frozen=True)
class Vanished:
    """A share of the documents is gone from each ranking, from a rank on.

    Found by nDCG@10 alone, by either of two gated metrics, and by R@100 of these.
    """

    share: float
    since: int
    ndcg: Rate
    both: Rate
    recall: Rate


@dataclass(frozen=True)
class SmallSets:
    small: tuple[Small, ...]
    vanished: tuple[Vanished, ...]


def measure(pairs: Pairs, runs: Path, scale: float) -> SmallSets:
    replicates = share_of(REPLICATES, scale)
    collection = Collection(runs)
    return SmallSets(
        tuple(
            _small(pairs.barely, n, name, lost, replicates)
            for name in LEVELS
            for lost in LOST
            for n in QUERIES
        ),
        tuple(
            _vanished(collection, share, since, share_of(VANISHED_REPLICATES, scale))
            for share, since in VANISHED
        ),
    )


def _small(pair: Pair, n: int, name: str, lost: float, replicates: int) -> Small:
    rng = stream("small", n, name, lost)
    rows = []
    for _ in range(replicates):
        before = pair.scores(rng, n)
        now = before + pair.null(rng, n)
        # A share that is not a whole number of queries is met on average.
        gone = rng.permutation(n)[: int(lost * n + rng.random())]
        now[gone] = 0
        rows.append(_verdict(before, now - before, LEVELS[name]))
    return Small(n, name, lost, *(rate(column) for column in zip(*rows, strict=True)))


def _verdict(before: Units, units: Units, level: float) -> tuple[bool, bool, bool]:
    """Whether a small set is regressed, a likely drop, or improved."""
    limits = gate.limits(float(before.mean()) / PER_ONE)
    highest = max(level, FAMILY.likely(level))
    p = gate.p_drop(units, highest)
    is_red = gate.falls(units, limits) and is_at_most(p, level)
    is_gain = gate.is_regressed(-units, level, limits)
    is_likely_drop = not is_red and not is_gain and is_likely(units, p, limits.margin, level)
    return is_red, is_likely_drop, is_gain


def _vanished(collection: Collection, share: float, since: int, replicates: int) -> Vanished:
    rng = stream("vanished", share, since)
    # One system cut its answers at a dozen documents; the deepest run stands for a first stage.
    run = max(collection.runs.values(), key=lambda answers: sum(map(len, answers.values())))
    topics = sorted(query for query in run if query in collection.qrels)
    documents = sorted({document for query in topics for document in run[query]})
    found: Counter[str] = Counter()
    scored = score_run({query: collection.qrels[query] for query in topics}, run)
    for _ in range(replicates):
        chosen = rng.choice(topics, TOPICS, replace=False).tolist()
        gone = set(np.array(documents)[rng.random(len(documents)) < share].tolist())
        qrels = {query: collection.qrels[query] for query in chosen}
        kept = {
            query: {d: s for d, s in run[query].items() if d not in gone or 1 - s < since}
            for query in chosen
        }
        now = score_run(qrels, kept)
        red: dict[tuple[str, float], bool] = {}
        for metric in ("nDCG@10", "R@100"):
            before = {query: scored[metric][query] for query in chosen}
            limits = gate.limits(math.fsum(before.values()) / TOPICS)
            comparison = compare_scores(
                before, now[metric], min_effect=limits.min_effect, margin=limits.margin
            )
            for level in (LEVEL, LEVEL / 2):
                red[metric, level] = comparison.has_drop(level)
        found["ndcg"] += red["nDCG@10", LEVEL]
        found["recall"] += red["R@100", LEVEL / 2]
        found["both"] += red["nDCG@10", LEVEL / 2] or red["R@100", LEVEL / 2]
    return Vanished(
        share, since, *(Rate(found[key], replicates) for key in ("ndcg", "both", "recall"))
    )
