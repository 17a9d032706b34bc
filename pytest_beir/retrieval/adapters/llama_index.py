"""LlamaIndex: retrievers, and the retrievers of query engines.

They find nodes, which are parts of documents: `ref_doc_id` names the document.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from pytest_beir.retrieval.adapters.classes import comes_from, is_a
from pytest_beir.retrieval.adapters.document_search import DocumentSearch, ids_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

describes = "LlamaIndex: a BaseRetriever, or a query engine with one"
_DEPTHS = ("similarity_top_k", "_similarity_top_k")


def matches(value: Any) -> bool:
    """Whether it is one of LlamaIndex's retrievers or query engines."""
    if is_a(value, "llama_index.BaseRetriever"):
        return True
    return comes_from(value, "llama_index") and is_a(
        getattr(value, "retriever", None), "llama_index.BaseRetriever"
    )


def adapt(value: Any, id_key: str | None = None) -> DocumentSearch:
    """A search for one query; `id_key` is the key of the metadata that holds the id."""
    given = value if is_a(value, "llama_index.BaseRetriever") else value.retriever
    retriever = copy.copy(given)  # whose depth may be set

    def hits(query: str, k: int) -> Iterator[tuple[Sequence[Any], float | None]]:
        for name in _DEPTHS:
            if hasattr(retriever, name):
                setattr(retriever, name, k)
                break
        for found in retriever.retrieve(query):
            node = found.node
            own = (getattr(node, "ref_doc_id", None), node.node_id)
            yield ids_in(node.metadata, own, id_key), found.score

    return DocumentSearch(
        hits,
        libraries=("llama-index-core",),
        remedy=(
            "give the documents the corpus's ids (Document(doc_id=...)), or name the key of their"
            " metadata: `pytest_beir.retrieval.adapters.llama_index.adapt(retriever, id_key=...)`"
        ),
    )
