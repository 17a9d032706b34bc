"""What a user's retriever may look like; `call_shape` decides which of them a value is.

The answer to one query is {document id: score}, larger is better, or a ranking, best first: a list
of ids, of (id, score) pairs, or of mappings with an id and a score.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Protocol

OneAnswer = Mapping[str, float] | Sequence[Any]
"""The answer to one query: scores, or a ranking."""

Answer = Mapping[str, Mapping[str, float]] | Mapping[str, OneAnswer]
"""{query id: answer to this query}"""


class Retriever(Protocol):
    """An object that is told of a corpus, then searched; `index` replaces what was there.

    Optional beside it: `close()`, `name`, `version`, `trained_on`, `recorded`, `libraries`.
    """

    def index(self, corpus: Mapping[str, Mapping[str, str]], /) -> object:
        """Take in `corpus`, {document id: {"title": str, "text": str}}."""

    def search(self, queries: Mapping[str, str], top_k: int, /) -> Answer:
        """Answer {query id: text} with at least the best `top_k` documents of each, if any."""


class SearchFunction(Protocol):
    """A callable that gets corpus and queries at once."""

    def __call__(
        self, corpus: Mapping[str, Mapping[str, str]], queries: Mapping[str, str], top_k: int, /
    ) -> Answer | Awaitable[Answer]:
        """Answer all queries."""


class QuerySearch(Protocol):
    """A callable that answers one query at a time."""

    def __call__(self, query: str, top_k: int, /) -> OneAnswer | Awaitable[OneAnswer]:
        """Answer with the best `top_k` documents, if there are as many."""


class Factory(Protocol):
    """A callable that makes a retriever of any other form for one corpus."""

    def __call__(self, corpus: Mapping[str, Mapping[str, str]], /) -> Any:
        """A retriever that is used for this corpus alone, and closed after it."""
