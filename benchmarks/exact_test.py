"""The exact test beside scipy's percentile bootstrap, on the query counts of the 19 datasets.

Run `python benchmarks/exact_test.py`. Both are timed in CPU seconds, in turn on the same
differences, in one process. Prints a row per dataset, the ratio, and what all tests of one metric
cost: each dataset's, the average's and the diffuse test's. Last come the shapes of differences that
are the hardest for an exact test.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import bootstrap

from pytest_beir.gate.average import diffuse_shares
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.gate.family import AVERAGE_LIMITS
from pytest_beir.gate.verdict import judge_members

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

QUERIES = {
    "msmarco": 6980,
    "trec-covid": 50,
    "nfcorpus": 323,
    "nq": 3452,
    "hotpotqa": 7405,
    "fiqa": 648,
    "arguana": 1406,
    "webis-touche2020": 49,
    "cqadupstack": 13145,
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
RESAMPLES = 10_000
BATCH_VALUES = 2**20  # values a batch of resamples holds: 8 MiB, scipy's fastest here
GAINS = np.append(1 / np.log2(np.arange(2, 12)), 0.0)  # nDCG@10 of one relevant document


@dataclass(frozen=True)
class Scenario:
    """A kind of change: what share of queries it touches, and by how much."""

    name: str
    changed: float
    draw: Callable[[np.random.Generator, int], Floats]


def one_relevant(rng: np.random.Generator, n: int) -> Floats:
    gaps: Floats = GAINS[rng.integers(0, 11, n)] - GAINS[rng.integers(0, 11, n)]
    return gaps


def graded(rng: np.random.Generator, n: int) -> Floats:
    return np.clip(rng.normal(-0.01, 0.2, n), -1, 1)


def recall(rng: np.random.Generator, n: int) -> Floats:
    """One relevant document enters or leaves the top hundred."""
    gaps: Floats = rng.choice([-1.0, 1.0], n) / rng.choice([1, 1, 1, 2, 3, 5, 20], n)
    return gaps


SCENARIOS = (
    Scenario("nDCG@10, one relevant, 5 % changed", 0.05, one_relevant),
    Scenario("nDCG@10, one relevant, 60 % changed", 0.6, one_relevant),
    Scenario("nDCG@10, graded, 5 % changed", 0.05, graded),
    Scenario("nDCG@10, graded, 60 % changed", 0.6, graded),
    Scenario("R@100, 3 % changed", 0.03, recall),
)


def differences(scenario: Scenario, n: int, rng: np.random.Generator) -> Floats:
    touched = rng.random(n) < scenario.changed
    return np.where(touched, scenario.draw(rng, n), 0.0)


def hits(rng: np.random.Generator, n: int, m: int) -> Floats:
    """A hit gained or lost: one magnitude, so that ties are everywhere."""
    gaps = np.zeros(n)
    gaps[:m] = rng.permutation(np.where(np.arange(m) < m * 11 // 20, -1.0, 1.0))
    return gaps


def few_and_large(rng: np.random.Generator, n: int, m: int) -> Floats:
    """A few queries that change by much, so that no two sums are equal."""
    gaps = np.zeros(n)
    gaps[:m] = rng.uniform(0.3, 1, m) * rng.choice([-1, 1], m)
    return gaps


HARDEST = (
    ("graded, most changed", 15_000, 12_000, lambda rng, n, m: np.resize(graded(rng, m), n)),
    ("hits, a quarter changed", 15_000, 4000, hits),
    ("40 large of many", 15_000, 40, few_and_large),
    ("64 large of many", 15_000, 64, few_and_large),
    ("120 large of 200", 200, 120, few_and_large),
)


def cpu(call: Callable[[], object], repeats: int = 1) -> float:
    """The least CPU seconds of some calls."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def percentile(d: Floats, rng: np.random.Generator) -> object:
    return bootstrap(
        (d,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=max(1, BATCH_VALUES // len(d)),
        method="percentile",
        vectorized=True,
        rng=rng,
    )


def main() -> None:
    rng = np.random.default_rng(20240)
    compare_scores([0.5] * 40, [0.4] * 20 + [0.5] * 20)  # imports and caches are not the test's
    for scenario in SCENARIOS:
        print(f"\n{scenario.name}")
        totals = np.zeros(2)
        slowest = 0.0
        samples = {name: differences(scenario, n, rng) for name, n in QUERIES.items()}
        for name, d in samples.items():
            zeros = [0.0] * len(d)
            candidate = d.tolist()
            ours = cpu(lambda: compare_scores(zeros, candidate), 3)  # noqa: B023 - called at once
            theirs = cpu(lambda: percentile(d, rng)) if d.any() else 0.0  # noqa: B023
            slowest = max(slowest, ours)
            totals += ours, theirs
            m = np.count_nonzero(np.rint(d * 1e4))
            print(f"  {name:<17}{len(d):>6}{m:>6}  {ours * 1e3:7.1f} ms {theirs * 1e3:9.1f} ms")
        members = [d.tolist() for d in samples.values()]
        nothing = [[0.0] * len(d) for d in members]
        average, diffuse = (
            cpu(lambda: over_all(nothing, members, shares), 3)  # noqa: B023
            for shares in ((), diffuse_shares(members))
        )
        print(
            f"  all 19: {totals[0]:.3f} s against {totals[1]:.3f} s, ratio 1/"
            f"{totals[1] / totals[0]:.0f}; slowest {slowest * 1e3:.0f} ms\n"
            f"  average {average * 1e3:.0f} ms, diffuse test {diffuse * 1e3:.0f} ms; "
            f"{sum(QUERIES.values()):,} queries, all tests: {totals[0] + average + diffuse:.2f} s"
        )
    print("\nthe hardest shapes")
    for name, n, m, shape in HARDEST:
        d = shape(rng, n, m)
        zeros, candidate = [0.0] * n, d.tolist()
        ours = cpu(lambda: compare_scores(zeros, candidate), 3)  # noqa: B023 - called at once
        theirs = cpu(lambda: percentile(d, rng))  # noqa: B023
        print(f"  {name:<24}{ours * 1e3:7.1f} ms {theirs * 1e3:9.1f} ms  1/{theirs / ours:.0f}")


def over_all(
    before: list[list[float]], now: list[list[float]], shares: Sequence[Fraction]
) -> object:
    """The verdict on the average, or by its shares that of the diffuse test."""
    return judge_members(
        "nDCG@10", now, before, None, level=0.05 / 20, limits=AVERAGE_LIMITS, shares=shares
    )


if __name__ == "__main__":
    main()
