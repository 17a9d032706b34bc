"""Candidates by BM25, and the same reranked by the words that they share."""

import pytest
from pytest_beir import BM25, Reranked


@pytest.fixture(scope="session", params=["first-stage", "reranked"])
def retriever(request):
    if request.param == "first-stage":
        return BM25()
    return Reranked(BM25(), word_overlap, depth=50)


def word_overlap(query, texts):
    """A stand-in for a cross-encoder: one score for each text."""
    words = set(query.lower().split())
    return [len(words & set(text.lower().split())) for text in texts]
