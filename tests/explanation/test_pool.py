"""Unjudged documents: when they may explain a drop, the bounds they leave, whom to judge."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.explanation.pool import (
    Bounds,
    PoolCheck,
    UnjudgedPair,
    bounds,
    check_pool,
    condensed,
    overlap,
    to_judge,
)
from pytest_beir.reports.explanations import pool_line
from pytest_beir.scoring.scorer import JUDGED, Scores, score, score_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Qrels = Mapping[str, Mapping[str, int]]
    Run = Mapping[str, Mapping[str, float]]

LEVEL = 0.05
N = 40


def in_order(documents: list[str]) -> dict[str, float]:
    return {document: float(-place) for place, document in enumerate(documents)}


def mean(scores: Scores, metric: str) -> float:
    return math.fsum(scores.values[metric].values()) / len(scores.values[metric])


def checked(qrels: Qrels, before: Run, now: Run, metric: str = "nDCG@10") -> PoolCheck:
    old, new = score(qrels, before), score(qrels, now)
    return check_pool(
        metric,
        qrels,
        (old.judged, new.judged),
        (old.top10, new.top10),
        (mean(old, JUDGED), mean(new, JUDGED)),
        level=LEVEL,
    )


def test_the_condensed_ranking_is_the_judged_documents_in_their_order() -> None:
    qrels = {"q": {"a": 1, "b": 0, "c": 2}}
    run = {"q": in_order(["x", "a", "y", "b", "z", "c"])}
    found = condensed("nDCG@10", qrels, score(qrels, run).judged)
    # a, b, c at ranks 1, 2, 3: (1 + 2/2) / (2 + 1/log2(3)).
    assert found == {"q": pytest.approx(2 / (2 + 1 / math.log2(3)))}


def test_condensing_agrees_with_scoring_a_run_without_its_unjudged_documents() -> None:
    rng = random.Random(4)  # noqa: S311 (a simulation)
    pool = [f"d{place}" for place in range(60)]
    qrels = {
        f"q{place}": {document: rng.choice((0, 0, 1, 2)) for document in rng.sample(pool, 20)}
        for place in range(30)
    }
    run = {query: in_order(rng.sample(pool, 60)) for query in qrels}
    without = {
        query: {document: value for document, value in answer.items() if document in qrels[query]}
        for query, answer in run.items()
    }
    judged = score(qrels, run).judged
    for metric in ("nDCG@10", "P@5", "RR@10"):
        assert condensed(metric, qrels, judged) == score_run(qrels, without, (metric,))[metric]


def test_a_query_without_a_judged_document_condenses_to_nothing() -> None:
    assert condensed("nDCG@10", {"q": {"a": 1}}, {"q": ()}) == {"q": 0.0}


def pushed_down(new: str) -> tuple[Qrels, Run, Run]:
    """Today's system ranks three documents called `new…` above what the baseline found."""
    qrels = {f"q{place}": {"a": 1, "b": 1, "n1": 0, "n2": 0, "n3": 0} for place in range(N)}
    before = dict.fromkeys(qrels, in_order(["a", "b", "n1", "n2", "n3"]))
    fresh = [f"{new}{place}" for place in range(1, 4)]
    rest = [document for document in ["a", "b", "n1", "n2", "n3"] if document not in fresh]
    return qrels, before, dict.fromkeys(qrels, in_order([*fresh, *rest]))


def test_a_drop_by_unjudged_documents_is_suspect() -> None:
    found = checked(*pushed_down("unknown"))
    assert found.flag == "pool-suspect"
    assert found.has_negatives
    assert found.judged_fall == pytest.approx(1 - 5 / 8)
    assert (found.condensed_delta, found.condensed_p) == (0.0, 1.0)
    assert found.artefact == pytest.approx(0.44 * 3 / 8)


def test_a_drop_by_documents_judged_not_relevant_is_not_suspect() -> None:
    found = checked(*pushed_down("n"))
    assert found.flag is None
    assert found.judged_fall == 0.0
    assert found.condensed_p is not None
    assert found.condensed_p < LEVEL


def test_a_drop_that_stays_on_condensed_rankings_is_not_suspect() -> None:
    qrels, before, _ = pushed_down("unknown")
    now = dict.fromkeys(qrels, in_order(["u1", "u2", "n1", "n2", "n3", "a", "b"]))
    found = checked(qrels, before, now)
    assert found.judged_fall > 0.05
    assert found.flag is None


