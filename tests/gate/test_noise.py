"""Noise between repeated retrievals: estimated where there is any, and only there."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import fmean, stdev

import numpy as np
import pytest

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.comparison import compare
from pytest_beir.gate.differences import difference, pair
from pytest_beir.gate.noise import estimate_noise
from pytest_beir.reports.explanations import repeats_line
from pytest_beir.scoring.ranking import varying_queries
from pytest_beir.scoring.scorer import score_run

QUERIES = [f"q{place:03}" for place in range(200)]


def repeats(
    rng: np.random.Generator, count: int, own: float, common: float
) -> list[dict[str, float]]:
    """Scores of repeated runs: noise of each query's own, and noise that all queries share."""
    return [
        dict(
            zip(
                QUERIES,
                (0.5 + rng.normal(0, own, 200) + rng.normal(0, common)).tolist(),
                strict=True,
            )
        )
        for _ in range(count)
    ]


def test_two_runs_by_hand() -> None:
    found = estimate_noise("nDCG@10", [{"a": 0.4, "b": 1.0}, {"a": 0.6, "b": 1.0}])
    # Variance of a: .02; of the mean, from the queries: .02 / 4; from the means .7 and .8: .005.
    assert found.by_query == {"a": pytest.approx(math.sqrt(0.02))}
    assert found.sd == pytest.approx(math.sqrt(0.005))
    assert found.bound == pytest.approx(1.645 * math.sqrt(2 * 0.005))


def test_equal_runs_have_no_noise_at_all() -> None:
    found = estimate_noise("nDCG@10", [{"a": 0.1, "b": 0.3}] * 3)
    assert (found.sd, found.bound, found.by_query) == (0.0, 0.0, {})


def test_independent_noise_is_estimated_from_the_queries() -> None:
    rng = np.random.default_rng(1)
    found = [estimate_noise("nDCG@10", repeats(rng, 3, 0.1, 0.0)).sd for _ in range(100)]
    truth = 0.1 / math.sqrt(200)
    assert min(found) > 0.9 * truth
    assert fmean(found) == pytest.approx(truth, rel=0.25)


def test_noise_that_queries_share_is_not_averaged_away() -> None:
    rng = np.random.default_rng(2)
    found = [estimate_noise("nDCG@10", repeats(rng, 5, 0.01, 0.02)).sd for _ in range(200)]
    assert fmean(found) == pytest.approx(0.02, rel=0.15)


def test_the_bound_holds_in_nineteen_of_twenty_pairs_of_runs() -> None:
    rng = np.random.default_rng(3)
    exceeded = 0
    for _ in range(400):
        first, second, *others = repeats(rng, 5, 0.1, 0.0)
        drop = fmean(first.values()) - fmean(second.values())
        exceeded += drop > estimate_noise("nDCG@10", others).bound
    assert exceeded / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


def test_parts_of_a_divided_dataset_weigh_alike() -> None:
    runs = [{"x/1": 0.0, "y/1": 0.5, "y/2": 0.5}, {"x/1": 1.0, "y/1": 0.5, "y/2": 0.5}]
    assert estimate_noise("R@100", runs, strata=("x", "y")).sd == pytest.approx(
        0.5 * math.sqrt(0.5)
    )


def test_one_run_is_refused() -> None:
    with pytest.raises(ComparisonError, match="single retrieval"):
        estimate_noise("nDCG@10", [{"a": 0.1}])


def test_a_comparison_takes_a_drop_within_the_bound_for_noise() -> None:
    before = dict.fromkeys(QUERIES, 0.5)
    now = before | dict.fromkeys(QUERIES[:40], 0.45)
    differences = difference([pair(before, now)], [Fraction(1)])
    limits = {"alpha": 0.05, "min_effect": 0.005, "margin": 0.02}
    assert compare(differences, **limits).verdict == "regressed"
    within = compare(differences, **limits, noise=0.011)
    assert (within.verdict, within.reason) == ("inconclusive", "noise")
    assert compare(differences, **limits, noise=0.009).verdict == "regressed"


RUN = {query: {f"d{place}": 1.0 / place for place in range(1, 30)} for query in QUERIES}


def noisy(seed: int) -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    return {
        query: {document: value + rng.normal(0, 0.1) for document, value in answer.items()}
        for query, answer in RUN.items()
    }


def test_a_retriever_that_adds_noise_to_its_scores_is_caught() -> None:
    runs = [noisy(seed) for seed in range(3)]
    varying = varying_queries(runs)
    assert len(varying) == 200
    qrels = {query: {"d2": 1, "d9": 1} for query in QUERIES}
    scores = [score_run(qrels, run, ("nDCG@10",))["nDCG@10"] for run in runs]
    found = estimate_noise("nDCG@10", scores)
    assert found.sd > 0
    means = [fmean(each.values()) for each in scores]
    assert found.sd >= stdev(means)
    line = repeats_line([found], varying)
    assert line.startswith("noisy: 3 retrievals ranked 200 of 200 queries differently (q000, q001")
    assert "a drop up to ." in line


def test_a_deterministic_retriever_is_certified() -> None:
    shuffled = {query: dict(reversed(RUN[query].items())) for query in reversed(QUERIES)}
    assert varying_queries([RUN, shuffled, RUN]) == ()
    line = repeats_line([estimate_noise("nDCG@10", [dict.fromkeys(QUERIES, 0.5)] * 3)], ())
    assert line == "deterministic: 3 retrievals ranked all of 200 queries alike"


def test_other_scores_in_the_same_order_rank_alike() -> None:
    scaled = {query: {d: 2 * value for d, value in answer.items()} for query, answer in RUN.items()}
    assert varying_queries([RUN, scaled]) == ()


def test_an_answer_that_is_missing_once_varies() -> None:
    assert varying_queries([RUN, {**RUN, "q007": {}}]) == ("q007",)


def test_only_the_depth_in_use_counts_and_the_querys_own_document_does_not() -> None:
    first = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    assert varying_queries([first, {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}], depth=1) == ()
    own = {"q": {"q": 9.0, "a": 3.0}}, {"q": {"a": 3.0, "q": 1.0}}
    assert varying_queries(own) == ("q",)
    assert varying_queries(own, drop_identical_ids=True) == ()
