"""Rankings as answers: ids, pairs or mappings, best first."""

# ruff: noqa: ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
import pytest

from pytest_beir.errors import AnswerError
from pytest_beir.retrieval.answers import Answers
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.scoring.ranking import order

IDS = ["d2", "d1", "d3"]


def check(answer: Any, *, top_k: int = 100) -> Any:
    return Answers("toy", set(IDS), top_k).checked({"q1": answer}, {"q1"})["q1"]


@pytest.mark.parametrize(
    "answer",
    [
        IDS,
        tuple(IDS),
        np.array(IDS),
        [{"id": document} for document in IDS],
        [{"_id": document, "_score": None} for document in IDS],
        [(document, None) for document in IDS],
    ],
)
def test_a_ranking_without_scores_gets_minus_rank(answer: Any) -> None:
    assert check(answer) == {"d2": -1.0, "d1": -2.0, "d3": -3.0}


@pytest.mark.parametrize(
    "answer",
    [
        [("d2", 3.0), ("d1", 2), ("d3", np.float32(1))],
        [["d2", 3.0], ["d1", 2.0], ["d3", 1.0]],
        [{"doc_id": "d2", "score": 3.0}, {"docid": "d1", "score": 2.0}, {"id": "d3", "score": 1.0}],
    ],
)
def test_scores_of_a_ranking_are_kept(answer: Any) -> None:
    assert check(answer) == {"d2": 3.0, "d1": 2.0, "d3": 1.0}


@pytest.mark.parametrize("scores", [(1.0, 1.0, 1.0), (1e9, 1e9 - 1, 1e9 - 2), (3e39, 2e39, 1e39)])
def test_a_ranking_never_ties(scores: Any) -> None:
    answer = check(list(zip(IDS, scores, strict=True)))
    assert order(answer) == IDS


def test_scores_that_contradict_the_order_count() -> None:
    assert order(check([("d2", 1.0), ("d1", 3.0), ("d3", 2.0)])) == ["d1", "d3", "d2"]


def test_scores_that_rise_in_every_ranking_are_noted(part: Any) -> None:
    retriever = wrap(lambda query, k: [("d2", 0.1), ("d1", 0.2)])
    rankings = retriever.rankings(part, 5)
    assert rankings.run["q1"] == {"d2": 0.1, "d1": 0.2}
    (note,) = rankings.notes
    assert note.startswith("in 3 of 3 rankings the scores rise from the first document")
    assert "are these distances?" in note


def test_a_long_ranking_is_cut() -> None:
    assert list(check(IDS, top_k=2)) == ["d2", "d1"]


def test_an_empty_ranking_is_an_answer() -> None:
    assert check([]) == {}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (["d1", "d2", "d1"], "query 'q1': document 'd1' is in the ranking more than once"),
        ([("d1", 1.0), "d2"], "document 'd2' has no score but others have one"),
        ([(1.0, "d1")], r"has its score first; give \(id, score\)"),
        ([1, 2], r"the ranking has the entry 1 \(int\)"),
        ([("d1", 1.0, 2)], "the ranking has the entry"),
        ([{"name": "d1"}], "has no id; looked for the keys id, _id, doc_id"),
        ([{"id": "d1", "distance": 0.3}], "give -distance as 'score'"),
        ([(7, 1.0)], r"the document id 7 \(int\) is not text"),
        ([("d1", float("nan"))], "document 'd1': the score is nan"),
        ([("d1", True)], "give a float"),
        ([("d9", 1.0)], "document 'd9' is not in the corpus"),
    ],
)
def test_a_malformed_ranking_names_query_and_document(answer: Any, words: str) -> None:
    with pytest.raises(AnswerError, match=words):
        check(answer)


class Word(str, Enum):
    D1 = "d1"


def test_ids_of_subclasses_of_text_become_plain() -> None:
    for answer in ([Word.D1], {Word.D1: 1.0}, {np.str_("d1"): 1.0}):
        (document,) = check(answer)
        assert type(document) is str
        assert document == "d1"


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        (IDS, "ranking"),
        ([("d1", 1.0)], "ranking with scores"),
        ({"d1": 1.0}, "scores"),
    ],
)
def test_the_form_of_the_answers_is_recorded(answer: Any, form: str, part: Any) -> None:
    for value in (lambda query, k: answer, lambda corpus, queries, top_k: {"q1": answer}):
        retriever = wrap(value)
        assert retriever.recorded == {}
        retriever.rankings(part, 5)
        assert retriever.recorded == {"answers": form}
