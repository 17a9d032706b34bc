"""Objects of frameworks as retrievers: each adapter is a module of this folder, listed here.

An adapter says in `describes` what it takes, in `matches(value)` whether a value is that, by
declared methods and by the names of its classes' modules alone (the framework is not imported to
find out), and makes in `adapt(value)` a retriever of one of the plain forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from pytest_beir.retrieval.adapters import (
    beir,
    bm25s,
    encoders,
    haystack,
    langchain,
    llama_index,
    mteb,
    pyserini,
    pyterrier,
    runs,
    sentence_transformers,
    tantivy,
)
from pytest_beir.retrieval.signatures import is_of_contract

if TYPE_CHECKING:
    from collections.abc import Sequence


class Adapter(Protocol):
    """What a module of this folder offers."""

    describes: str

    def matches(self, value: Any, /) -> bool:
        """Whether the value is an object of this framework."""

    def adapt(self, value: Any, /) -> Any:
        """The retriever, in a plain form, that the value is."""


# The first that matches takes the value: a framework before a duck that encodes.
ADAPTERS = cast(
    "Sequence[Adapter]",
    (
        beir,
        mteb,
        sentence_transformers,
        langchain,
        llama_index,
        haystack,
        pyterrier,
        pyserini,
        bm25s,
        tantivy,
        runs,
        encoders,
    ),
)


def adapted(value: Any) -> Any:
    """The value as a retriever of a plain form; itself where no adapter knows it."""
    if value is None or isinstance(value, type) or is_of_contract(value):
        return value
    for adapter in ADAPTERS:
        if adapter.matches(value):
            return adapter.adapt(value)
    return value
