"""Chunks, fusions and rerankers, by hand."""

# ruff: noqa: ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pytest_beir import BM25
from pytest_beir.errors import AnswerError, RetrieverError, UsageError
from pytest_beir.evaluation.scored import retrieve
from pytest_beir.retrieval.chunked import Chunked
from pytest_beir.retrieval.pipelines import Fusion, Reranked
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.stage import trained_on_of
from pytest_beir.scoring.ranking import order

CHUNKS = {"d1#1": 0.9, "d1#2": 0.8, "d2#1": 0.85, "d1#3": 0.7, "d3#1": 0.4, "d2#2": 0.3}


def chunks(query: str, k: int) -> Any:
    return dict(sorted(CHUNKS.items(), key=lambda row: -row[1])[:k])


def run(value: Any, part: Any, top_k: int = 5) -> Any:
    return wrap(value).rankings(part, top_k).run["q1"]


def test_a_document_scores_as_its_best_chunk(part: Any) -> None:
    retriever = wrap(Chunked(chunks))
    assert retriever.rankings(part, 5).run["q1"] == {"d1": 0.9, "d2": 0.85, "d3": 0.4}
    assert retriever.recorded == {"answers": "scores", "chunks": "best of each document"}


def test_or_as_the_sum_of_its_best_ones(part: Any) -> None:
    found = run(Chunked(chunks, best=2), part)
    assert found == pytest.approx({"d1": 1.7, "d2": 1.15, "d3": 0.4})


def test_chunks_are_asked_for_until_there_are_enough_documents(part: Any) -> None:
    asked: list[int] = []

    def counting(query: str, k: int) -> Any:
        asked.append(k)
        return chunks(query, k)

    assert list(run(Chunked(counting), part, 3)) == ["d1", "d2", "d3"]
    assert asked == [3] * 3 + [6] * 3


def test_asking_ends_where_there_is_nothing_more(part: Any) -> None:
    asked: list[int] = []

    def stuck(query: str, k: int) -> Any:
        asked.append(k)
        return [f"d1#{place}" for place in range(min(k, 10))]

    assert run(Chunked(stuck), part, 5) == {"d1": -1.0}
    assert max(asked) == 20


def test_a_mapping_names_the_documents(part: Any) -> None:
    names = {chunk: chunk.partition("#")[0] for chunk in CHUNKS}
    assert run(Chunked(chunks, documents=names), part)["d2"] == 0.85
    with pytest.raises(AnswerError, match="query 'q1': chunk 'd1#1' is not in `documents`"):
        run(Chunked(chunks, documents={}), part)


def test_ids_without_a_separator_are_documents_or_errors(part: Any) -> None:
    assert run(Chunked(lambda query, k: ["d2", "d1#7"]), part) == {"d2": -1.0, "d1": -2.0}
    with pytest.raises(AnswerError, match="query 'q1': 'd9' is not a document, and has no '#'"):
        run(Chunked(lambda query, k: ["d9"]), part)
    with pytest.raises(AnswerError, match="document 'd9' is not in the corpus"):
        run(Chunked(lambda query, k: ["d9#1"]), part)


def test_sums_need_scores_of_0_and_more(part: Any) -> None:
    with pytest.raises(AnswerError, match="a chunk scores below 0"):
        run(Chunked(lambda query, k: ["d1#1", "d1#2"], best=2), part)


@pytest.mark.parametrize("wrong", [{"best": 0}, {"separator": ""}])
def test_what_folds_nothing_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="Chunked"):
        Chunked(chunks, **wrong)


def first(query: str, k: int) -> Any:
    return ["d1", "d2", "d3"][:k]


def second(corpus: Any, queries: Any, top_k: int) -> Any:
    return {query: {"d3": 9.0, "d2": 8.0} for query in queries}


def test_fusion_sums_reciprocal_ranks(part: Any) -> None:
    fused = run(Fusion(first, second, k=60), part)
    assert fused == pytest.approx(
        {"d1": 1 / 61, "d2": 1 / 62 + 1 / 62, "d3": 1 / 63 + 1 / 61}, abs=1e-12
    )


