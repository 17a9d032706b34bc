"""What of a user's error is shown, and under which name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.errors import BeirError, RetrieverError, RunFileError
from pytest_beir.plugin.opened_retriever import name_of
from pytest_beir.plugin.user_errors import user_traceback
from pytest_beir.retrieval.retriever import wrap


class Broken:
    """A retriever whose error comes from two calls deep in its own code."""

    name = "my own"

    def index(self, corpus: Any) -> None:
        pass

    def search(self, queries: Any, top_k: int) -> Any:
        return self._ranked(queries, top_k)

    def _ranked(self, queries: Any, top_k: int) -> Any:
        raise ValueError(f"half \ud800 of {len(queries)} and {top_k}")


def raised_by(value: Any) -> RetrieverError:
    part = Dataset(
        name="docs",
        split="test",
        folder=Path(),
        queries={"q": "text"},
        qrels={"q": {"d": 1}},
        corpus={"d": {"title": "", "text": "a document"}},  # type: ignore[arg-type]
        fingerprints=Fingerprints("q", "r", None),
        counts=Counts(1, 1, 1),
    )
    with pytest.raises(RetrieverError) as caught:
        wrap(value).answer_to(part, {"q": "text"}, 10)
    return caught.value


def test_a_traceback_begins_where_the_users_code_does_and_is_shown_to_its_end() -> None:
    shown = user_traceback(raised_by(Broken()))
    assert "in search\n" in shown
    assert "in _ranked\n" in shown
    assert "pytest_beir/retrieval" not in shown.partition("in search\n")[0].replace("\\", "/")
    assert shown.endswith("ValueError: half \\ud800 of 1 and 10")


def test_without_code_of_the_users_only_what_needs_several_lines_is_shown_again() -> None:
    assert user_traceback(RetrieverError("it gave no answer")) == ""
    assert user_traceback(RetrieverError("looked for\n  - a search")) == "looked for\n  - a search"
    error = RunFileError("bm25.trec:3: no number")
    error.__cause__ = ValueError("could not convert")
    assert user_traceback(error) == ""


def test_a_name_is_read_where_the_value_is_a_retriever() -> None:
    assert name_of(Broken()) == "my own"
    assert name_of(object()) is None
    with pytest.raises(BeirError):
        wrap(object())
