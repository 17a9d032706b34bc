"""Parameters that come from outside a fixture: by a mark, or by `pytest_generate_tests`."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin import fixture_lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKENS: pytest.StashKey[dict[str, str]] = pytest.StashKey()


class OutsideParameters:
    """Gives every such parameter a text that tells it from others, the same in every process.

    The numbers that pytest gives them count from the test's own list, and where a value takes the
    fixture's place, from test to test. So equal plain values are one parameter; other values are
    one where they are one object, or have one place in the lists of one hook.
    """

    def __init__(self) -> None:
        self._objects: list[tuple[object, str]] = []
        self._places: dict[tuple[str, str], list[str]] = {}
        self._indices: dict[tuple[str, str, str], list[int]] = {}

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Hook: every process collects all tests in one order, which makes the texts equal."""
        item.stash[_TOKENS] = dict(self._tokens(item))

    def _tokens(self, item: pytest.Item) -> Iterator[tuple[str, str]]:
        callspec: Any = getattr(item, "callspec", None)
        if callspec is None:
            return
        definitions = fixture_lookup.definitions_for_item(item)
        for name, value in callspec.params.items():
            if name == "beir_dataset" or name not in definitions:
                continue
            definition = definitions[name][-1]
            if any(each.params is not None for each in definitions[name]):
                continue
            test = f"{item.parent.nodeid if item.parent else ''}::{_function(item)}"
            token = _plain(value)
            if token is None:
                token = self._of_object(value, test, _given_by(item, name))
            elif not fixture_lookup.is_replaced(definition):
                token += self._repeated((test, name, token), callspec.indices[name])
            yield name, token

    def _of_object(self, value: object, test: str, given_by: str) -> str:
        for known, token in self._objects:
            if known is value:
                return token
        place = self._places.setdefault((test, given_by), [])
        token = f"object {len(place)} given by {given_by}"
        place.append(token)
        self._objects.append((value, token))
        return token

    def _repeated(self, key: tuple[str, str, str], index: int) -> str:
        """Equal values at several places of one list are several parameters."""
        indices = self._indices.setdefault(key, [])
        if index not in indices:
            indices.append(index)
        place = indices.index(index)
        return f" (number {place + 1} of its kind)" if place else ""


def token(item: pytest.Item, name: str) -> str:
    """The text for a parameter of the item, empty where it comes from the fixture itself."""
    return item.stash.get(_TOKENS, {}).get(name, "")


def _plain(value: object) -> str | None:
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if value is None or type(value) in (bool, int, float, str, bytes):
        return repr(value)
    if isinstance(value, (str, int, float)):
        return f"{type(value).__name__} {value}"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        name = str(getattr(value, "__qualname__", ""))
        is_unique = "<" not in name  # no lambda, nothing local to a function
        return f"{getattr(value, '__module__', '')}.{name}" if is_unique and name else None
    return None


def _given_by(item: pytest.Item, name: str) -> str:
    """The node whose mark gives the parameter, or a hook."""
    for node, mark in item.iter_markers_with_node("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs.get("argnames", ())
        listed = names.split(",") if isinstance(names, str) else names
        if name in [each.strip() for each in listed]:
            return f"the mark of {node.nodeid.partition('[')[0]}"
    return f"a hook for {name}"


def _function(item: pytest.Item) -> str:
    return str(getattr(item, "originalname", None) or item.name)
