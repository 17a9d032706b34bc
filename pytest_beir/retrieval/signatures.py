"""What a callable declares of its parameters, and whether it can be called as the contract says."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from pytest_beir.retrieval.user_code import attribute

if TYPE_CHECKING:
    from collections.abc import Callable


# The first parameter of a search for one query, beside whatever other methods.
ONE_QUERY = ("query", "question", "text")


def is_of_contract(value: Any) -> bool:
    """Whether the value has `index(corpus)` and `search(queries, top_k)` that can be called so.

    A search for one query, as some frameworks have beside an `index`, is none.
    """
    if isinstance(value, type) or not (has_method(value, "index") and has_method(value, "search")):
        return False
    if (parameters_of(value, "search") or ("",))[0] in ONE_QUERY:
        return False
    return all(
        (signature := signature_of(attribute(value, name))) is None
        or calling(attribute(value, name), signature, parameters) is not None
        for name, parameters in (("index", ("corpus",)), ("search", ("queries", "top_k")))
    )


def parameters_of(value: Any, method: str) -> tuple[str, ...] | None:
    """The names of a method's parameters, None where there is no such method or it hides them."""
    function = attribute(value, method)
    signature = signature_of(function) if callable(function) else None
    return None if signature is None else tuple(signature.parameters)


def calling(
    function: Callable[..., Any], signature: inspect.Signature, names: tuple[str, ...]
) -> Callable[..., Any] | None:
    """The function as one that takes these parameters by position, or None if it cannot."""
    named = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    # Declared names are passed by name, in whatever order they stand; the others by position.
    if all(name in named for name in names) and binds(signature, (), names):
        return lambda *values: function(**dict(zip(names, values, strict=True)))
    if binds(signature, names, ()):
        return function
    for split in range(len(names) - 1, -1, -1):
        if binds(signature, names[:split], names[split:]):
            return lambda *values: function(
                *values[:split], **dict(zip(names[split:], values[split:], strict=True))
            )
    return None


def binds(
    signature: inspect.Signature, by_place: tuple[str, ...], by_name: tuple[str, ...]
) -> bool:
    """Whether a call with these arguments is possible."""
    try:
        signature.bind(*by_place, **dict.fromkeys(by_name))
    except TypeError:
        return False
    return True


def positional(signature: inspect.Signature) -> list[inspect.Parameter]:
    """The parameters that can be given by position."""
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one for one in signature.parameters.values() if one.kind in places]


def first_name(signature: inspect.Signature) -> str:
    """The name of the first parameter, empty where there is none."""
    return next(iter(signature.parameters), "")


def signature_of(value: Any) -> inspect.Signature | None:
    """The signature, None where it cannot be read."""
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def has_method(value: object, method: str) -> bool:
    """Whether the value has such a method."""
    return callable(attribute(value, method))
