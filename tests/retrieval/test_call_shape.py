"""The form of a retriever is decided by declared methods and parameters, never by a trial call."""

# ruff: noqa: ARG002, ARG005  # parameters are declared for the sake of their names
# mypy: disable-error-code="override, misc"

from __future__ import annotations

import functools
from typing import Any
from unittest.mock import MagicMock

import pytest

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.call_shape import form_of, product_form
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles

ANSWER = {"q1": {"d1": 1.0}}


def answer(corpus: Any, queries: Any, top_k: Any) -> Any:
    """Answer, if called as agreed."""
    assert list(corpus) == ["d1", "d2", "d3"]
    assert set(queries) == {"q1", "q2", "q3"}
    assert top_k == 5
    return ANSWER


class Indexing:
    def __init__(self) -> None:
        self.corpus: Any = {}

    def index(self, corpus: Any) -> Any:
        self.corpus = corpus

    def search(self, queries: Any, top_k: Any) -> Any:
        return answer(self.corpus, queries, top_k)


class OtherNames(Indexing):
    def index(self, documents: Any, /, verbose: Any = False) -> Any:
        self.corpus = documents

    def search(self, topics: Any, k: Any = 10, **settings: Any) -> Any:
        assert not settings
        return answer(self.corpus, topics, k)


class ByName(Indexing):
    def index(self, *, corpus: Any) -> Any:
        self.corpus = corpus

    def search(self, top_k: Any, queries: Any) -> Any:
        return answer(self.corpus, queries, top_k)


class CallableToo(Indexing):
    def __call__(self, text: Any) -> Any:
        raise AssertionError


class Calling:
    def __call__(self, corpus: Any, queries: Any, top_k: Any) -> Any:
        return answer(corpus, queries, top_k)

    def method(self, corpus: Any, queries: Any, top_k: Any = 100) -> Any:
        return answer(corpus, queries, top_k)


class Built:
    def __init__(self, corpus: Any, k1: Any = 0.9) -> None:
        self.corpus = corpus

    def search(self, queries: Any, top_k: Any) -> Any:
        return answer(self.corpus, queries, top_k)


def defaults(corpus: Any, queries: Any, top_k: Any = 10, depth: Any = 3, **settings: Any) -> Any:
    assert depth == 3
    return answer(corpus, queries, top_k)


def other_order(queries: Any, top_k: Any, corpus: Any) -> Any:
    return answer(corpus, queries, top_k)


def only_names(*, corpus: Any, queries: Any, top_k: Any) -> Any:
    return answer(corpus, queries, top_k)


def other_names(documents: Any, topics: Any, depth: Any) -> Any:
    return answer(documents, topics, depth)


def depth_in_settings(corpus: Any, queries: Any, **settings: Any) -> Any:
    return answer(corpus, queries, **settings)


def with_model(model: Any, corpus: Any, queries: Any, top_k: Any) -> Any:
    assert model == "small"
    return answer(corpus, queries, top_k)


@functools.wraps(answer)
def decorated(*args: Any, **kwargs: Any) -> Any:
    return answer(*args, **kwargs)


OBJECTS = [Indexing(), OtherNames(), ByName(), CallableToo()]
FUNCTIONS = [
    answer,
    defaults,
    other_order,
    only_names,
    other_names,
    depth_in_settings,
    decorated,
    Calling(),
    Calling().method,
    functools.partial(with_model, "small"),
    functools.partial(with_model, model="small"),
    answer,
]


def make_object(corpus: Any) -> Any:
    return Indexing()


def make_function(corpus: Any, *, k1: Any = 0.9) -> Any:
    return answer


def make_closure(corpus: Any, k1: Any = 0.9, b: Any = 0.4) -> Any:
    return lambda queries, top_k: answer(corpus, queries, top_k)


def make_nameless_closure(documents: Any) -> Any:
    return lambda topics, k: answer(documents, topics, k)


