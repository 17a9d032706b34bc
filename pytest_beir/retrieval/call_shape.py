"""Which form a user's retriever has: decided by declared methods and parameters, never by a trial.

Whatever the form, a `Form` says how it is indexed, searched and closed.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.no_form import kind, missing_methods, no_form
from pytest_beir.retrieval.per_query import PerQuery, SearchLimits, limits_of
from pytest_beir.retrieval.signatures import (
    ONE_QUERY,
    binds,
    calling,
    first_name,
    has_method,
    positional,
    signature_of,
)
from pytest_beir.retrieval.user_code import attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_beir.retrieval.protocol import Factory, QuerySearch, SearchFunction

# A search for one query is told by the names of its parameters.
_QUERY = ("query", "q", "question", "text", "user_input")
_QUERY_NOT_CORPUS = ("query", "question", "q", "text")
_DEPTH = ("k", "top_k", "topk", "n", "limit", "size", "top_n", "n_results", "num_results")
_MORE_DEPTH = ("max_results", "num", "count", "depth", "hits", "num_hits")


@dataclass(frozen=True)
class Form:
    """How a retriever is used.

    `search(corpus, queries, top_k)` answers queries together, `ask(query, top_k)` one within the
    `limits`; `index(corpus)` comes before where there is one. With `build(corpus)` the retriever
    is a factory, and the form of what it builds counts. `at_once` says that all queries are sent
    together, `stays_open` that it is closed at the end alone, not between datasets.
    """

    kind: str
    search: SearchFunction | None = None
    ask: QuerySearch | None = None
    index: Callable[[Mapping[str, Mapping[str, str]]], object] | None = None
    build: Factory | None = None
    close: Callable[[], Any] | None = None
    at_once: bool = False
    stays_open: bool = False
    limits: SearchLimits = field(default_factory=SearchLimits)
    is_async: bool = False


def form_of(value: Any) -> Form:
    """The form of the value of a `retriever` fixture.

    Raises:
        RetrieverError: it has none, and what was looked for is listed; or it cannot be used.

    """
    _refuse_unusable(value)
    if isinstance(value, PerQuery):
        return _per_query(value)
    if not isinstance(value, type) and has_method(value, "search"):
        if has_method(value, "index"):
            return _object(value, index=True)
        asked = _asked(value, attribute(value, "search"), _QUERY)
        if asked is not None:
            return replace(asked, stays_open=True)
    if not callable(value):
        raise no_form(value, missing_methods(value))
    _refuse_generator(value, value)
    signature = signature_of(value)
    if signature is None:
        raise no_form(value, "its parameters cannot be read; wrap it in a function")
    if (
        isinstance(value, type)
        and has_method(value, "search")
        and "corpus" not in signature.parameters
    ):
        raise RetrieverError(
            f"the retriever {value.__name__} is a class: return an instance, {value.__name__}(...)"
        )
    return _callable(value, signature)


def product_form(value: Any) -> Form:
    """The form of what a factory built for one corpus.

    Any but a factory, and since the corpus is known: an object with `search` alone, or a
    callable f(queries, top_k).
    """
    _refuse_unusable(value)
    if isinstance(value, PerQuery):
        return _per_query(value)
    if isinstance(value, type):
        raise no_form(value, f"a factory returned a class; return an instance, {kind(value)}(...)")
    if has_method(value, "search"):
        return replace(_object(value, index=has_method(value, "index")), stays_open=False)
    form = _closure(value) or form_of(value)
    if form.build is not None:
        raise no_form(value, "a factory returned another factory")
    return replace(form, close=_closing(value), stays_open=False)


def _callable(value: Any, signature: inspect.Signature) -> Form:
    if asked := _asked(value, value, _QUERY):
        return replace(asked, close=_closing(value), stays_open=True)
    if _is_search(signature):
        search = calling(value, signature, ("corpus", "queries", "top_k"))
        if search is not None:
            return Form("function", search=search, close=_closing(value), at_once=True)
    elif _is_factory(signature):
        if (first := first_name(signature)) in _QUERY_NOT_CORPUS:
            raise no_form(
                value,
                f"it takes {first!r} and no number of documents: add a parameter k, such as"
                f" ({first}, k)",
            )
        build = calling(value, signature, ("corpus",))
        if build is not None:
            return Form("factory", build=build)
    raise no_form(value, f"it is a callable with the parameters {signature}")


def _per_query(value: PerQuery) -> Form:
    function = value.search
    is_async = _is_async(function)
    signature = signature_of(function)
    ask = None if signature is None else _with_depth(function, signature)
    return Form(
        "query",
        ask=ask or function,
        close=_closing(value),
        stays_open=True,
        limits=value.limits(is_async=is_async),
        is_async=is_async,
    )


def _asked(value: Any, function: Any, names: Sequence[str]) -> Form | None:
    """The form of a search for one query, None if the parameters do not say that it is one."""
    signature = signature_of(function)
    if isinstance(function, type) or signature is None or first_name(signature) not in names:
        return None
    ask = _with_depth(function, signature)
    if ask is None:
        return None
    _refuse_generator(value, function)
    is_async = _is_async(function)
    return Form(
        "query",
        ask=ask,
        close=_closing(value),
        limits=limits_of(attribute(value, "concurrency"), is_async=is_async),
        is_async=is_async,
    )


def _with_depth(function: Any, signature: inspect.Signature) -> QuerySearch | None:
    """The function as one of (query, number of documents), None if it declares no number."""
    names = [name for name in list(signature.parameters)[1:] if name in (*_DEPTH, *_MORE_DEPTH)]
    for name in names:
        if signature.parameters[name].kind is not inspect.Parameter.POSITIONAL_ONLY:
            if binds(signature, ("query",), (name,)):
                return lambda query, top_k: function(query, **{name: top_k})
            first = first_name(signature)
            if binds(signature, (), (first, name)):
                return lambda query, top_k: function(**{first: query, name: top_k})
        elif binds(signature, ("query", name), ()):
            return function  # type: ignore[no-any-return]
    return None


def _closure(value: Any) -> Form | None:
    signature = signature_of(value) if callable(value) else None
    if signature is None or "corpus" in signature.parameters or _asked(value, value, _QUERY):
        return None
    if len(positional(signature)) != 2 and "queries" not in signature.parameters:  # noqa: PLR2004  # queries, top_k
        return None
    search = calling(value, signature, ("queries", "top_k"))
    if search is None:
        return None
    _refuse_generator(value, value)
    return Form("function", search=lambda _, *asked: search(*asked))


def _object(value: Any, *, index: bool) -> Form:
    indexing = _method(value, "index", ("corpus",)) if index else None
    asked = _asked(value, value.search, ONE_QUERY if index else _QUERY)
    if asked is not None:
        return replace(asked, index=indexing)
    search = _method(value, "search", ("queries", "top_k"))
    return Form(
        "object",
        search=lambda _, *asked: search(*asked),
        index=indexing,
        close=_closing(value),
    )


def _method(value: Any, name: str, parameters: tuple[str, ...]) -> Callable[..., Any]:
    method = getattr(value, name)
    _refuse_generator(value, method)
    signature = signature_of(method)
    if signature is None:
        return method  # type: ignore[no-any-return]  # a compiled method: taken at its name
    call = calling(method, signature, parameters)
    if call is None:
        raise no_form(
            value, f"its method is {name}{signature}, not {name}({', '.join(parameters)})"
        )
    return call


def _is_search(signature: inspect.Signature) -> bool:
    """Whether `queries` is declared, or (under other names) all that a search needs."""
    declared = positional(signature)
    required = [one for one in declared if one.default is one.empty]
    # A factory with settings, f(corpus, k1=.9, b=.4), requires one; a search requires queries too.
    return "queries" in signature.parameters or (len(required) >= 2 and len(declared) >= 3)  # noqa: PLR2004


def _is_factory(signature: inspect.Signature) -> bool:
    declared = positional(signature)
    required = [one for one in declared if one.default is one.empty]
    return len(required) == 1 or (not required and "corpus" in signature.parameters)


def _closing(value: Any) -> Callable[[], Any] | None:
    close: Callable[[], Any] | None = attribute(value, "close")
    return close if callable(close) and not isinstance(value, type) else None


def _refuse_unusable(value: Any) -> None:
    if value is None:
        raise RetrieverError("the retriever is None: does its fixture return one?")
    if inspect.iscoroutine(value) or inspect.isasyncgen(value):
        raise RetrieverError(
            "the retriever is a coroutine: its fixture is async; make it an ordinary one (what it"
            " returns may be async)"
        )


def _is_async(function: Any) -> bool:
    return any(inspect.iscoroutinefunction(one) for one in _inner(function))


def _refuse_generator(value: Any, function: Any) -> None:
    for one in _inner(function):
        if inspect.isasyncgenfunction(one):
            name = getattr(one, "__qualname__", repr(one))
            raise RetrieverError(
                f"{name} of the retriever {kind(value)} is an async generator: return the answer"
                " instead of yielding it"
            )


def _inner(function: Any) -> tuple[Any, ...]:
    """The function itself, that of a functools.partial, and the method of a callable object."""
    if isinstance(function, type):
        return ()
    inner = getattr(function, "func", function)
    return (function, inner, getattr(type(inner), "__call__", None))  # noqa: B004
