"""beir: its search classes, `EvaluateRetrieval`, and its dense models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.retrieval.adapters.classes import comes_from, is_a
from pytest_beir.retrieval.encoder import Encoder
from pytest_beir.retrieval.signatures import parameters_of

if TYPE_CHECKING:
    from collections.abc import Mapping

describes = (
    "beir: search(corpus, queries, top_k, score_function), an EvaluateRetrieval, or a model with"
    " encode_queries and encode_corpus"
)
_SEARCH = ("corpus", "queries", "top_k")
_COSINE = "cos_sim"


def matches(value: Any) -> bool:
    """Whether it searches, evaluates or encodes as beir does."""
    if is_a(value, "beir.EvaluateRetrieval", "beir.BaseSearch"):
        return True
    parameters = parameters_of(value, "search") or ()
    return parameters[:3] == _SEARCH or _is_model(value)


def adapt(value: Any) -> Any:
    """A function over corpus and queries, or an exact search over a model's embeddings."""
    if _is_model(value):
        return Encoder(value, libraries=_libraries(value))
    if is_a(value, "beir.EvaluateRetrieval"):
        return BeirSearch(value.retriever, value.score_function)
    return BeirSearch(value, None)


class BeirSearch:
    """A search by beir's protocol, with the score function that it has."""

    def __init__(self, search: Any, score_function: str | None) -> None:
        self.libraries = _libraries(search)
        self.trained_on = getattr(search, "trained_on", None)
        self.version = getattr(search, "version", None)
        self._search = search
        known = list(getattr(search, "score_functions", None) or [_COSINE])
        default = _COSINE if _COSINE in known else known[0]
        self._score_function = score_function if score_function in known else default
        self.recorded = {"score_function": self._score_function}

    def __call__(
        self, corpus: Mapping[str, Any], queries: Mapping[str, str], top_k: int
    ) -> Mapping[str, Mapping[str, float]]:
        """Answer as beir does."""
        names = parameters_of(self._search, "search") or ()
        more = (self._score_function,) if "score_function" in names or len(names) > 3 else ()  # noqa: PLR2004
        if "kwargs" in names[3:4]:
            more = ()
        answer: Mapping[str, Mapping[str, float]] = self._search.search(
            corpus, queries, top_k, *more
        )
        return answer


def _is_model(value: Any) -> bool:
    return all(callable(getattr(value, name, None)) for name in ("encode_queries", "encode_corpus"))


def _libraries(value: Any) -> tuple[str, ...]:
    return ("beir",) if comes_from(value, "beir") else ()
