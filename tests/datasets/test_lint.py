from __future__ import annotations

from math import log2

import pytest

from pytest_beir.datasets.lint import (
    ceiling,
    corpus_notices,
    missing_notices,
    own_document_notices,
    qrels_notices,
    query_notices,
)


def test_the_ceiling_is_that_of_the_best_ranking_without_the_missing() -> None:
    qrels = {
        "whole": {"a": 1, "b": 1},
        "half": {"a": 2, "gone": 1},
        "none": {"gone": 3},
        "barren": {"a": 0, "gone": 0},
        "negative": {"a": 1, "gone": -1},
    }
    half = 2 / (2 + 1 / log2(3))
    assert ceiling(qrels, {"gone"}) == pytest.approx((1 + half + 0 + 0 + 1) / 5)


def test_the_ceiling_looks_at_ten_documents_only() -> None:
    qrels = {"many": {f"d{number}": 1 for number in range(12)}}
    assert ceiling(qrels, {"d0", "d1"}) == 1
    ten = sum(1 / log2(rank + 1) for rank in range(1, 11))
    nine = sum(1 / log2(rank + 1) for rank in range(1, 10))
    assert ceiling(qrels, {"d0", "d1", "d2"}) == pytest.approx(nine / ten)


def test_the_ceiling_agrees_with_trec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = {"1": {"a": 3, "b": 1, "c": 2, "d": 0}, "2": {"b": 1, "e": 1}}
    missing = {"a", "e"}
    best = {
        query: {
            document: float(grade) for document, grade in grades.items() if document not in missing
        }
        for query, grades in qrels.items()
    }
    scores = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(best)
    mean = sum(one["ndcg_cut_10"] for one in scores.values()) / 2
    assert ceiling(qrels, missing) == pytest.approx(mean, abs=1e-12)


def test_missing_documents_are_counted_once_and_their_files_named() -> None:
    files = {
        "test.tsv": {"q1": {"a": 1, "x": 1}, "q2": {"x": 1}},
        "dev.tsv": {"q1": {"a": 1}},
        "train.tsv": {"q3": {"y": 1}},
    }
    (notice,) = missing_notices(files, {"a"})
    assert (notice.code, notice.count) == ("judged-documents-missing", 2)
    assert "2 judged documents (3 judgements)" in notice.message
    assert notice.message.endswith("cannot exceed 0.3066 in test.tsv, 0.0000 in train.tsv")


def test_judgements_that_cannot_count_are_counted() -> None:
    files = {"a": {"q1": {"d": 1}, "gone": {"d": 1, "e": 0}}, "b": {"q2": {"d": 0, "e": -1}}}
    lost, barren = qrels_notices(files, {"q1", "q2"})
    assert (lost.code, lost.count) == ("judgements-without-queries", 2)
    assert lost.message.startswith("2 judgements of 1 query ")
    assert (barren.code, barren.count) == ("nothing-relevant", 1)


def test_nothing_wrong_gives_no_warning() -> None:
    assert not list(corpus_notices(0, 0))
    assert not list(query_notices({"q": "tea", "r": ""}, 0))[1:]
    assert not list(query_notices({"q": "tea"}, 0))
    assert not list(qrels_notices({"": {"q": {"d": 1}}}, {"q"}))
    assert not list(missing_notices({"": {"q": {"d": 1}}}, {"d"}))


def test_queries_with_the_text_of_another_are_counted_and_named() -> None:
    texts = {"q1": "How do I reset it?", "q2": "how do I  reset it?", "q3": "else", "q4": ""}
    duplicate = {each.code: each for each in query_notices(texts, 0)}["duplicate-queries"]
    assert duplicate.count == 1
    assert "('q1' and 'q2')" in duplicate.message


CORPUS = {
    "q1": {"title": "", "text": "tea"},
    "q2": {"title": "Green", "text": "tea"},
    "q3": {"title": "", "text": "another text under the id of a query"},
}
TEXTS = {"q1": "Tea", "q2": "green tea", "q3": "coffee"}


def test_relevant_documents_that_are_dropped_lower_the_ceiling() -> None:
    qrels = {"test.tsv": {"q1": {"q1": 1}, "q2": {"q2": 1, "d": 1}, "q3": {"d": 1}}}
    (notice,) = own_document_notices(qrels, TEXTS, CORPUS, dropped=True)
    assert (notice.code, notice.count) == ("relevant-documents-dropped", 2)
    half = 1 / (1 + 1 / log2(3))
    assert f"cannot exceed {(0 + half + 1) / 3:.4f} in test.tsv" in notice.message


def test_queries_that_are_documents_bring_a_hint_unless_they_are_dropped() -> None:
    qrels = {"": {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1}}}
    (hint,) = own_document_notices(qrels, TEXTS, CORPUS, dropped=False)
    assert (hint.code, hint.count) == ("queries-are-documents", 2)
    assert "drop_identical_ids: true" in hint.message
    assert not list(own_document_notices(qrels, TEXTS, CORPUS, dropped=True))
    assert not list(own_document_notices(qrels, {"q3": "coffee"}, CORPUS, dropped=None))
