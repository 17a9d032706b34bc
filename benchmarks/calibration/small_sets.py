"""Twenty to fifty queries: what is found of a loss, and what recall finds beside nDCG."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration.monte_carlo import Rate, rate, stream
from benchmarks.calibration.pairs import PER_ONE
from benchmarks.calibration.pools import Collection
from pytest_beir.gate.family import Limits
from pytest_beir.gate.verdict import judge_metric
from pytest_beir.scoring.scorer import score_run

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs, Units

QUERIES = (20, 30, 50)
LEVELS = {"alone": 0.05, "one of 20 tests": 0.05 / 20}
LOST = (0.0, 0.1, 0.2)
TOPICS = 50
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
    replicates = max(20, round(250 * scale))
    return SmallSets(
        tuple(
            _small(pairs.barely, n, name, lost, replicates)
            for name in LEVELS
            for lost in LOST
            for n in QUERIES
        ),
        tuple(
            _vanished(Collection(runs), share, since, max(10, round(120 * scale)))
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
        found = judge_metric(
            "nDCG@10", _named(now), _named(before), None, level=LEVELS[name], limits=Limits()
        )
        rows.append(
            (
                found.verdict == "regressed",
                "likely-drop" in found.flags,
                found.verdict == "improved",
            )
        )
    return Small(n, name, lost, *(rate(column) for column in zip(*rows, strict=True)))


def _named(units: Units) -> dict[str, float]:
    return {str(i): value for i, value in enumerate((units / PER_ONE).tolist())}


def _vanished(collection: Collection, share: float, since: int, replicates: int) -> Vanished:
    rng = stream("vanished", share, since)
    # One system cut its answers at a dozen documents; the deepest run stands for a first stage.
    run = max(collection.runs.values(), key=lambda answers: sum(map(len, answers.values())))
    topics = sorted(query for query in run if query in collection.qrels)
    documents = sorted({document for query in topics for document in run[query]})
    found: Counter[str] = Counter()
    for _ in range(replicates):
        chosen = rng.choice(topics, TOPICS, replace=False).tolist()
        gone = set(np.array(documents)[rng.random(len(documents)) < share].tolist())
        qrels = {query: collection.qrels[query] for query in chosen}
        before = score_run(qrels, {query: run[query] for query in chosen})
        kept = {
            query: {d: s for d, s in run[query].items() if d not in gone or 1 - s < since}
            for query in chosen
        }
        now = score_run(qrels, kept)
        red = {
            (metric, level): judge_metric(
                metric, now[metric], before[metric], None, level=level, limits=Limits()
            ).verdict
            == "regressed"
            for metric in ("nDCG@10", "R@100")
            for level in (0.05, 0.025)
        }
        found["ndcg"] += red["nDCG@10", 0.05]
        found["recall"] += red["R@100", 0.025]
        found["both"] += red["nDCG@10", 0.025] or red["R@100", 0.025]
    return Vanished(
        share, since, *(Rate(found[key], replicates) for key in ("ndcg", "both", "recall"))
    )