FACTORIES = [make_object, make_function, make_closure, make_nameless_closure, Built]
FACTORIES += [functools.partial(Built, k1=1.2), lambda corpus=None: Built(corpus)]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("object", value) for value in OBJECTS),
        *(("function", value) for value in FUNCTIONS),
        *(("factory", value) for value in FACTORIES),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value).split(" at ")[0][-30:],
)
def test_every_known_form_is_recognised_and_answers(kind: Any, value: Any, part: Any) -> None:
    assert form_of(value).kind == kind
    assert wrap(value).rankings(part, 5).run == ANSWER


def test_nothing_is_called_while_the_form_is_decided() -> None:
    calls = []

    def search(corpus: Any, queries: Any, top_k: Any) -> Any:
        calls.append("search")

    def build(corpus: Any) -> Any:
        calls.append("build")

    class Recording:
        def index(self, corpus: Any) -> Any:
            calls.append("index")

        def search(self, queries: Any, top_k: Any) -> Any:
            calls.append("search")

    for value in (search, build, Recording(), RunFiles("nowhere/{dataset}.trec")):
        wrap(value)
    assert calls == []


def test_a_mock_with_any_method_is_taken_at_its_methods() -> None:
    assert form_of(MagicMock()).kind == "object"


QUERY_SEARCHES: list[Any] = [
    lambda query, k: ["d2", "d1"],
    lambda q, top_k=10: ["d2", "d1"],
    lambda question, filters=None, limit=10: ["d2", "d1"],
    lambda text, *, size: ["d2", "d1"],
    lambda user_input, n=5, **more: ["d2", "d1"],
    lambda query, k, /: ["d2", "d1"],
    type("Client", (), {"search": lambda self, query, k=10: ["d2", "d1"]})(),
    type("Client", (), {"search": lambda self, q, limit: ["d2", "d1"]})(),
    type(
        "Indexed",
        (),
        {"index": lambda self, corpus: None, "search": lambda self, query, k=10: ["d2", "d1"]},
    )(),
    lambda corpus: lambda query, k: ["d2", "d1"],
    lambda corpus: type("Client", (), {"search": lambda self, q, k: ["d2", "d1"]})(),
]


@pytest.mark.parametrize("value", QUERY_SEARCHES)
def test_a_search_for_one_query_is_told_by_the_names_of_its_parameters(
    value: Any, part: Any
) -> None:
    run = wrap(value).rankings(part, 5).run
    assert run == {query: {"d2": -1.0, "d1": -2.0} for query in part.queries}


def test_beside_an_index_q_may_mean_all_queries() -> None:
    methods = {"index": lambda self, corpus: None, "search": lambda self, q, k: {}}
    assert form_of(type("Engine", (), methods)()).kind == "object"


@pytest.mark.parametrize("name", ["query", "question", "q", "text"])
def test_a_query_without_a_number_of_documents_is_no_factory(name: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def search({name}): raise AssertionError", names)  # noqa: S102  # the name is the case
    with pytest.raises(RetrieverError, match=rf"takes '{name}' and no number .*\({name}, k\)"):
        wrap(names["search"])


def test_an_unknown_object_gets_the_two_lines_that_adapt_it() -> None:
    engine = type("Engine", (), {"retrieve": lambda self, texts: None})()
    with pytest.raises(RetrieverError) as caught:
        wrap(engine)
    assert str(caught.value).endswith(
        "Two lines adapt it, where `it` is your object:\n"
        "    def search(query, k):\n"
        "        return [(hit.id, hit.score) for hit in it.retrieve(query, k)]"
    )


LOOKED_FOR = r"(?s)looked for.*index\(corpus\) and search\(queries, top_k\).*factory.*RunFiles"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (3, "neither method and is not callable"),
        ("bm25", "neither method and is not callable"),
        (
            type("SearchOnly", (), {"search": lambda self, queries, top_k: {}})(),
            r"search\(\) alone",
        ),
        (type("IndexOnly", (), {"index": lambda self, corpus: None})(), r"index\(\) alone"),
        (lambda: None, r"a callable with the parameters \(\)"),
        (lambda queries, top_k: {}, r"the parameters \(queries, top_k\)"),
        (lambda corpus, queries: {}, r"the parameters \(corpus, queries\)"),
        (lambda corpus, queries, top_k, model: {}, "the parameters .*model"),
        (lambda *args: {}, r"the parameters \(\*args\)"),
        (lambda *args, **kwargs: {}, r"the parameters \(\*args, \*\*kwargs\)"),
    ],
)
def test_a_value_of_no_form_is_an_error_that_lists_what_was_looked_for(
    value: Any, reason: Any
) -> None:
    with pytest.raises(RetrieverError, match=reason) as caught:
        wrap(value)
    assert caught.match(LOOKED_FOR)