def test_a_small_fall_of_judged_documents_is_not_suspect() -> None:
    qrels, before, now = pushed_down("unknown")
    most = {query: before[query] for query in list(qrels)[: N - 5]}
    found = checked(qrels, before, {**now, **most})
    assert 0 < found.judged_fall < 0.05
    assert found.flag is None


def test_where_only_positives_are_listed_little_overlap_is_unverifiable() -> None:
    qrels = {f"q{place}": {"a": 1} for place in range(N)}
    before = dict.fromkeys(qrels, in_order(["a", *(f"x{place}" for place in range(9))]))
    other = dict.fromkeys(qrels, in_order([*(f"y{place}" for place in range(9)), "a"]))
    found = checked(qrels, before, other)
    assert (found.flag, found.has_negatives) == ("pool-unverifiable", False)
    assert found.overlap == pytest.approx(0.1)
    assert (found.condensed_delta, found.condensed_p) == (None, None)
    alike = dict.fromkeys(qrels, in_order([*(f"x{place}" for place in range(9)), "a"]))
    assert checked(qrels, before, alike).flag is None


def test_overlap_counts_the_longer_list_and_weighs_parts_alike() -> None:
    before = {"x/1": ("a", "b"), "x/2": ("a",), "y/1": ()}
    now = {"x/1": ("b", "a", "c", "d"), "x/2": ("z",), "y/1": ()}
    assert overlap(before, now) == pytest.approx((0.5 + 0 + 1) / 3)
    assert overlap(before, now, strata=("x", "y")) == pytest.approx((0.25 + 1) / 2)


