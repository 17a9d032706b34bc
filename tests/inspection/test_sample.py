"""Samples that do not depend on chance."""

from __future__ import annotations

import pytest

from pytest_beir.inspection.sample import spread, take_sample


@pytest.mark.parametrize(("total", "most"), [(0, 3), (3, 3), (10, 3), (1000, 7)])
def test_a_spread_keeps_the_order_and_reaches_all_over(total: int, most: int) -> None:
    taken = spread(range(total), most)
    assert len(taken) == min(total, most)
    assert taken == sorted(set(taken))
    assert not taken or taken[-1] >= total * (most - 1) // most


def test_a_sample_of_a_large_corpus_holds_the_judged_documents_too() -> None:
    corpus = {str(number): {"title": "", "text": str(number)} for number in range(100)}
    sample = take_sample(corpus, [["99", "gone"], ["1"]], most=10)
    assert len(sample.spread) == 10
    assert sample.documents.keys() == sample.spread.keys() | {"99", "1"}


def test_a_small_corpus_is_taken_whole() -> None:
    corpus = {str(number): {"title": "", "text": ""} for number in range(5)}
    assert take_sample(corpus, [], most=5).documents == corpus
