"""A retriever of chunks as one of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.errors import AnswerError, UsageError
from pytest_beir.retrieval.stage import Stage, ranked

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

# How often twice as many chunks are asked for.
_DOUBLINGS = 6


class Chunked:
    """Documents found by their chunks: by the best one, or by the sum of the `best` best.

    `retriever` is of any form and answers with ids of chunks. A chunk belongs to the document that
    `documents` maps it to, or whose id stands before the last `separator`. More chunks are asked
    for until there are as many documents as wanted.
    """

    def __init__(
        self,
        retriever: Any,
        separator: str = "#",
        *,
        documents: Mapping[str, str] | None = None,
        best: int = 1,
        name: str | None = None,
    ) -> None:
        if best < 1:
            raise UsageError(f"Chunked: best is {best}: at least one chunk counts")
        if not separator:
            raise UsageError("Chunked: the separator is empty: give what is between the ids")
        self.name = name
        self._stage = Stage(retriever)
        self._separator = separator
        self._documents = documents
        self._best = best
        self._corpus: Container[str] = ()

    @property
    def version(self) -> str | None:
        """The retriever's version."""
        return self._stage.version

    @property
    def trained_on(self) -> frozenset[str] | None:
        """What the retriever was trained on."""
        return self._stage.trained_on

    @property
    def libraries(self) -> tuple[str, ...]:
        """The retriever's libraries."""
        return self._stage.libraries

    @property
    def recorded(self) -> dict[str, str]:
        """How chunks were folded, beside what the retriever records."""
        how = "best of each document" if self._best == 1 else f"sum of the {self._best} best"
        return {**self._stage.recorded, "chunks": how}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Index the corpus with the retriever, which cuts it up."""
        self._corpus = corpus
        self._stage.index(corpus)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The documents of the best chunks."""
        answers: dict[str, dict[str, float]] = {}
        remaining, wanted = dict(queries), top_k
        before: dict[str, int] = {}
        for doubling in range(_DOUBLINGS + 1):
            found = self._stage.search(remaining, wanted)
            for query, chunks in found.items():
                answers[query] = self._folded(query, chunks)
                few = len(answers[query]) < top_k and len(chunks) >= wanted
                if not few or len(chunks) == before.get(query) or doubling == _DOUBLINGS:
                    del remaining[query]
                before[query] = len(chunks)
            remaining = {query: remaining[query] for query in found if query in remaining}
            if not remaining:
                break
            wanted *= 2
        return answers

    def close(self) -> None:
        """Close the retriever."""
        self._stage.close()

    def _folded(self, query: str, chunks: Mapping[str, float]) -> dict[str, float]:
        scores: dict[str, list[float]] = {}
        for chunk in ranked(chunks):
            scores.setdefault(self._document(query, chunk), []).append(chunks[chunk])
        if self._best == 1:
            return {document: values[0] for document, values in scores.items()}
        if any(values[-1] < 0 for values in scores.values()):
            raise AnswerError(
                f"query {query!r}: a chunk scores below 0, so that a document would lose by every"
                " further chunk: sum scores of 0 and more, or use best=1"
            )
        return {document: sum(values[: self._best]) for document, values in scores.items()}

    def _document(self, query: str, chunk: str) -> str:
        if self._documents is not None:
            if chunk not in self._documents:
                raise AnswerError(f"query {query!r}: chunk {chunk!r} is not in `documents`")
            return self._documents[chunk]
        if chunk in self._corpus:
            return chunk
        document, separator, _ = chunk.rpartition(self._separator)
        if not separator:
            raise AnswerError(
                f"query {query!r}: {chunk!r} is not a document, and has no {self._separator!r}"
                " between a document's id and its own: give the separator, or documents={chunk:"
                " document}"
            )
        return document
