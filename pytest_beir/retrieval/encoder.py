"""A model that encodes texts as a retriever: every document is compared with every query."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.embeddings import (
    TOGETHER,
    as_matrix,
    corpus_embeddings,
    model_fingerprint,
)
from pytest_beir.retrieval.exact_search import best_documents
from pytest_beir.retrieval.signatures import parameters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_SIMILARITIES = {"cosine": "cosine", "cos_sim": "cosine", "dot": "dot", "dot_score": "dot"}


class Encoder:
    """An exact search over what a model makes of title and text.

    The model has `encode_query` and `encode_document`, or beir's `encode_queries` and
    `encode_corpus`, or `encode` for both, each from a list of texts to a row for each. Similarity
    is `cosine` or `dot`; the model's own where it names one, else cosine. Embeddings are kept on
    disk where the model has a fingerprint: a model of PyTorch by its weights, any other by its
    attribute `fingerprint` or the argument.
    """

    shardable = True
    # A part of a corpus begins where the whole would begin another batch: the same texts meet.
    shard_multiple = TOGETHER

    def __init__(
        self,
        model: Any,
        *,
        similarity: str | None = None,
        batch_size: int = 32,
        fingerprint: str | None = None,
        name: str | None = None,
        version: str | None = None,
        trained_on: Iterable[str] | None = None,
        libraries: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.version = version if version is not None else _text(model, "version")
        declared = getattr(model, "trained_on", None) if trained_on is None else trained_on
        self.trained_on = None if declared is None or callable(declared) else tuple(declared)
        self.libraries = tuple(libraries)
        self._model = model
        self._similarity = _similarity(model, similarity)
        self._batch_size = batch_size
        self._fingerprint = fingerprint
        self._ids: list[str] = []
        self._documents: Any = None

    @property
    def recorded(self) -> dict[str, str]:
        """By what queries and documents are compared."""
        return {"similarity": self._similarity}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Encode the corpus, or take its embeddings from the cache."""
        self._documents = None
        encode, whole = self._encoding(
            ("encode_document", False), ("encode_corpus", True), ("encode", False)
        )
        fingerprint = self._fingerprint or model_fingerprint(self._model, self._versions())
        self._ids = list(corpus)
        self._documents = corpus_embeddings(
            corpus,
            encode,
            dict if whole else _document_text,
            unit=self._similarity == "cosine",
            fingerprint=fingerprint,
        )

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The best documents of each query, best first.

        Raises:
            RetrieverError: No corpus has been indexed, or queries are encoded by another model.

        """
        if self._documents is None:
            raise RetrieverError("the encoder was asked to search before it encoded a corpus")
        encode, _ = self._encoding(
            ("encode_query", False), ("encode_queries", False), ("encode", False)
        )
        matrix = as_matrix(
            encode(list(queries.values())), len(queries), unit=self._similarity == "cosine"
        )
        if self._ids and matrix.shape[1] != self._documents.shape[1]:
            raise RetrieverError(
                f"the model encodes queries with {matrix.shape[1]} numbers and documents with"
                f" {self._documents.shape[1]}: were they encoded by the same one?"
            )
        found = best_documents(matrix, self._documents, self._ids, top_k)
        return dict(zip(queries, found, strict=True))

    def close(self) -> None:
        """Forget the corpus; what is on disk stays."""
        self._documents, self._ids = None, []

    def _encoding(self, *methods: tuple[str, bool]) -> tuple[Callable[[list[Any]], Any], bool]:
        """The first method that the model has, and whether it takes whole documents."""
        name, whole = next(one for one in methods if callable(getattr(self._model, one[0], None)))
        function = getattr(self._model, name)
        taken = parameters_of(self._model, name) or ()
        settings: dict[str, Any] = {"batch_size": self._batch_size, "show_progress_bar": False}
        given = {key: value for key, value in settings.items() if key in taken or "kwargs" in taken}
        if "kwargs" in taken and "show_progress_bar" not in taken:
            given.pop("show_progress_bar", None)
        return (lambda texts: function(texts, **given)), whole

    def _versions(self) -> list[str]:
        found = []
        for name in self.libraries:
            with suppress(PackageNotFoundError):
                found.append(f"{name} {version(name)}")
        return found


def _document_text(document: Mapping[str, str]) -> str:
    return f"{document.get('title', '')} {document.get('text', '')}".strip()


def _similarity(model: Any, given: str | None) -> str:
    own = getattr(model, "similarity_fn_name", None) if given is None else given
    name = str(getattr(own, "value", own) or "cosine")
    if name not in _SIMILARITIES:
        raise UsageError(f"the encoder's similarity is {name!r}: give similarity='cosine' or 'dot'")
    return _SIMILARITIES[name]


def _text(model: Any, attribute: str) -> str | None:
    value = getattr(model, attribute, None)
    return str(value) if isinstance(value, (str, int, float)) and value != "" else None
