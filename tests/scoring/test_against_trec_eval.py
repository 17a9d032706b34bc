"""The same numbers as trec_eval: on random runs, on its own test data, on submitted runs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.scoring.scorer import score_run

if TYPE_CHECKING:
    from pathlib import Path

MEASURES = {
    "nDCG@10": "ndcg_cut_10",
    "R@100": "recall_100",
    "P@10": "P_10",
    "Success@5": "success_5",
}
PUBLISHED = {"nDCG@10": "ndcg_cut_10", "R@100": "recall_100", "P@10": "P_10"}

DOCUMENTS = [f"d{one}" for one in range(130)]
SCORES = st.one_of(
    st.integers(0, 5).map(float),
    st.floats(-100, 100),
    st.sampled_from([1.0, 1.0 + 1e-9, 1.0 - 1e-8, 1.0 + 1e-6]),
)
# At least one grade of 0 or more: pytrec_eval dies of a query whose grades are all negative.
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4), min_size=1, max_size=30)
ANSWERS = st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, max_size=130)
QUERIES = st.sampled_from(["q1", "q2", "q3", "q4"])


def by_trec_eval(qrels: Any, run: Any, measures: Any) -> Any:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(measures.values()))
    per_query = evaluator.evaluate(run)
    return {
        metric: {query: per_query.get(query, {}).get(name, 0.0) for query in qrels}
        for metric, name in measures.items()
    }


@given(st.dictionaries(QUERIES, GRADES, min_size=1), st.dictionaries(QUERIES, ANSWERS))
@settings(max_examples=150, deadline=None)
def test_random_runs_score_the_same(qrels: Any, run: Any) -> None:
    run = {query: answer for query, answer in run.items() if query in qrels}
    if not run:
        run = {next(iter(qrels)): {"d1": 1.0}}
    expected = by_trec_eval(qrels, run, MEASURES)
    scored = score_run(qrels, run, list(MEASURES))
    for metric, column in expected.items():
        assert scored[metric] == pytest.approx(column, abs=1e-12, rel=0), metric


def read(path: Any, *, value: Any, make: Any) -> Any:
    table: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines():
        columns = line.split()
        table[columns[0]][columns[2]] = make(columns[value])
    return dict(table)


@pytest.mark.parametrize(
    ("run", "qrels", "expected", "count"),
    [
        ("results.test", "qrels.test", "out.test.aq", 12),
        # Query 302 is not answered: trec_eval ran with -c.
        ("results.trunc", "qrels.test", "out.test.aqc", 12),
        ("results.comment.test", "qrels.comment.test", "out.comment.test", 1),
    ],
)
def test_the_official_test_data_have_the_official_scores(
    shared_data: Path, run: str, qrels: str, expected: str, count: int
) -> None:
    folder = shared_data / "runs" / "trec_eval-testdata"
    judged = read(folder / qrels, value=3, make=int)
    answers = read(folder / run, value=4, make=float)
    if expected == "out.comment.test":  # trec_eval ran without -c
        judged = {query: judged[query] for query in judged.keys() & answers.keys()}
        answers = {query: answers[query] for query in judged}
    scored = score_run(judged, answers, list(PUBLISHED))
    printed = {}
    for line in (folder / expected).read_text(encoding="utf-8").splitlines():
        name, query, text = line.split()
        printed[name, query] = text
    checked = 0
    for metric, name in PUBLISHED.items():
        column = scored[metric]
        means = {**column, "all": sum(column.values()) / len(column)}
        for query, value in means.items():
            if (name, query) in printed:
                assert f"{value:.4f}" == printed[name, query], (metric, query)
                checked += 1
    assert checked == count


@pytest.mark.parametrize("name", ["NLPR03vb10", "THUIRr0301", "aplrob03a", "humR03dc", "pircRBa1"])
def test_submitted_runs_with_ties_and_odd_ranks_score_the_same(
    shared_data: Path, name: Any
) -> None:
    folder = shared_data / "runs" / "trec-robust03"
    qrels = read(folder / "qrels.txt", value=3, make=int)
    run = read(folder / f"{name}.trec", value=4, make=float)
    judged = {query: grades for query, grades in qrels.items() if max(grades.values()) >= 0}
    expected = by_trec_eval(judged, run, MEASURES)
    scored = score_run(judged, run, list(MEASURES))
    for metric, column in expected.items():
        assert scored[metric] == pytest.approx(column, abs=1e-12, rel=0), metric