def test_strata_are_compared_as_strata() -> None:
    qrels, before, now = pushed_down("unknown")

    def divided(given: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        parts = ("x", "y")
        return {f"{part}/{query}": dict(given[query]) for part in parts for query in given}

    judgements = {f"{part}/{query}": qrels[query] for part in ("x", "y") for query in qrels}
    old, new = score(judgements, divided(before)), score(judgements, divided(now))
    found = check_pool(
        "nDCG@10",
        judgements,
        (old.judged, new.judged),
        (old.top10, new.top10),
        (1.0, 0.6),
        level=LEVEL,
        strata=("x", "y"),
    )
    assert (found.flag, found.condensed_delta) == ("pool-suspect", 0.0)


def test_copies_of_a_query_are_drawn_together() -> None:
    qrels, before, _ = pushed_down("unknown")
    old, new = score(qrels, before), score(qrels, dict.fromkeys(qrels, in_order(["n1"])))
    copies = dict.fromkeys(qrels, "the same")

    def p_drop(units: Mapping[str, str]) -> float | None:
        return check_pool(
            "nDCG@10",
            qrels,
            (old.judged, new.judged),
            (old.top10, new.top10),
            (1.0, 0.0),
            level=LEVEL,
            units=units,
        ).condensed_p

    # All queries lost: a coin for each, and one coin for all of them.
    assert p_drop({}) == pytest.approx(max(2.0**-N, 1e-12))
    assert p_drop(copies) == 0.5


def test_the_best_case_gives_unjudged_documents_the_highest_grade() -> None:
    qrels = {"q": {"a": 2, "b": 1}, "r": {"c": 1}}
    run = {"q": in_order(["u", "a"]), "r": in_order(["c", "u"])}
    scores = score(qrels, run)
    found = bounds("nDCG@10", qrels, scores.judged, scores.top10)
    assert found is not None
    assert found.worst == pytest.approx(mean(scores, "nDCG@10"))
    # q: u becomes 2: (2 + 2/log2(3)) / (2 + 2/log2(3) + 1/2). r: no gain is possible, it is 1.
    two = 2 + 2 / math.log2(3)
    assert found.best == pytest.approx((two / (two + 0.5) + 1.0) / 2)


def test_the_best_case_is_never_below_the_score() -> None:
    # To take the last for relevant would raise the ideal by more than the gain.
    qrels = {"q": {"a": 1, **{f"n{place}": 0 for place in range(8)}}}
    run = {"q": in_order(["a", *(f"n{place}" for place in range(8)), "u"])}
    scores = score(qrels, run)
    assert bounds("nDCG@10", qrels, scores.judged, scores.top10) == Bounds(1.0, 1.0)


def test_bounds_are_those_of_ndcg_within_the_top_ten_alone() -> None:
    for metric in ("R@100", "RR@10", "nDCG@20"):
        assert bounds(metric, {"q": {"a": 1}}, {"q": ()}, {"q": ()}) is None


def test_pairs_to_judge_come_from_both_runs_highest_rank_first() -> None:
    qrels = {"q": {"a": 1}, "r": {"b": 1}}
    before = {"q": ("a", "u"), "r": ("w",)}
    now = {"q": ("v", "a", "u"), "r": ("b",)}
    assert to_judge(qrels, before, now) == (
        UnjudgedPair("q", "v", 1, None),
        UnjudgedPair("r", "w", None, 1),
        UnjudgedPair("q", "u", 3, 2),
    )


def test_a_shallow_pool_of_robust_is_suspected_of_a_drop_that_full_judgements_deny(
    shared_data: Path,
) -> None:
    folder = shared_data / "runs/trec-robust03"
    full: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        full.setdefault(query, {})[document] = int(grade)
    runs = {name: of_run(folder / f"{name}.trec") for name in ("aplrob03a", "pircRBa1")}
    # A pool to which only one system contributed, down to rank ten.
    tops = score(full, runs["aplrob03a"]).top10
    pool = {
        query: {document: grades[document] for document in tops[query] if document in grades}
        for query, grades in full.items()
    }
    pool = {query: grades for query, grades in pool.items() if max(grades.values(), default=0) > 0}
    before, now = ({query: run[query] for query in pool} for run in runs.values())
    judged_fully = {query: full[query] for query in pool}
    assert mean(score(judged_fully, now), "nDCG@10") > mean(score(judged_fully, before), "nDCG@10")
    assert mean(score(pool, now), "nDCG@10") < mean(score(pool, before), "nDCG@10") - 0.2
    found = checked(pool, before, now)
    assert found.has_negatives
    assert found.judged_fall > 0.3
    assert found.flag == "pool-suspect"
    assert found.condensed_delta is not None
    assert found.condensed_delta > -0.02


def of_run(path: Path) -> dict[str, dict[str, float]]:
    run: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, rank, value, *_ = line.split()
        if int(rank) <= 100:
            run.setdefault(query, {})[document] = float(value)
    return run


def test_the_evidence_behind_a_flag_is_one_line() -> None:
    suspect = checked(*pushed_down("unknown"))
    line = pool_line(suspect, Bounds(0.6, 0.9))
    assert line is not None
    assert line.replace("\N{NO-BREAK SPACE}", " ") == (
        "judged@10 −.375, which alone may cost .165; among judged documents .000, p = 1; the score "
        "is .600 if no unjudged document of the top ten is relevant, and .900 at best"
    )
    unverifiable = replace(suspect, flag="pool-unverifiable", overlap=0.3)
    line = pool_line(unverifiable)
    assert line is not None
    assert "the two runs share 30\N{NO-BREAK SPACE}% of their top tens" in line
    assert pool_line(replace(suspect, flag=None)) is None


def test_pairs_to_judge_are_ordered_by_the_better_of_their_two_ranks() -> None:
    qrels = {"q1": {"d": 1}, "q2": {"d": 1}}
    before = {"q1": ("d", "a", "b"), "q2": ("x",)}
    now = {"q1": ("c", "b", "d", "a"), "q2": ("d", "y", "x")}
    found = [(p.query, p.document, p.rank, p.baseline_rank) for p in to_judge(qrels, before, now)]
    assert found == [
        ("q1", "c", 1, None),
        ("q2", "x", 3, 1),
        ("q1", "a", 4, 2),
        ("q1", "b", 2, 3),
        ("q2", "y", 2, None),
    ]


def test_the_ideal_holds_no_more_documents_than_the_cut_off() -> None:
    # Eleven relevant documents; the first ten are found: nothing can be better.
    qrels = {"q": {f"d{number}": 1 for number in range(11)}}
    run = {"q": in_order([f"d{number}" for number in range(10)])}
    now = score(qrels, run)
    assert bounds("nDCG@10", qrels, now.judged, now.top10) == Bounds(1.0, 1.0)


def test_a_document_beyond_the_cut_off_gains_nothing() -> None:
    qrels = {"q": {"a": 1, "b": 1}}
    run = {"q": in_order(["a", "x", "y", "b"])}
    now = score(qrels, run, ("nDCG@3",))
    found = bounds("nDCG@3", qrels, now.judged, now.top10)
    assert found is not None
    # a at rank 1 of an ideal of two: 1 / (1 + 1/log2(3)).
    assert found.worst == pytest.approx(1 / (1 + 1 / math.log2(3)))
