"""What a user's retriever may look like; `forms` decides which of them a value is.

An answer maps each query id to {document id: score}, larger is better, in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Answer = Mapping[str, Mapping[str, float]]
"""{query id: {document id: score}}"""


class Indexing(Protocol):
    """An object that is told of a corpus, then searched; `index` replaces what was there.

    Optional beside it: `close()`, `name`, `version`, `trained_on`.
    """

    def index(self, corpus: Mapping[str, Mapping[str, str]], /) -> object:
        """Take in `corpus`, {document id: {"title": str, "text": str}}."""

    def search(self, queries: Mapping[str, str], top_k: int, /) -> Answer:
        """Answer {query id: text} with at least the best `top_k` documents of each, if any."""


class SearchFunction(Protocol):
    """A callable that gets corpus and all queries at once."""

    def __call__(
        self, corpus: Mapping[str, Mapping[str, str]], queries: Mapping[str, str], top_k: int, /
    ) -> Answer:
        """Answer all queries."""


class Factory(Protocol):
    """A callable that makes a retriever of any other form for one corpus."""

    def __call__(self, corpus: Mapping[str, Mapping[str, str]], /) -> Any:
        """Give a retriever that is used for this corpus alone, and closed after it."""
