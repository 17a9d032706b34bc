"""Two searches merged by rank, and the same reranked by the words that they share."""

import pytest
from pytest_beir import BM25, Fusion, Reranked


@pytest.fixture(scope="session", params=["hybrid", "reranked"])
def retriever(request):
    hybrid = Fusion(BM25(language="english"), BM25(fields=["title"]))
    if request.param == "hybrid":
        return hybrid
    return Reranked(hybrid, word_overlap, depth=50)


def word_overlap(query, texts):
    """A stand-in for a cross-encoder: one score for each text."""
    words = set(query.lower().split())
    return [len(words & set(text.lower().split())) for text in texts]
