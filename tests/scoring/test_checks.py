"""What cannot be scored is an error that names query and document."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pytest_beir.errors import BeirError, ScoringError
from pytest_beir.scoring.checks import as_integers
from pytest_beir.scoring.scorer import score, score_run

GOOD = {"q": {"a": 1}}


SCORERS: list[Any] = [score, score_run]


@pytest.fixture(params=SCORERS)
def scorer(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400])
def test_a_score_that_is_not_finite_names_query_and_document(scorer: Any, value: Any) -> None:
    with pytest.raises(ScoringError, match=r"query 'q', document 'bad': the score is (nan|-?inf)"):
        scorer(GOOD, {"q": {"a": 1.0, "bad": value}})


@pytest.mark.parametrize("value", ["1.0", None, [1.0], 1j])
def test_a_score_that_is_no_number_names_query_and_document(scorer: Any, value: Any) -> None:
    with pytest.raises(ScoringError, match=r"query 'q', document 'bad': the score must be a float"):
        scorer(GOOD, {"q": {"a": 1.0, "bad": value}})


@pytest.mark.parametrize("value", [2, np.float32(2), np.int64(2)])
def test_other_real_numbers_are_taken_as_scores(scorer: Any, value: Any) -> None:
    assert scorer(GOOD, {"q": {"a": value, "b": 1.0}})


@pytest.mark.parametrize("document", [7, None, b"a", ("a",)])
def test_a_document_id_that_is_no_text_is_named(scorer: Any, document: Any) -> None:
    with pytest.raises(ScoringError, match=r"query 'q', document .*: an id must be text"):
        scorer(GOOD, {"q": {"a": 1.0, document: 1.0}})
    with pytest.raises(ScoringError, match=r"query 'q', judged document .*: an id must be text"):
        scorer({"q": {document: 1}}, {"q": {"a": 1.0}})


def test_a_query_id_that_is_no_text_is_named(scorer: Any) -> None:
    with pytest.raises(ScoringError, match="query 7 in the run: an id must be text"):
        scorer(GOOD, {7: {"a": 1.0}})
    with pytest.raises(ScoringError, match="query 7 in the judgements: an id must be text"):
        scorer({7: {"a": 1}}, {"q": {"a": 1.0}})


@pytest.mark.parametrize("grade", [1.9, math.nan, math.inf, "1", None, True, np.float64(0.5)])
def test_a_grade_that_is_no_whole_number_names_query_and_document(scorer: Any, grade: Any) -> None:
    with pytest.raises(ScoringError, match=r"query 'q', document 'bad': the grade must be a whole"):
        scorer({"q": {"a": 1, "bad": grade}}, {"q": {"a": 1.0}})


@pytest.mark.parametrize("grade", [2.0, np.int32(2), np.float64(2)])
def test_a_whole_number_of_another_type_is_taken_as_a_grade(grade: Any) -> None:
    run = {"q": {"b": 2.0, "a": 1.0}}
    assert score_run({"q": {"a": grade, "b": 1}}, run) == score_run({"q": {"a": 2, "b": 1}}, run)


def test_no_judgements_at_all_is_an_error(scorer: Any) -> None:
    with pytest.raises(ScoringError, match="there are no judgements"):
        scorer({}, {"q": {"a": 1.0}})


def test_a_query_without_judgements_is_an_error_that_names_it(scorer: Any) -> None:
    with pytest.raises(ScoringError, match="query 'p' has no judgements"):
        scorer({"q": {"a": 1}, "p": {}}, {"q": {"a": 1.0}})


@pytest.mark.parametrize("run", [{}, {"z": {"a": 1.0}}])
def test_a_run_that_answers_no_judged_query_is_an_error(scorer: Any, run: Any) -> None:
    with pytest.raises(ScoringError, match=r"none of the 1 judged queries \('q'\) is answered"):
        scorer(GOOD, run)


@pytest.mark.parametrize("answer", [None, ["a"], "a", [("a", 1.0)], 3])
def test_an_answer_that_is_no_mapping_names_the_query(scorer: Any, answer: Any) -> None:
    for drop in (True, False):
        with pytest.raises(ScoringError, match="query 'q': the answer must be a mapping"):
            scorer(GOOD, {"q": answer}, drop_identical_ids=drop)


@pytest.mark.parametrize("rubbish", [None, [], "q"])
def test_judgements_and_runs_that_are_no_mappings_are_errors(scorer: Any, rubbish: Any) -> None:
    with pytest.raises(ScoringError, match="the judgements must be a mapping"):
        scorer(rubbish, {"q": {"a": 1.0}})
    with pytest.raises(ScoringError, match="the run must be a mapping"):
        scorer(GOOD, rubbish)
    with pytest.raises(ScoringError, match="query 'q': its judgements must be a mapping"):
        scorer({"q": rubbish}, {"q": {"a": 1.0}})


def test_scoring_errors_are_value_errors_of_the_project() -> None:
    assert issubclass(ScoringError, ValueError)
    assert issubclass(ScoringError, BeirError)


@pytest.mark.parametrize("grade", [2**63, -(2**63) - 1, 10**30])
def test_a_grade_that_is_an_id_in_truth_names_query_and_document(scorer: Any, grade: int) -> None:
    with pytest.raises(ScoringError, match=rf"query 'q', document 'b': the grade {grade} is too"):
        scorer({"o": {"a": 1}, "q": {"a": 1, "b": grade}}, {"q": {"a": 1.0}})


def test_grades_of_64_bits_are_taken() -> None:
    grades = [2**63 - 1, -(2**63)]
    assert as_integers({"q": dict(zip("ab", grades, strict=True))}, grades).tolist() == grades
