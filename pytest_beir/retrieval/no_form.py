"""The error for a value that is no retriever: what was looked for, and how to adapt it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.adapters import ADAPTERS
from pytest_beir.retrieval.signatures import has_method, signature_of
from pytest_beir.retrieval.user_code import attribute

_LOOKED_FOR = """\
looked for
  - methods index(corpus) and search(queries, top_k);
  - a callable f(corpus, queries, top_k);
  - a factory f(corpus) that returns any of these;
  - RunFiles("runs/{dataset}.trec");
  - a search for one query, f(query, k), or an object with such a method search"""
# Methods that search, as services and libraries call them.
_SEARCHING = ("search", "retrieve", "query", "similarity_search", "find", "invoke", "run", "ask")


def no_form(value: Any, reason: str) -> RetrieverError:
    """The error for a value of no known form, with what was looked for and how to adapt it."""
    known = "".join(f";\n  - {adapter.describes}" for adapter in ADAPTERS)
    return RetrieverError(
        f"the retriever {kind(value)} has no known form: {reason}; {_LOOKED_FOR}{known}."
        f" Two lines adapt it, where `it` is your object:\n{_two_lines(value)}"
    )


def missing_methods(value: object) -> str:
    """Which of the two methods a value lacks, in words."""
    if isinstance(value, Sequence):  # whose index() is another thing
        return "it has neither method and is not callable"
    found = [name for name in ("index", "search") if has_method(value, name)]
    if not found:
        return "it has neither method and is not callable"
    parameters = signature_of(attribute(value, found[0]))
    return f"it has {found[0]}() alone, with the parameters {parameters or '(unknown)'}"


def _two_lines(value: Any) -> str:
    """A search for one query around the method of the value that seems to search."""
    method = next((name for name in _SEARCHING if has_method(value, name)), None)
    call = f"it.{method}(query, k)" if method else "it(query, k)"
    return f"    def search(query, k):\n        return [(hit.id, hit.score) for hit in {call}]"


def kind(value: Any) -> str:
    """What a value is called in an error."""
    name = attribute(value, "__name__")
    return name if isinstance(name, str) else f"of type {type(value).__name__}"
