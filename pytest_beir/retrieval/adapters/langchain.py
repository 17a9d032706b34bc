"""LangChain: retrievers and vector stores.

They give no scores and hide ids: a document's id is its `id`, else that of its metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.retrieval.adapters.classes import is_a
from pytest_beir.retrieval.adapters.document_search import DocumentSearch, ids_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

describes = "LangChain: a BaseRetriever or a VectorStore"
_STORE = "langchain_core.VectorStore"
_STORE_RETRIEVER = "langchain_core.VectorStoreRetriever"
_DEPTHS = ("k", "top_k", "search_k")


def matches(value: Any) -> bool:
    """Whether it is one of LangChain's retrievers or stores."""
    return is_a(value, "langchain_core.BaseRetriever", _STORE)


def adapt(value: Any, id_key: str | None = None) -> DocumentSearch:
    """A search for one query; `id_key` is the key of the metadata that holds the id."""

    def hits(query: str, k: int) -> Iterator[tuple[Sequence[Any], None]]:
        for document in _found(value, query, k):
            own = (getattr(document, "id", None),)
            yield ids_in(document.metadata, own, id_key), None

    return DocumentSearch(
        hits,
        libraries=("langchain-core",),
        remedy=(
            "name the key of its metadata in conftest.py, as `from pytest_beir.retrieval.adapters"
            " import langchain` and `return langchain.adapt(retriever, id_key=...)`"
        ),
    )


def _found(value: Any, query: str, k: int) -> Any:
    if is_a(value, _STORE):
        return value.similarity_search(query, k=k)
    if is_a(value, _STORE_RETRIEVER):
        return value.invoke(query, k=k)
    fields = getattr(type(value), "model_fields", {})
    depth = next((name for name in _DEPTHS if name in fields), None)
    deep = value if depth is None else value.model_copy(update={depth: k})
    return deep.invoke(query)
