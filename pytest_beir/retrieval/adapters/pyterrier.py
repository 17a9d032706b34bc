"""PyTerrier: transformers and pipelines of them, from queries to ranked documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.adapters.classes import is_a

if TYPE_CHECKING:
    from collections.abc import Mapping

describes = "PyTerrier: a Transformer that ranks documents"
_PUNCTUATION = re.compile(r"[^\w\s]|_")


def matches(value: Any) -> bool:
    """Whether it is a transformer."""
    return is_a(value, "pyterrier.Transformer")


def adapt(value: Any) -> PyTerrierSearch:
    """A search with the transformer."""
    return PyTerrierSearch(value)


class PyTerrierSearch:
    """A transformer over all queries of a batch.

    Terrier's own query language takes punctuation for operators, so a pipeline with a retriever of
    Terrier gets the queries without it.
    """

    libraries = ("python-terrier", "pyterrier")

    def __init__(self, transformer: Any) -> None:
        self.version = getattr(transformer, "version", None)
        self.trained_on = getattr(transformer, "trained_on", None)
        self._transformer = transformer
        self._plain = _has_terrier(transformer)
        self.recorded = {"queries": "without punctuation"} if self._plain else {}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Nothing to do: the transformer holds its index already."""

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, list[tuple[str, float]]]:
        """The ranking of each query.

        Raises:
            RetrieverError: The result lacks a column.

        """
        import pandas as pd

        texts = [_PUNCTUATION.sub(" ", text) if self._plain else text for text in queries.values()]
        asked = pd.DataFrame({"qid": list(queries), "query": texts})
        frame = self._transformer.transform(asked[asked["query"].str.strip() != ""])
        missing = [name for name in ("qid", "docno") if name not in frame.columns]
        if missing:
            raise RetrieverError(
                f"the transformer gives no column {missing[0]!r} (it has"
                f" {', '.join(map(str, frame.columns))}): end the pipeline in one that ranks"
                " documents"
            )
        scored = "score" in frame.columns
        if scored:
            frame = frame.sort_values("score", ascending=False, kind="stable")
        elif "rank" in frame.columns:
            frame = frame.sort_values("rank", kind="stable")
        answers: dict[str, list[Any]] = {query: [] for query in queries}
        for row in frame.to_dict("records"):
            entry = (row["docno"], float(row["score"])) if scored else row["docno"]
            ranking = answers[str(row["qid"])]
            if len(ranking) < top_k:
                ranking.append(entry)
        return answers


def _has_terrier(transformer: Any) -> bool:
    if is_a_terrier(transformer):
        return True
    below = getattr(transformer, "_transformers", None) or getattr(transformer, "transformers", ())
    return any(map(_has_terrier, below)) if isinstance(below, (list, tuple)) else False


def is_a_terrier(transformer: Any) -> bool:
    """Whether it is a retriever of Terrier itself."""
    return any(one.__module__.startswith("pyterrier.terrier") for one in type(transformer).__mro__)
