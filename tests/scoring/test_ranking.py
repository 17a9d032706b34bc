"""The order of an answer: 32-bit score descending, then id descending."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.scoring.ranking import RankedAnswers, order

IDS = st.sampled_from([*"abcdefgh", "é", "d9", "d10", "q"])
# Few values, some closer together than 32 bits can tell, so that ties are common.
VALUES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-6, 1 / 3, -2.5, 1e-46, 1e39, -1e39])
ANSWERS = st.dictionaries(IDS, VALUES, max_size=11)


def slowly_ordered(scores: dict[str, float]) -> list[str]:
    with np.errstate(over="ignore"):
        keyed = [(float(np.float32(score)), document) for document, score in scores.items()]
    return [document for _, document in sorted(keyed, reverse=True)]


def test_the_larger_score_comes_first() -> None:
    assert order({"a": 1.0, "b": 3.0, "c": 2.0}) == ["b", "c", "a"]


def test_equal_scores_are_ordered_by_id_descending() -> None:
    assert order({"a": 1.0, "c": 1.0, "b": 1.0}) == ["c", "b", "a"]


def test_ids_compare_as_text_by_code_point() -> None:
    assert order({"d10": 1.0, "d9": 1.0, "é": 1.0, "z": 1.0}) == ["é", "z", "d9", "d10"]


def test_scores_that_32_bits_cannot_tell_apart_are_equal() -> None:
    assert order({"a": 1.0 + 1e-9, "b": 1.0}) == ["b", "a"]
    assert order({"a": 1.0 + 1e-6, "b": 1.0}) == ["a", "b"]


def test_scores_beyond_32_bits_tie_as_infinities() -> None:
    assert order({"a": 2e39, "b": 1e39, "c": 1.0}) == ["b", "a", "c"]


def test_the_dropped_id_leaves_before_the_depth_is_counted() -> None:
    assert order({"q": 9.0, "a": 2.0, "b": 1.0}, drop="q", depth=2) == ["a", "b"]


def test_an_empty_answer_has_an_empty_order() -> None:
    assert order({}) == []


@given(ANSWERS)
def test_the_order_is_that_of_sorted_pairs(scores: Any) -> None:
    assert order(scores) == slowly_ordered(scores)


@given(st.lists(ANSWERS, max_size=4))
def test_counted_ranks_and_top_documents_agree_with_the_order(answers: Any) -> None:
    rankings = RankedAnswers([f"q{row}" for row in range(len(answers))], answers, drop=False)
    asked = [(row, one) for row, answer in enumerate(answers) for one in answer]
    ranks = rankings.ranks(
        np.array([row for row, _ in asked], dtype=np.intp),
        [one for _, one in asked],
        np.array([answers[row][one] for row, one in asked], dtype=np.float64),
    )
    orders = [slowly_ordered(answer) for answer in answers]
    assert ranks.tolist() == [orders[row].index(one) + 1 for row, one in asked]
    assert rankings.top(3) == [tuple(ids[:3]) for ids in orders]
    assert rankings.lengths.tolist() == [len(answer) for answer in answers]


@pytest.mark.parametrize("drop", [True, False])
def test_the_query_itself_leaves_only_where_identical_ids_are_dropped(drop: Any) -> None:
    rankings = RankedAnswers(["q"], [{"q": 2.0, "a": 1.0}], drop=drop)
    assert rankings.top(10) == [("a",) if drop else ("q", "a")]
