"""Which form a user's retriever has: decided by declared methods and parameters, never by a trial.

Whatever the form, a `Form` says how it is indexed, searched and closed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.user_code import attribute

if TYPE_CHECKING:
    from pytest_beir.retrieval.protocol import Factory, SearchFunction

_LOOKED_FOR = """\
looked for
  - methods index(corpus) and search(queries, top_k);
  - a callable f(corpus, queries, top_k);
  - a factory f(corpus) that returns either of these;
  - RunFiles("runs/{dataset}.trec")"""


@dataclass(frozen=True)
class Form:
    """How a retriever is used.

    `search(corpus, queries, top_k)` answers; `index(corpus)` comes before it where there is one.
    With `build(corpus)` the retriever is a factory, and the form of what it builds counts.
    `at_once` says that all queries are sent together.
    """

    kind: str
    search: SearchFunction | None = None
    index: Callable[[Mapping[str, Mapping[str, str]]], object] | None = None
    build: Factory | None = None
    close: Callable[[], Any] | None = None
    at_once: bool = False


def form_of(value: Any) -> Form:
    """The form of the value of a `retriever` fixture.

    RetrieverError lists what was looked for if it has none, or says why it cannot be used.
    """
    _refuse_unusable(value)
    if not isinstance(value, type) and _has(value, "index") and _has(value, "search"):
        return _object(value, index=True)
    if not callable(value):
        raise _no_form(value, _missing_methods(value))
    _refuse_async(value, value)
    signature = _signature(value)
    if signature is None:
        raise _no_form(value, "its parameters cannot be read; wrap it in a function")
    if isinstance(value, type) and _has(value, "search") and "corpus" not in signature.parameters:
        raise _no_form(value, f"it is a class; return an instance, {value.__name__}(...)")
    if _is_search(signature):
        search = _call(value, signature, ("corpus", "queries", "top_k"))
        if search is not None:
            return Form("function", search=search, close=_closing(value), at_once=True)
    elif _is_factory(signature):
        build = _call(value, signature, ("corpus",))
        if build is not None:
            return Form("factory", build=build)
    raise _no_form(value, f"it is a callable with the parameters {signature}")


def product_form(value: Any) -> Form:
    """The form of what a factory built for one corpus.

    Any but a factory, and since the corpus is known: an object with `search` alone, or a
    callable f(queries, top_k).
    """
    _refuse_unusable(value)
    if isinstance(value, type):
        raise _no_form(
            value, f"a factory returned a class; return an instance, {_kind(value)}(...)"
        )
    if _has(value, "search"):
        return _object(value, index=_has(value, "index"))
    form = _closure(value) or form_of(value)
    if form.build is not None:
        raise _no_form(value, "a factory returned another factory")
    return replace(form, close=_closing(value))


def _closure(value: Any) -> Form | None:
    signature = _signature(value) if callable(value) else None
    if signature is None or "corpus" in signature.parameters:
        return None
    if len(_declared(signature)) != 2 and "queries" not in signature.parameters:  # noqa: PLR2004  # queries, top_k
        return None
    search = _call(value, signature, ("queries", "top_k"))
    if search is None:
        return None
    _refuse_async(value, value)
    return Form("function", search=lambda _, *asked: search(*asked), at_once=True)


def _object(value: Any, *, index: bool) -> Form:
    search = _method(value, "search", ("queries", "top_k"))
    return Form(
        "object",
        search=lambda _, *asked: search(*asked),
        index=_method(value, "index", ("corpus",)) if index else None,
        close=_closing(value),
    )


def _method(value: Any, name: str, parameters: tuple[str, ...]) -> Callable[..., Any]:
    method = getattr(value, name)
    _refuse_async(value, method)
    signature = _signature(method)
    if signature is None:
        return method  # type: ignore[no-any-return]  # a compiled method: taken at its name
    call = _call(method, signature, parameters)
    if call is None:
        raise _no_form(
            value, f"its method is {name}{signature}, not {name}({', '.join(parameters)})"
        )
    return call


def _call(
    function: Callable[..., Any], signature: inspect.Signature, names: tuple[str, ...]
) -> Callable[..., Any] | None:
    """The function as one that takes these parameters by position, or None if it cannot."""
    named = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    # Declared names are passed by name, in whatever order they stand; the others by position.
    if all(name in named for name in names) and _binds(signature, (), names):
        return lambda *values: function(**dict(zip(names, values, strict=True)))
    if _binds(signature, names, ()):
        return function
    for split in range(len(names) - 1, -1, -1):
        if _binds(signature, names[:split], names[split:]):
            return lambda *values: function(
                *values[:split], **dict(zip(names[split:], values[split:], strict=True))
            )
    return None


def _binds(
    signature: inspect.Signature, by_place: tuple[str, ...], by_name: tuple[str, ...]
) -> bool:
    try:
        signature.bind(*by_place, **dict.fromkeys(by_name))
    except TypeError:
        return False
    return True


def _is_search(signature: inspect.Signature) -> bool:
    """Whether `queries` is declared, or (under other names) all that a search needs."""
    declared = _declared(signature)
    required = [one for one in declared if one.default is one.empty]
    # A factory with settings, f(corpus, k1=.9, b=.4), requires one; a search requires queries too.
    return "queries" in signature.parameters or (len(required) >= 2 and len(declared) >= 3)  # noqa: PLR2004


def _is_factory(signature: inspect.Signature) -> bool:
    declared = _declared(signature)
    required = [one for one in declared if one.default is one.empty]
    return len(required) == 1 or (not required and "corpus" in signature.parameters)


def _declared(signature: inspect.Signature) -> list[inspect.Parameter]:
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one for one in signature.parameters.values() if one.kind in places]


def _signature(value: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def _has(value: object, method: str) -> bool:
    return callable(attribute(value, method))


def _closing(value: Any) -> Callable[[], Any] | None:
    close: Callable[[], Any] | None = attribute(value, "close")
    return close if callable(close) and not isinstance(value, type) else None


def _refuse_unusable(value: Any) -> None:
    if value is None:
        raise RetrieverError("the retriever is None: does its fixture return one?")
    if inspect.iscoroutine(value) or inspect.isasyncgen(value):
        raise RetrieverError(
            "the retriever is a coroutine: its fixture is async; make it an ordinary one"
        )


def _refuse_async(value: Any, function: Any) -> None:
    if isinstance(function, type):
        return
    inner = getattr(function, "func", function)  # of a functools.partial
    method = getattr(type(inner), "__call__", None)  # noqa: B004  # of a callable object
    for one in (function, inner, method):
        if inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one):
            name = getattr(one, "__qualname__", repr(one))
            raise RetrieverError(
                f"{name} of the retriever {_kind(value)} is async: give an ordinary function,"
                " for example one that calls asyncio.run"
            )


def _missing_methods(value: object) -> str:
    found = [name for name in ("index", "search") if _has(value, name)]
    if isinstance(value, Sequence):  # whose index() is another thing
        found = []
    return f"it has {found[0]}() alone" if found else "it has neither method and is not callable"


def _no_form(value: Any, reason: str) -> RetrieverError:
    return RetrieverError(
        f"the retriever {_kind(value)} has no known form: {reason}; {_LOOKED_FOR}"
    )


def _kind(value: Any) -> str:
    name = attribute(value, "__name__")
    return name if isinstance(name, str) else f"of type {type(value).__name__}"