def test_a_class_is_told_from_its_instance_in_one_line() -> None:
    with pytest.raises(RetrieverError) as caught:
        wrap(Indexing)
    told = "the retriever Indexing is a class: return an instance, Indexing(...)"
    assert str(caught.value) == told


def test_a_class_whose_constructor_takes_something_else_is_no_factory() -> None:
    class NeedsModel(Indexing):
        def __init__(self, model_name: Any) -> None:
            raise AssertionError

    with pytest.raises(RetrieverError, match="return an instance"):
        wrap(NeedsModel)


@pytest.mark.parametrize(
    ("index", "search", "reason"),
    [
        (
            lambda self: None,
            lambda self, queries, top_k: {},
            r"its method is index\(\), not index\(",
        ),
        (lambda self, corpus, ids: None, lambda self, queries, top_k: {}, r"index\(corpus, ids\)"),
        (
            lambda self, corpus: None,
            lambda self, texts: {},
            r"search\(texts\), not search\(queries",
        ),
    ],
)
def test_a_method_with_other_parameters_is_named(index: Any, search: Any, reason: Any) -> None:
    value = type("Odd", (), {"index": index, "search": search})()
    with pytest.raises(RetrieverError, match=reason):
        wrap(value)


def test_none_asks_whether_the_fixture_returns_anything() -> None:
    with pytest.raises(RetrieverError, match="the retriever is None: does its fixture return one"):
        wrap(None)


async def search_async(corpus: Any, queries: Any, top_k: Any) -> Any:
    return answer(corpus, queries, top_k)


class AsyncMethods(Indexing):
    async def index(self, corpus: Any) -> Any:
        self.corpus = corpus

    async def search(self, queries: Any, top_k: Any) -> Any:
        return answer(self.corpus, queries, top_k)


class AsyncCall:
    async def __call__(self, corpus: Any, queries: Any, top_k: Any) -> Any:
        return answer(corpus, queries, top_k)


async def make_async(corpus: Any) -> Any:
    return AsyncCall()


@pytest.mark.parametrize(
    "value",
    [search_async, AsyncMethods(), AsyncCall(), functools.partial(search_async), make_async],
)
def test_async_retrievers_are_awaited(value: Any, part: Any) -> None:
    retriever = wrap(value)
    assert retriever.rankings(part, 5).run == ANSWER
    retriever.close()


async def search_generator(corpus: Any, queries: Any, top_k: Any) -> Any:
    yield {}


def test_an_async_generator_is_refused() -> None:
    with pytest.raises(RetrieverError, match="is an async generator: return the answer instead"):
        wrap(search_generator)


def test_a_coroutine_points_to_an_async_fixture() -> None:
    coroutine = search_async({}, {}, 1)
    with pytest.raises(RetrieverError, match="its fixture is async"):
        wrap(coroutine)
    coroutine.close()


@pytest.mark.parametrize(
    ("product", "reason"),
    [
        (None, "the retriever is None"),
        (Indexing, "a factory returned a class"),
        (make_object, "a factory returned another factory"),
        (3, "has no known form"),
    ],
)
def test_a_factory_must_return_a_usable_retriever(product: Any, reason: Any) -> None:
    with pytest.raises(RetrieverError, match=reason):
        product_form(product)
