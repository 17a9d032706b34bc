"""What a type checker sees of the public names; mypy reads this file, nothing runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typing_extensions import assert_type

import pytest_beir
from pytest_beir import (
    BM25,
    BeirError,
    Comparison,
    Corpus,
    Dataset,
    Evaluation,
    Retriever,
    RunFiles,
    Scored,
    compare_scores,
    load_dataset,
    score_run,
)


class WordOverlap:
    """A retriever without a base class: the protocol is enough."""

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        self.corpus = corpus

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        return {query: dict.fromkeys(list(self.corpus)[:top_k], 1.0) for query in queries}


own: Retriever = WordOverlap()
shipped: Retriever = BM25()
assert_type(pytest_beir.__version__, str)
assert_type(RunFiles("runs/{dataset}.trec"), RunFiles)

dataset = load_dataset("garden-claims")
assert_type(dataset, Dataset)
assert_type(dataset.corpus, Corpus | None)
assert_type(dataset.queries, Mapping[str, str])
assert_type(dataset.qrels, Mapping[str, Mapping[str, int]])
if dataset.corpus is not None:
    assert_type(dataset.corpus["d1"], dict[str, str])

scores = score_run({"q": {"d": 1}}, {"q": {"d": 0.5}}, ["nDCG@10"])
assert_type(scores, dict[str, dict[str, float]])
comparison = compare_scores([1.0, 0.5], [1.0, 0.4], margin=0.02)
assert_type(comparison, Comparison)
assert_type(comparison.p_drop, float)
assert_type(comparison.effect, float)


def test_of_a_users_own(
    beir_dataset: Dataset, beir_result: Scored, beir_check: Callable[[], Evaluation]
) -> None:
    assert_type(beir_result.dataset, Dataset)
    assert_type(beir_result.missing, tuple[str, ...])
    evaluation = beir_check()
    assert_type(evaluation, Evaluation)
    assert_type(evaluation.passed, bool)
    assert_type(evaluation.flags, tuple[str, ...])
    assert_type(beir_dataset.name, str)


def test_of_errors(action: Callable[[], Any]) -> None:
    try:
        action()
    except BeirError as error:
        assert_type(error.code, str)
        assert_type(error.with_code, str)
