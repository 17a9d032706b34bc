"""A whole session: one harmless change, eighteen datasets and their average."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration import gate, rivals
from benchmarks.calibration.monte_carlo import Rate, rate, stream
from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.evidence import TOLERANCE
from pytest_beir.gate.family import AVERAGE_LIMITS, Family

if TYPE_CHECKING:
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
REPLICATES = 800


@dataclass(frozen=True)
class Sessions:
    """The share of sessions in which anything failed, for one kind of harmless change.

    `tested` counts p alone, `verdict` also asks for min_effect. `uncorrected` tests each of the
    eighteen at .05. `average` are the sessions in which the average failed, of those of `verdict`.
    """

    source: str
    sd: float
    tested: Rate
    verdict: Rate
    average: Rate
    uncorrected: Rate
    uncorrected_verdict: Rate
    threshold: Rate


def measure(pairs: Pairs, scale: float) -> tuple[Sessions, ...]:
    replicates = max(20, round(REPLICATES * scale))
    kinds = (pairs.barely, pairs.parameter, pairs.analyser, pairs.system)
    return tuple(_sessions(pair, replicates) for pair in kinds)


def _sessions(pair: Pair, replicates: int) -> Sessions:
    rng = stream("session", pair.name)
    level = FAMILY.level("scifact")
    flags = np.array([_session(pair, level, rng) for _ in range(replicates)])
    return Sessions(pair.name, pair.sd, *(rate(column) for column in flags.T))


def _session(pair: Pair, level: float, rng: np.random.Generator) -> tuple[bool, ...]:
    gaps = [pair.null(rng, n) for n in QUERIES.values()]
    effective = gate.limits(pair.mean)
    p = [gate.p_drop(units) for units in gaps]
    matters = [units.mean() / 1e4 <= -effective.min_effect + TOLERANCE for units in gaps]
    tested, loose = _at_most(p, level), _at_most(p, FAMILY.alpha)
    average_p, average_matters = _average(gaps, pair.mean)
    average = average_p <= FAMILY.average_level + TOLERANCE
    return (
        any(tested) or average,
        any(np.logical_and(tested, matters)) or (average and average_matters),
        average and average_matters,
        any(loose),
        any(np.logical_and(loose, matters)),
        any(rivals.falls_below_threshold(units) for units in gaps),
    )


def _at_most(p: list[float], level: float) -> list[bool]:
    return [each <= level + TOLERANCE for each in p]


def _average(gaps: list[Units], mean: float) -> tuple[float, bool]:
    """The p of the average where it may matter, and whether the average fell by min_effect."""
    weights = [Fraction(1, len(gaps) * len(units)) for units in gaps]
    weighted = [units * float(weight) for units, weight in zip(gaps, weights, strict=True)]
    fell = sum(float(each.sum()) for each in weighted) / 1e4
    matters = fell <= -AVERAGE_LIMITS.effective(mean).min_effect + TOLERANCE
    if gate.is_surely_harmless(np.concatenate(weighted), FAMILY.average_level):
        return 1.0, matters
    strata = tuple(Stratum(u, w) for u, w in zip(gaps, weights, strict=True))
    return gate.p_drop_of(Differences(strata)), matters
