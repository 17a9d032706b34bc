"""The id that a parameter of a fixture has, as pytest reads it, and whether it can be a name."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import BeirError
from pytest_beir.retrieval.user_code import attribute

if TYPE_CHECKING:
    from pytest_beir.plugin import fixture_lookup


@dataclass(frozen=True)
class ParameterId:
    """One id that a parameter adds to the name, or why it cannot."""

    text: str | None
    problem: str | None = None


def parameter_id(
    item: pytest.Item, name: str, definition: fixture_lookup.FixtureDef, index: int
) -> ParameterId:
    """The id that a fixture's parameter adds to the retriever's name."""
    if definition.params is None:  # parametrised from outside: `indirect`, or in its place
        value = item.callspec.params[name]  # type: ignore[attr-defined]  # parametrised, so there
        text = _id(item, name, definition, value, None)
        text = text if text is not None else _own_name(value)
    elif not definition.params:
        return ParameterId(None)  # an empty list of parameters: pytest skips the test
    else:
        texts = [
            _id(item, name, definition, value, number)
            for number, value in enumerate(definition.params)
        ]
        text = texts[index]
        if text and texts.count(text) > 1:
            first, second = [n for n, each in enumerate(texts) if each == text][:2]
            return ParameterId(
                text,
                f"two retrievers are called {text!r}: parameters {first} and {second} of fixture "
                f"'{name}' have one id; give each its own with ids=[...], or give the retrievers "
                f"different 'name' attributes",
            )
    if text is None:
        return ParameterId(
            f"{name}{index}",
            f"parameter {index} of fixture '{name}' has no id of its own, and "
            f"'{name}{index}' would change with the order of the list: pass ids=[...] "
            f"to the fixture, or give the retriever a 'name' attribute",
        )
    return ParameterId(text)


def _id(
    item: pytest.Item,
    name: str,
    definition: fixture_lookup.FixtureDef,
    value: Any,
    index: int | None,
) -> str | None:
    """The id that the user or a value's own name gives a parameter, as pytest reads them.

    None where there is none, and an empty text where its author hides it.
    """
    given: object = None
    if index is not None and hasattr(value, "marks") and hasattr(value, "values"):
        given = value.id
        value = value.values[0]
    ids: Any = definition.ids
    if given is None and index is not None and ids is not None:
        given = ids(value) if callable(ids) else ids[index]
    if given is None:
        given = item.config.hook.pytest_make_parametrize_id(
            config=item.config, val=value, argname=name
        )
    if given is None:
        given = _plain_id(value)
    if given is not None and given is getattr(pytest, "HIDDEN_PARAM", None):
        return ""
    return None if given is None else str(given)


def _plain_id(value: object) -> str | None:
    if isinstance(value, enum.Enum) or value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, str):
        return str(value) or None
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) else None


def _own_name(value: object) -> str | None:
    """The name of a retriever that stands in the fixture's place, and so exists already."""
    try:
        name = attribute(value, "name")
    except BeirError:
        return None
    return str(name) if isinstance(name, str) and name.strip() else None
