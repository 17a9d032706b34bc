"""Anything that encodes texts: an exact search over its embeddings."""

from __future__ import annotations

from typing import Any

from pytest_beir.retrieval.encoder import Encoder

describes = "a model with encode(texts), or encode_query and encode_document: searched exactly"


def matches(value: Any) -> bool:
    """Whether it encodes, and does nothing else that would make it a retriever."""
    if any(callable(getattr(value, name, None)) for name in ("search", "index", "retrieve")):
        return False
    if isinstance(value, str):
        return False
    encodes = [callable(getattr(value, f"encode{what}", None)) for what in ("_query", "_document")]
    return all(encodes) or callable(getattr(value, "encode", None))


def adapt(value: Any) -> Any:
    """An exact search over its embeddings."""
    return Encoder(value)
