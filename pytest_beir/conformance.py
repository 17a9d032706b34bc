"""How a retriever behaves whatever it finds: many regressions show here first.

`pytest --beir --beir-conformance` collects a test for each of BEHAVIOURS. In a test of one's own,
`check(retriever, corpus, queries)` raises an AssertionError that names what does not hold.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.phrasing import joined
from pytest_beir.retrieval.open_retriever import CloseWarning
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.stage import corpus_part
from pytest_beir.scoring.ranking import order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.retrieval.retriever import RetrieverUnderTest

    Run = Mapping[str, Mapping[str, float]]

# Enough to see a difference, few enough for a search that is paid for.
_QUERIES = 8
_DEPTH = 10
# Sums in another order, or on another device, differ by so much of a score.
_NOISE = 1e-5
_ODD = {
    "empty": "",
    "only blanks": " \t\n",
    "only punctuation": "?! (\"' AND [x:y] OR *",
    "20,000 words": "pressure " * 20_000,
    "one word of 10,000 letters": "x" * 10_000,
    "emoji": "🔥 how do I bleed a radiator? 👩‍🔧🇫🇷",
    "right to left": "كيف أنظف المرشح؟ איך מנקים",
    "control characters": "a\x00b\x1b[31mc\u202ed",
}


def check(
    retriever: Any,
    corpus: Mapping[str, Mapping[str, str]],
    queries: Mapping[str, str],
    behaviours: Iterable[str] | None = None,
) -> None:
    """Check all behaviours, or those named, on some of the queries.

    Raises:
        AssertionError: some do not hold; each is named, with the query that shows it.

    """
    under_test = wrap(retriever)
    names = BEHAVIOURS if behaviours is None else tuple(behaviours)
    faults = [
        f"{name}: {fault}"
        for name in names
        if (fault := fault_of(name, under_test, corpus_part(corpus), queries)) is not None
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how it closes is a behaviour of its own
        under_test.close()
    if faults:
        raise AssertionError("\n".join(faults))


def fault_of(
    behaviour: str, retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]
) -> str | None:
    """What is wrong with one behaviour, None if it holds."""
    few = dict(list(queries.items())[:_QUERIES])
    try:
        return _CHECKS[behaviour](retriever, part, few)
    except RetrieverError as error:
        return str(error)


def _is_deterministic(
    retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]
) -> str | None:
    search = retriever.searcher(part)
    return _difference(search(queries, _DEPTH), search(queries, _DEPTH), "asked a second time")


def _keeps_top_k(
    retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]
) -> str | None:
    search = retriever.searcher(part)
    few, many = search(queries, 3), search(queries, _DEPTH)
    for query, answer in few.items():
        first = order(many.get(query, {}))[: len(answer)]
        expected = {document: many[query][document] for document in first}
        fault = _different(answer, expected)
        if fault:
            return f"query {query!r}: the best 3 are not the first 3 of the best {_DEPTH}: {fault}"
    return None


def _ignores_query_order(
    retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]
) -> str | None:
    search = retriever.searcher(part)
    backwards = dict(reversed(list(queries.items())))
    return _difference(
        search(queries, _DEPTH), search(backwards, _DEPTH), "with the queries in another order"
    )


def _ignores_batches(
    retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]
) -> str | None:
    search = retriever.searcher(part)
    alone: dict[str, Mapping[str, float]] = {}
    for query, text in queries.items():
        alone |= search({query: text}, _DEPTH)
    return _difference(search(queries, _DEPTH), alone, "asked one query at a time")


def _survives_odd_queries(
    retriever: RetrieverUnderTest,
    part: Dataset,
    queries: Mapping[str, str],  # noqa: ARG001  # as all have it
) -> str | None:
    search = retriever.searcher(part)
    faults = {name: _fault_with(search, text) for name, text in _ODD.items()}
    return "; ".join(f"{name}: {fault}" for name, fault in faults.items() if fault) or None


def _fault_with(search: Callable[[Mapping[str, str], int], Run], text: str) -> str | None:
    try:
        answer = search({"odd": text}, _DEPTH)
    except RetrieverError as error:
        return str(error)
    return None if "odd" in answer else "no answer, not even an empty one"


def _keeps_its_input(
    retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]
) -> str | None:
    retriever.searcher(part)
    given = dict(queries)
    retriever.answer_to(part, given, _DEPTH)
    if given == dict(queries):
        return None
    changed = [query for query, text in queries.items() if given.get(query) != text]
    return f"the queries it was given were changed: {joined(map(repr, changed)) or 'some came in'}"


def _closes(retriever: RetrieverUnderTest, part: Dataset, queries: Mapping[str, str]) -> str | None:
    before = retriever.searcher(part)(queries, _DEPTH)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        retriever.index_again()
        after = retriever.searcher(part)(queries, _DEPTH)
    raised = [str(one.message) for one in caught if issubclass(one.category, CloseWarning)]
    return raised[0] if raised else _difference(before, after, "closed and indexed again")


_CHECKS: Mapping[str, Callable[[RetrieverUnderTest, Dataset, Mapping[str, str]], str | None]] = {
    "deterministic": _is_deterministic,
    "top-k": _keeps_top_k,
    "query-order": _ignores_query_order,
    "batch-size": _ignores_batches,
    "odd-queries": _survives_odd_queries,
    "input-unchanged": _keeps_its_input,
    "closes": _closes,
}
BEHAVIOURS = tuple(_CHECKS)


def _difference(first: Run, second: Run, how: str) -> str | None:
    for query in first.keys() | second.keys():
        fault = _different(first.get(query, {}), second.get(query, {}))
        if fault:
            return f"query {query!r}, {how}: {fault}"
    return None


def _different(first: Mapping[str, float], second: Mapping[str, float]) -> str | None:
    """How two answers differ by more than noise; documents that tie at the end may change."""
    for one, other in ((first, second), (second, first)):
        last = min(other.values(), default=0.0)
        for rank, document in enumerate(order(one), 1):
            score = one[document]
            noise = _NOISE * max(1.0, abs(score))
            if document in other:
                if abs(score - other[document]) > noise:
                    return f"{document!r} scores {score:g}, then {other[document]:g}"
            elif len(one) != len(other) or score > last + noise:
                return f"{document!r} is found at rank {rank} in one answer and not in the other"
    return None
