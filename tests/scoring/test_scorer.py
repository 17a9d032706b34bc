"""Scores of whole runs: the shared cases, the shape of the results, and what is returned."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.scorer import score, score_run

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "scoring.json"
ABSENT = pytest.mark.skip(reason="needs ../shared/cases beside the project folder")
CASES = (
    [pytest.param(case, id=case["name"]) for case in json.loads(SHARED.read_text("utf-8"))["cases"]]
    if SHARED.is_file()
    else [pytest.param({}, marks=ABSENT)]
)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("always")
def test_every_shared_case_has_its_right_answer(case: Any) -> None:
    options = {"drop_identical_ids": case["drop_identical_ids"]}
    if "expect_error" in case:
        for scorer in (score, score_run):
            with pytest.raises(ScoringError) as caught:
                scorer(case["qrels"], case["run"], **options)
            for word in case["expect_error"]:
                assert repr(word) in str(caught.value)
        return
    with warnings.catch_warnings(record=True) as warned:
        scored = score_run(case["qrels"], case["run"], **options)
    whole = score(case["qrels"], case["run"], **options)
    for query, metrics in case["per_query"].items():
        for metric, value in metrics.items():
            assert scored[metric][query] == pytest.approx(value, abs=1e-12)
            assert whole.values[metric][query] == scored[metric][query]
    for metric, value in case["mean"].items():
        mean = sum(scored[metric].values()) / len(scored[metric])
        assert mean == pytest.approx(value, abs=1e-12)
    about = [case["expect_warning_about"]] if "expect_warning_about" in case else []
    assert len(warned) == len(about)
    assert all(word in str(one.message) for word, one in zip(about, warned, strict=True))


QRELS = {
    "q2": {"a": 1},
    "q1": {"a": 1, "b": 0, "c": 2},
    "q3": {"a": 1},
}
RUN = {
    "q1": {"b": 3.0, "x": 2.0, "a": 1.0},
    "q3": {},
    "zz": {"a": 1.0},
}


def test_scores_cover_every_judged_query_sorted_by_id() -> None:
    scores = score(QRELS, RUN)
    assert list(scores.values) == ["nDCG@10", "R@100", "Judged@10"]
    for column in (*scores.values.values(), scores.top10, scores.judged):
        assert list(column) == ["q1", "q2", "q3"]


def test_an_absent_answer_is_missing_an_empty_one_is_not_and_both_score_zero() -> None:
    scores = score(QRELS, RUN)
    assert scores.missing == ("q2",)
    for column in scores.values.values():
        assert column["q2"] == column["q3"] == 0.0
    assert scores.top10["q2"] == ()
    assert scores.judged["q2"] == ()


def test_an_answered_query_that_nothing_judges_is_named() -> None:
    assert score(QRELS, RUN).unjudged_queries == ("zz",)
    with pytest.warns(UserWarning, match="1 answered queries have no judgements.*'zz'"):
        assert "zz" not in score_run(QRELS, RUN)["nDCG@10"]


def test_top_ten_and_judged_ranks_describe_the_ranking() -> None:
    scores = score(QRELS, RUN)
    assert scores.top10["q1"] == ("b", "x", "a")
    assert scores.judged["q1"] == ((1, "b"), (3, "a"))
    assert scores.values["Judged@10"]["q1"] == 2 / 3


def test_top_ten_ends_at_ten_and_judged_at_rank_100() -> None:
    run = {"q": {f"d{rank:03}": -float(rank) for rank in range(1, 151)}}
    qrels = {"q": {"d011": 1, "d100": 0, "d101": 1}}
    scores = score(qrels, run)
    assert scores.top10["q"] == tuple(f"d{rank:03}" for rank in range(1, 11))
    assert scores.judged["q"] == ((11, "d011"), (100, "d100"))


def test_an_answer_that_is_empty_once_the_query_itself_is_dropped_is_an_answer() -> None:
    qrels, run = {"q": {"a": 1}, "p": {"a": 1}}, {"q": {"q": 1.0}, "p": {"a": 1.0}}
    assert score(qrels, run, drop_identical_ids=True).missing == ()
    assert score(qrels, run).missing == ()


def test_a_judgement_of_the_dropped_document_stays_in_the_ideal() -> None:
    scored = score_run(
        {"q": {"q": 1, "a": 1}}, {"q": {"q": 2.0, "a": 1.0}}, ["R@100"], drop_identical_ids=True
    )
    assert scored == {"R@100": {"q": 0.5}}


def test_judged_at_ten_stands_last_and_once_however_it_was_asked_for() -> None:
    assert list(score(QRELS, RUN, ["Judged@10", "P@5", "P@5"]).values) == ["P@5", "Judged@10"]


def test_all_values_are_plain_python_floats() -> None:
    scores = score(QRELS, RUN, ["nDCG@10", "R@100", "P@5", "RR@10", "Success@5"])
    for column in scores.values.values():
        assert {type(value) for value in column.values()} == {float}
    ranks = {type(rank) for pairs in scores.judged.values() for rank, _ in pairs}
    assert ranks == {int}


def test_scores_do_not_depend_on_the_order_of_any_mapping() -> None:
    qrels = {"q": {f"d{one}": 1 + one % 3 for one in range(30)}}
    run = {"q": {f"d{one}": (one * 7 % 11) / 3 for one in range(40)}}
    backwards = {"q": dict(reversed(run["q"].items()))}
    turned = {"q": dict(reversed(qrels["q"].items()))}
    assert score(qrels, run) == score(turned, backwards)


def test_more_queries_than_one_batch_score_like_each_alone() -> None:
    qrels = {f"q{one}": {"a": 1, f"b{one % 7}": 2} for one in range(700)}
    run = {
        query: {"a": 1.0, **{f"b{two}": float(two - one % 5) for two in range(one % 9)}}
        for one, query in enumerate(qrels)
    }
    together = score_run(qrels, run)
    for query in list(qrels)[::50]:
        alone = score_run({query: qrels[query]}, {query: run[query]})
        assert {metric: together[metric][query] for metric in together} == {
            metric: alone[metric][query] for metric in alone
        }


def test_an_answer_far_longer_than_the_others_is_scored_too() -> None:
    long = {f"d{one:07}": float(one) for one in range(300_000)}
    qrels = {"q": {"d0299999": 1}, "p": {"a": 1}}
    assert score_run(qrels, {"q": long, "p": {"a": 0.5}})["nDCG@10"] == {"q": 1.0, "p": 1.0}


def test_one_metric_may_be_given_as_a_text() -> None:
    assert score_run(QRELS, {"q1": {"a": 1.0}}, "P@5") == score_run(
        QRELS, {"q1": {"a": 1.0}}, ["P@5"]
    )
    assert list(score(QRELS, RUN, "P@5").values) == ["P@5", "Judged@10"]


@pytest.mark.parametrize("grade", [10**30, -(10**30), 1e30])
def test_a_grade_beyond_64_bits_is_an_error_that_names_its_place(grade: Any) -> None:
    with pytest.raises(ScoringError, match=r"query 'q', document 'x': the grade -?1000000"):
        score_run({"q": {"a": 1, "x": grade}}, {"q": {"a": 1.0}})


def test_equal_scores_share_the_ids_of_others_and_stay_what_they_are() -> None:
    qrels = {"q": {"a": 1}, "p": {"b": 1}}
    stored = score(qrels, {"q": {"a": 2.0, "c": 1.0}, "p": {"b": 1.0}})
    now = score(qrels, {"q": {"a": 3.0, "c": 2.0}, "p": {"d": 2.0, "b": 1.0}})
    shared = now.sharing(stored)
    assert shared == now
    assert shared.top10["q"] is stored.top10["q"]
    assert shared.top10["p"] == ("d", "b")
