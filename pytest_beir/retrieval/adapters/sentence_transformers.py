"""sentence-transformers: dense and sparse encoders; a cross-encoder is a reranker's scorer."""

from __future__ import annotations

from typing import Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.adapters.classes import is_a
from pytest_beir.retrieval.encoder import Encoder

describes = "sentence-transformers: a SentenceTransformer or a SparseEncoder"
_LIBRARIES = ("sentence-transformers", "transformers", "torch")
_ENCODERS = ("sentence_transformers.SentenceTransformer", "sentence_transformers.SparseEncoder")
_CROSS = "sentence_transformers.CrossEncoder"


def matches(value: Any) -> bool:
    """Whether it is one of the library's models."""
    return is_a(value, *_ENCODERS, _CROSS)


def adapt(value: Any) -> Any:
    """An exact search over its embeddings, with its prompts for queries and documents.

    Raises:
        RetrieverError: it is a cross-encoder, which needs a first stage.

    """
    if is_a(value, _CROSS):
        raise RetrieverError(
            "a CrossEncoder scores pairs and cannot search by itself: give it a first stage, such"
            " as Reranked(BM25(), cross_encoder, depth=100)"
        )
    return Encoder(value, libraries=_LIBRARIES)
