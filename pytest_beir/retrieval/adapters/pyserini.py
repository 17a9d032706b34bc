"""Pyserini: searchers with search(q, k) that give hits with `docid` and `score`."""

from __future__ import annotations

from typing import Any

from pytest_beir.retrieval.adapters.classes import comes_from
from pytest_beir.retrieval.per_query import PerQuery
from pytest_beir.retrieval.signatures import parameters_of

describes = "Pyserini: a searcher such as LuceneSearcher or FaissSearcher"


def matches(value: Any) -> bool:
    """Whether it is one of Pyserini's searchers."""
    return comes_from(value, "pyserini") and "k" in (parameters_of(value, "search") or ())


def adapt(value: Any) -> PerQuery:
    """A search for one query."""

    def search(query: str, k: int) -> list[tuple[str, float]]:
        return [(hit.docid, float(hit.score)) for hit in value.search(query, k=k)]

    return PerQuery(search, libraries=("pyserini",))