def test_a_fusion_is_all_of_its_parts() -> None:
    fusion = wrap(Fusion(BM25(), BM25(k1=0.9, engine="bm25s"), first))
    assert fusion.version is None  # `first` has none
    assert fusion.trained_on is None
    assert fusion.libraries == ("bm25s",)
    both = wrap(Fusion(BM25(), BM25(k1=0.9)))
    assert both.version == f"{BM25().version} + {BM25(k1=0.9).version}"
    assert both.trained_on == frozenset()
    assert both.recorded == {"fusion": "reciprocal rank, k=60: bm25, bm25"}
    with pytest.raises(UsageError, match="two retrievers or more"):
        Fusion(first)


def lengths(query: str, texts: list[str]) -> list[int]:
    return [len(text) for text in texts]


class CrossEncoder:
    def predict(self, pairs: Any) -> Any:
        assert all(isinstance(query, str) for query, _ in pairs)
        return np.array([float(len(text)) for _, text in pairs], dtype=np.float32)


@pytest.mark.parametrize("scorer", [lengths, CrossEncoder()])
def test_the_scorer_decides_within_the_depth(scorer: Any, part: Any) -> None:
    # The texts have 30, 34 and 0 characters.
    assert order(run(Reranked(first, scorer, depth=2), part)) == ["d2", "d1", "d3"]
    assert order(run(Reranked(first, scorer, depth=3), part)) == ["d2", "d1", "d3"]
    assert order(run(Reranked(first, scorer, depth=1), part)) == ["d1", "d2", "d3"]


def test_equal_scores_keep_the_first_stages_order(part: Any) -> None:
    constant = Reranked(second, lambda query, texts: [1.0] * len(texts))
    assert order(run(constant, part)) == ["d3", "d2"]


@pytest.mark.parametrize(
    ("scorer", "words"),
    [
        (lambda query, texts: [1.0], "gave 1 scores for 3 documents"),
        (lambda query, texts: [float("nan")] * 3, "query 'q1', document 'd1': the score is nan"),
    ],
)
def test_what_a_scorer_does_wrong_is_named(scorer: Any, words: str, part: Any) -> None:
    with pytest.raises(RetrieverError, match=words):
        run(Reranked(first, scorer), part)


def test_what_is_no_scorer_is_refused() -> None:
    with pytest.raises(UsageError, match=r"a scorer with predict\(pairs\)"):
        Reranked(first, 3)


def test_the_headroom_is_between_the_stages_and_a_perfect_order(part: Any) -> None:
    # d1 alone is relevant: first ranks it 1st, the scorer 2nd, so nDCG is 1 and 1 / log2(3).
    retriever = wrap(Reranked(first, lengths, depth=2))
    scored = retrieve(part, retriever, name="r", metrics=["nDCG@10"])
    (note,) = scored.notes
    assert note == (
        "nDCG@10 of the stages: a retriever 1.000, reranked 0.631; a perfect order of the 3"
        " documents of a retriever would score 1.000"
    )


def test_stages_are_closed(part: Any) -> None:
    closed = []
    stage = type(
        "Stage",
        (),
        {"search": lambda self, query, k: ["d1"], "close": lambda self: closed.append(1)},
    )
    for value in (Chunked(stage()), Fusion(stage(), stage()), Reranked(stage(), lengths)):
        retriever = wrap(value)
        retriever.rankings(part, 5)
        retriever.close()
    assert len(closed) == 4


def test_what_one_stage_was_trained_on_all_were() -> None:
    def stage(names: set[str] | None) -> Any:
        return SimpleNamespace(trained_on=names)

    both = trained_on_of([stage({"msmarco"}), stage({"nq", "fever"})])
    assert both == frozenset({"msmarco", "nq", "fever"})
    assert trained_on_of([stage({"msmarco"}), stage(None)]) is None


def test_what_decides_a_retriever_of_chunks_decides_its_documents() -> None:
    class Framed:
        libraries = ("numpy",)
        trained_on = frozenset({"msmarco"})

        def index(self, corpus: Any) -> None:
            pass

        def search(self, queries: Any, top_k: int) -> Any:
            return {query: chunks(query, top_k) for query in queries}

    under_test = wrap(Chunked(Framed()))
    assert under_test.libraries == ("numpy",)
    assert under_test.trained_on == frozenset({"msmarco"})
