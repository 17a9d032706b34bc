"""Behaviours of retrievers, each shown by one that lacks it."""

# ruff: noqa: ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir import BM25, load_dataset
from pytest_beir.conformance import BEHAVIOURS, _different, check

CORPUS = {
    f"d{number:02}": {"title": "", "text": f"boiler valve {'pump ' * number}"}
    for number in range(30)
}
QUERIES = {f"q{number}": f"pump valve {number}" for number in range(5)}


class Good:
    """Counts the words that a document shares with the query."""

    def __init__(self) -> None:
        self.corpus: Any = {}

    def index(self, corpus: Any) -> None:
        self.corpus = dict(corpus)

    def search(self, queries: Any, top_k: int) -> Any:
        return {query: self.ranked(text, top_k) for query, text in queries.items()}

    def ranked(self, text: str, top_k: int) -> Any:
        words = set(text.split())
        scores = {
            key: len(words & set(d["text"].split())) + len(d["text"]) / 1e3
            for key, d in self.corpus.items()
        }
        best = sorted(scores, key=lambda key: -scores[key])[:top_k]
        return {key: scores[key] for key in best}

    def close(self) -> None:
        self.corpus = {}


class Random(Good):
    calls = 0

    def search(self, queries: Any, top_k: int) -> Any:
        self.calls += 1
        return {
            q: {key: s + self.calls for key, s in a.items()}
            for q, a in super().search(queries, top_k).items()
        }


class Shallow(Good):
    def ranked(self, text: str, top_k: int) -> Any:
        found = super().ranked(text, 30)
        return dict(list(found.items())[30 - top_k :])


class ByPlace(Good):
    def search(self, queries: Any, top_k: int) -> Any:
        return {
            q: {key: s + place for key, s in self.ranked(text, top_k).items()}
            for place, (q, text) in enumerate(queries.items())
        }


class Normalised(Good):
    def search(self, queries: Any, top_k: int) -> Any:
        return {
            q: {key: s / len(queries) for key, s in a.items()}
            for q, a in super().search(queries, top_k).items()
        }


class Fragile(Good):
    def ranked(self, text: str, top_k: int) -> Any:
        if not text.strip():
            raise ValueError("empty query")
        return super().ranked(text, top_k)


class Greedy(Good):
    def search(self, queries: Any, top_k: int) -> Any:
        return {q: self.ranked(queries.pop(q), top_k) for q in list(queries)}


class Adding(Good):
    def index(self, corpus: Any) -> None:
        n = len(self.corpus)
        self.corpus = {
            **self.corpus,
            **{k: {**d, "text": d["text"] + " x" * n} for k, d in corpus.items()},
        }

    def close(self) -> None:
        pass


class Unclosable(Good):
    def close(self) -> None:
        raise OSError("busy")


@pytest.mark.parametrize("retriever", [Good(), BM25(), lambda query, k: ["d03", "d02", "d01"][:k]])
def test_a_good_retriever_behaves(retriever: Any) -> None:
    check(retriever, CORPUS, QUERIES)


@pytest.mark.parametrize(
    ("retriever", "behaviour", "words"),
    [
        (Random(), "deterministic", "asked a second time: 'd.*' scores"),
        (Shallow(), "top-k", "the best 3 are not the first 3 of the best 10"),
        (ByPlace(), "query-order", "with the queries in another order"),
        (Normalised(), "batch-size", "asked one query at a time"),
        (Fragile(), "odd-queries", "empty: .*ValueError: empty query.*only blanks"),
        (Greedy(), "input-unchanged", "the queries it was given were changed: 'q0', 'q1'"),
        (Adding(), "closes", "closed and indexed again: 'd"),
        (Unclosable(), "closes", r"close\(\) raised OSError: busy"),
    ],
)
def test_each_fault_is_named_under_its_behaviour(
    retriever: Any, behaviour: str, words: str
) -> None:
    with pytest.raises(AssertionError, match=f"^{behaviour}: .*{words}"):
        check(retriever, CORPUS, QUERIES, [behaviour])


def test_several_faults_are_listed() -> None:
    with pytest.raises(AssertionError) as caught:
        check(Random(), CORPUS, QUERIES)
    named = [line.split(":")[0] for line in str(caught.value).splitlines()]
    assert named == ["deterministic", "top-k", "query-order", "batch-size", "closes"]


def test_a_dataset_of_this_package_can_be_used() -> None:
    dataset = load_dataset("garden-claims")
    assert dataset.corpus is not None
    check(BM25(), dataset.corpus, dataset.queries, BEHAVIOURS)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ({"a": 2.0, "b": 1.0}, {"a": 2.0, "b": 1.0}, None),
        ({"a": 2.0, "b": 1.0}, {"a": 2.0, "c": 1.0}, None),  # a tie at the end
        ({"a": 2.0, "b": 1.0}, {"a": 2.0 + 1e-9, "b": 1.0}, None),
        ({"a": 2.0, "b": 1.0}, {"a": 2.5, "b": 1.0}, "'a' scores 2, then 2.5"),
        ({"a": 2.0, "b": 1.0}, {"a": 2.0}, "'b' is found at rank 2 in one answer"),
        ({"a": 2.0}, {"a": 2.0, "b": 1.0}, "'b' is found at rank 2 in one answer"),
        ({"b": 3.0, "a": 2.0}, {"a": 2.0, "c": 1.5}, "'b' is found at rank 1 in one answer"),
        ({}, {}, None),
    ],
)
def test_two_answers_differ_by_more_than_noise_and_ties_at_the_end(
    first: dict[str, float], second: dict[str, float], told: str | None
) -> None:
    found = _different(first, second)
    assert (found is None) if told is None else (found is not None and told in found)
