"""A suite of eighteen: a small loss everywhere, and a retriever with noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration import gate
from benchmarks.calibration.monte_carlo import Rate, rate, share_of, stream
from benchmarks.calibration.pairs import PER_ONE
from pytest_beir.gate.average import diffuse_shares
from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.evidence import SAME_EFFECT, TOLERANCE
from pytest_beir.gate.family import AVERAGE_LIMITS, Family

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.calibration.pairs import Pair, Pairs, Units

# Judged queries of eighteen datasets, all but the one that is a dataset of twelve forums.
QUERIES = {
    "msmarco": 6980,
    "trec-covid": 50,
    "nfcorpus": 323,
    "nq": 3452,
    "hotpotqa": 7405,
    "fiqa": 648,
    "arguana": 1406,
    "webis-touche2020": 49,
    "quora": 10000,
    "dbpedia-entity": 400,
    "scidocs": 1000,
    "fever": 6666,
    "climate-fever": 1535,
    "scifact": 300,
    "bioasq": 500,
    "trec-news": 57,
    "robust04": 97,
    "signal1m": 249,
}
METRIC = "nDCG@10"
FAMILY = Family(dict.fromkeys(QUERIES, (1.0, (METRIC,))))
LEVEL = FAMILY.level("scifact")
SMALL_HALF = sorted(QUERIES.values())[: len(QUERIES) // 2]
DIFFUSE_LOSS = 0.003
HALF_LOSS = 0.02
SEARCHES_DIFFER = (0.5, 1.0)
REPLICATES = 100
NOISY_REPLICATES = 800


@dataclass(frozen=True)
class Found:
    """The share of sessions in which a loss was found: by datasets, the average, the diffuse test.

    `before` is what datasets and the average find when the diffuse test has no share of α.
    """

    name: str
    before: Rate
    datasets: Rate
    average: Rate
    diffuse: Rate
    any: Rate


@dataclass(frozen=True)
class Noisy:
    """Sessions of a retriever with noise and no change that fail, unconfirmed and confirmed.

    `changed` is the share of queries whose score differs from search to search.
    """

    changed: float
    once: Rate
    confirmed: Rate


@dataclass(frozen=True)
class Suites:
    found: tuple[Found, ...]
    noisy: tuple[Noisy, ...]


def measure(pairs: Pairs, _runs: Path, scale: float) -> Suites:
    everywhere = dict.fromkeys(QUERIES.values(), DIFFUSE_LOSS)
    small_half = dict.fromkeys(SMALL_HALF, HALF_LOSS)
    return Suites(
        tuple(
            _found(name, pairs.parameter, losses, share_of(REPLICATES, scale))
            for name, losses in (
                ("no loss", {}),
                (f"−{100 * DIFFUSE_LOSS:.1f} points in each", everywhere),
                (f"−{100 * HALF_LOSS:.0f} points in the small half", small_half),
            )
        ),
        tuple(
            _noisy(pairs.barely, share, share_of(NOISY_REPLICATES, scale))
            for share in SEARCHES_DIFFER
        ),
    )


def p_over_datasets(
    gaps: Sequence[Units], mean: float, shares: Sequence[Fraction], highest: float
) -> float:
    """P of the weighted mean where it fell by enough to matter and p is at most `highest`, else 1.

    By its shares it is that of the average or of the diffuse test.
    """
    weights = [share / len(units) for share, units in zip(shares, gaps, strict=True)]
    weighted = [units * float(weight) for units, weight in zip(gaps, weights, strict=True)]
    fell = sum(float(each.sum()) for each in weighted) / PER_ONE
    if fell > -AVERAGE_LIMITS.effective(mean).min_effect + SAME_EFFECT:
        return 1.0
    if gate.is_surely_harmless(np.concatenate(weighted), highest):
        return 1.0
    strata = tuple(Stratum(units, weight) for units, weight in zip(gaps, weights, strict=True))
    return gate.p_drop_of(Differences(strata), highest)


def even(gaps: Sequence[Units]) -> list[Fraction]:
    return [Fraction(1, len(gaps))] * len(gaps)


def stouffer(gaps: Sequence[Units]) -> tuple[Fraction, ...]:
    return diffuse_shares([[0.0] * len(units) for units in gaps])


def least_p(gaps: Sequence[Units], mean: float, highest: float) -> float:
    """The least p of all tests of the family whose mean fell by enough to matter.

    It is exact where it is at most `highest`, all that is asked.
    """
    limits = gate.limits(mean)
    alone = [gate.p_drop(units, highest) for units in gaps if gate.falls(units, limits)]
    shares = even(gaps), stouffer(gaps)
    return min(1.0, *alone, *(p_over_datasets(gaps, mean, each, highest) for each in shares))


def is_at_most(p: float, level: float) -> bool:
    """As the gate compares them."""
    return p <= level + TOLERANCE


def _found(name: str, pair: Pair, losses: dict[int, float], replicates: int) -> Found:
    rng = stream("diffuse", name)
    limits = gate.limits(pair.mean)
    without = FAMILY.alpha / (FAMILY.tests - 1)  # above LEVEL
    rows = []
    for _ in range(replicates):
        gaps = [pair.drop(rng, n, losses.get(n, 0.0)) for n in QUERIES.values()]
        each = [gate.p_drop(units, without) for units in gaps if gate.falls(units, limits)]
        alone = min(each, default=1.0)
        average = p_over_datasets(gaps, pair.mean, even(gaps), without)
        diffuse = p_over_datasets(gaps, pair.mean, stouffer(gaps), LEVEL)
        now = [is_at_most(p, LEVEL) for p in (alone, average, diffuse)]
        rows.append((is_at_most(min(alone, average), without), *now, any(now)))
    return Found(name, *(rate(column) for column in zip(*rows, strict=True)))


def _noisy(pair: Pair, share: float, replicates: int) -> Noisy:
    """Each search changes some queries; the stored one was one such search."""
    rng = stream("noisy", share)
    limits = gate.limits(pair.mean)

    def search(n: int) -> Units:
        return np.where(rng.random(n) < share, pair.null(rng, n), 0)

    once, confirmed = [], []
    for _ in range(replicates):
        stored = [search(n) for n in QUERIES.values()]
        first = [gate.is_regressed(search(len(units)) - units, LEVEL, limits) for units in stored]
        # Only what is red is searched once more.
        second = [
            gate.is_regressed(search(len(units)) - units, LEVEL, limits)
            for units, is_red in zip(stored, first, strict=True)
            if is_red
        ]
        once.append(any(first))
        confirmed.append(any(second))
    return Noisy(share * pair.share, rate(once), rate(confirmed))
