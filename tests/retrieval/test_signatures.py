"""Which functions can be called as the contract says, and how they are called."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.retrieval.signatures import (
    calling,
    is_of_contract,
    parameters_of,
    positional,
)

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("queries", "top_k")


def by_place(one: Any, two: Any, /) -> Any:
    return one, two


def by_name(*, top_k: Any, queries: Any) -> Any:
    return queries, top_k


def in_other_order(top_k: Any, queries: Any) -> Any:
    return queries, top_k


def mixed(texts: Any, /, *, top_k: Any) -> Any:
    return texts, top_k


def under_other_names(texts: Any, limit: Any = 10) -> Any:
    return texts, limit


def anything(*values: Any, **named: Any) -> Any:
    return *values, *named.values()


@pytest.mark.parametrize(
    "function", [by_place, by_name, in_other_order, mixed, under_other_names, anything]
)
def test_every_way_to_declare_them_gets_the_right_values(function: Callable[..., Any]) -> None:
    called = calling(function, inspect.signature(function), NAMES)
    assert called is not None
    assert called({"q": "text"}, 7) == ({"q": "text"}, 7)


@pytest.mark.parametrize(
    "function",
    [
        lambda queries: queries,
        lambda queries, top_k, more: (queries, top_k, more),
        lambda *, texts, top_k: (texts, top_k),
    ],
)
def test_what_takes_fewer_more_or_others_cannot_be_called(function: Callable[..., Any]) -> None:
    assert calling(function, inspect.signature(function), NAMES) is None


class Whole:
    def index(self, corpus: Any) -> None: ...

    def search(self, queries: Any, top_k: int) -> Any: ...


class OneQuery(Whole):
    def search(self, query: Any, top_k: int) -> Any: ...


class WithoutDepth(Whole):
    def search(self, queries: Any) -> Any: ...  # type: ignore[override]


class IndexOfTwo(Whole):
    def index(self, corpus: Any, ids: Any) -> None: ...  # type: ignore[override]


class Unreadable(Whole):
    index = search = staticmethod(min)  # type: ignore[assignment]


def test_the_contract_is_two_methods_that_can_be_called_so() -> None:
    assert is_of_contract(Whole())
    assert is_of_contract(Unreadable())  # nothing is known against it
    for value in (Whole, OneQuery(), WithoutDepth(), IndexOfTwo(), object()):
        assert not is_of_contract(value)


def test_the_parameters_of_a_method_are_read_where_they_can_be() -> None:
    assert parameters_of(Whole(), "search") == ("queries", "top_k")
    assert parameters_of(Whole(), "nothing") is None
    assert [one.name for one in positional(inspect.signature(mixed))] == ["texts"]
    assert [one.name for one in positional(inspect.signature(in_other_order))] == [
        "top_k",
        "queries",
    ]
    assert positional(inspect.signature(by_name)) == []
