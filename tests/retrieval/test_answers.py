"""Every malformed answer is an error that names query and document."""

from __future__ import annotations

import math
from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pytest_beir.errors import AnswerError
from pytest_beir.retrieval.answers import Answers

CORPUS = {"d1", "d2", "d3"}
ASKED = {"q1": "one", "q2": "two"}


def check(answer: Any, *, corpus: Any = CORPUS, top_k: Any = 100) -> Any:
    return Answers("toy", corpus, top_k).checked(answer, ASKED)


def test_a_good_answer_comes_back_as_plain_floats() -> None:
    answer = OrderedDict(q2={"d1": np.float32(0.5)}, q1={"d2": np.float64(2), "d1": 3})
    checked = check(answer)
    assert checked == {"q2": {"d1": 0.5}, "q1": {"d2": 2.0, "d1": 3.0}}
    assert {type(score) for scores in checked.values() for score in scores.values()} == {float}


def test_queries_may_be_absent_or_answered_with_nothing() -> None:
    assert check({}) == {}
    assert check({"q1": {}}) == {"q1": {}}


@pytest.mark.parametrize("answer", [None, [], [("q1", {"d1": 1.0})], "q1", 3.0])
def test_an_answer_that_is_no_mapping_is_an_error(answer: Any) -> None:
    with pytest.raises(AnswerError, match=r"^toy: the retriever answered with .*expected"):
        check(answer)


@pytest.mark.parametrize("documents", [None, "d1", 1.0, {"d1"}, iter(["d1"])])
def test_documents_that_are_no_mapping_and_no_list_name_the_query(documents: Any) -> None:
    with pytest.raises(AnswerError, match=r"^toy: query 'q1' was answered with .*expected \{doc"):
        check({"q1": documents})


def test_a_list_of_pairs_with_a_document_twice_names_that_document() -> None:
    pairs = [("d1", 2.0), ("d2", 1.0), ("d1", 0.5)]
    with pytest.raises(AnswerError, match=r"query 'q1': document 'd1' is in the ranking more"):
        check({"q1": pairs})


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, np.float32("nan"), 10**400])
def test_a_score_that_is_not_finite_names_query_and_document(score: Any) -> None:
    with pytest.raises(AnswerError, match=r"query 'q1', document 'd2': the score is (nan|-?inf)"):
        check({"q1": {"d1": 1.0, "d2": score}})


def test_a_nan_below_the_cut_is_still_an_error() -> None:
    with pytest.raises(AnswerError, match="document 'd2'"):
        check({"q1": {"d1": 1.0, "d2": math.nan}}, top_k=1)


@pytest.mark.parametrize("score", [None, "1.0", True, [1.0], 1j, Decimal(1), np.array([1.0])])
def test_a_score_that_is_no_number_names_query_and_document(score: Any) -> None:
    with pytest.raises(
        AnswerError, match=r"query 'q1', document 'd1': the score is .*give a float"
    ):
        check({"q1": {"d1": score}})


@pytest.mark.parametrize("score", [1, np.int64(1), np.float16(1), Fraction(1)])
def test_any_real_number_is_a_score(score: Any) -> None:
    assert check({"q1": {"d1": score}}) == {"q1": {"d1": 1.0}}


@pytest.mark.parametrize("document", [1, None, b"d1", np.int64(1)])
def test_a_document_id_that_is_no_text_is_an_error(document: Any) -> None:
    with pytest.raises(AnswerError, match=r"query 'q1': the document id .* is not text"):
        check({"q1": {document: 1.0}})


def test_a_query_id_that_is_no_text_is_an_error() -> None:
    with pytest.raises(AnswerError, match=r"query id 1 \(int\); ids are text"):
        check({1: {"d1": 1.0}})


def test_a_query_that_was_never_asked_is_an_error() -> None:
    with pytest.raises(AnswerError, match="query 'q9' was answered but never asked"):
        check({"q9": {"d1": 1.0}})


def test_an_id_unknown_to_the_corpus_names_query_and_document() -> None:
    with pytest.raises(AnswerError, match="query 'q2': document 'd9' is not in the corpus"):
        check({"q1": {"d1": 1.0}, "q2": {"d1": 1.0, "d9": 0.5}})


def test_without_a_corpus_ids_are_not_checked() -> None:
    assert check({"q1": {"d9": 1.0}}, corpus=None) == {"q1": {"d9": 1.0}}


def test_a_longer_answer_is_cut_after_sorting() -> None:
    answer = {"q1": {"d1": 1.0, "d2": 3.0, "d3": 1.0}}
    assert check(answer, top_k=2) == {"q1": {"d2": 3.0, "d3": 1.0}}


def test_a_long_value_is_shortened_in_the_message() -> None:
    with pytest.raises(AnswerError) as caught:
        check({"q1": "d1" * 1000})
    assert len(str(caught.value)) < 200
