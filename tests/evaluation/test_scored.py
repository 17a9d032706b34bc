"""Retrieving and scoring a dataset: what is asked of the retriever."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import DatasetError
from pytest_beir.evaluation.scored import retrieve, search_again
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from collections.abc import Mapping


class Asked:
    """Finds the first documents of the corpus, and remembers what was asked of it."""

    def __init__(self) -> None:
        self.depths: list[int] = []
        self.indexed = 0

    def index(self, corpus: Mapping[str, Any]) -> None:
        self.indexed += 1
        self.ids = list(corpus)[:3]

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        self.depths.append(top_k)
        return {query: dict.fromkeys(self.ids, 1.0) for query in queries}


def test_one_document_more_is_asked_for_where_identical_ids_are_dropped() -> None:
    dataset = load_dataset("garden-claims")
    for drops, depth in ((False, 100), (True, 101)):
        asked = Asked()
        retrieve(
            replace(dataset, drop_identical_ids=drops),
            wrap(asked),
            name="asked",
            metrics=("nDCG@10", "R@100"),
        )
        assert asked.depths == [depth]


def test_repeating_indexes_again_and_a_second_search_does_not() -> None:
    asked = Asked()
    retriever = wrap(asked)
    scored = retrieve(
        load_dataset("garden-claims"), retriever, name="asked", metrics=("nDCG@10",), repeat=3
    )
    assert asked.indexed == 3
    assert scored.second is not None
    again = search_again(scored, retriever)
    assert (asked.indexed, len(asked.depths)) == (3, 4)
    assert again.values == scored.scores.values


def test_a_dataset_on_which_nothing_scores_is_an_error_before_any_search() -> None:
    dataset = load_dataset("garden-claims")
    worthless = {query: dict.fromkeys(grades, 0) for query, grades in dataset.qrels.items()}
    asked = Asked()
    with pytest.raises(DatasetError, match="no ranking can score: no judgement has a grade above"):
        retrieve(replace(dataset, qrels=worthless), wrap(asked), name="asked", metrics=("nDCG@10",))
    assert asked.indexed == 0


def test_why_nothing_scores_is_told_from_what_can() -> None:
    from pytest_beir.datasets.dataset import why_nothing_scores

    qrels = {"q1": {"q1": 1, "d1": 0}, "q2": {"q2": 2}}
    assert why_nothing_scores([(qrels, None, False)]) is None
    assert why_nothing_scores([(qrels, {"q2"}, False)]) is None
    assert "none of the 2 relevant documents is in the corpus" in str(
        why_nothing_scores([(qrels, {"d1"}, False)])
    )
    assert "all 2 relevant documents have their query's id" in str(
        why_nothing_scores([(qrels, {"q1", "q2"}, True)])
    )
    mixed = {"q1": {"q1": 1, "d9": 1}}
    assert "the only relevant document that is not dropped" in str(
        why_nothing_scores([(mixed, {"q1"}, True)])
    )


def test_scores_are_kept_without_data_and_have_them_again() -> None:
    dataset = load_dataset("garden-claims")
    scored = retrieve(dataset, wrap(Asked()), name="asked", metrics=("nDCG@10",))
    kept = scored.without_data()
    assert (kept.dataset.queries, kept.dataset.qrels, kept.qrels) == ({}, {}, None)
    assert kept.scores is scored.scores
    assert kept.with_data(dataset) == scored
