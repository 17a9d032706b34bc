"""Retrieval on two worker processes: the scores and the order of one process."""

from __future__ import annotations

import os
import signal
from collections import Counter
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pytest_beir.distributed import on_cluster, shard
from pytest_beir.distributed.cluster import WorkerFailure
from pytest_beir.distributed.on_cluster import RetrieverOnCluster
from pytest_beir.distributed.sharded import Sharded
from pytest_beir.errors import AnswerError, RetrieverError
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.retrieval.encoder import Encoder
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.distributed.cluster import Cluster

    InParts = Callable[[int], Cluster]

DEPTH = 100


class Letters:
    """Counts letters: a text is as long a vector as the alphabet."""

    def encode(self, texts: list[str]) -> Any:
        counts = [Counter(text.lower()) for text in texts]
        return np.array([[one[letter] for letter in "abcdefghij"] for one in counts], dtype=float)


class Overlap:
    """A user's own retriever, whose scores say the same whatever else is in the corpus."""

    shardable = True

    def index(self, corpus: Any) -> None:
        self.words = {document: set(one["text"].split()) for document, one in corpus.items()}

    def search(self, queries: Any, top_k: int) -> Any:  # noqa: ARG002  # it answers with all
        return {
            query: {
                document: len(words & set(text.split())) for document, words in self.words.items()
            }
            for query, text in queries.items()
        }


def only_one_query(query: str, top_k: int) -> list[str]:
    return [query][:top_k]


class Ranker(Overlap):
    def search(self, queries: Any, top_k: int) -> Any:
        return {query: list(self.words)[:top_k] for query in queries}


class Broken(Overlap):
    def index(self, corpus: Any) -> None:
        raise ValueError(f"no room for {len(corpus)} documents")


def on(cluster: Cluster, value: Any) -> RetrieverOnCluster:
    return RetrieverOnCluster(value, wrap(value).form, cluster, None)


def exactly(run: Any) -> list[Any]:
    """Queries, documents in their order, and every bit of the scores."""
    return [
        (query, [(document, float(score).hex()) for document, score in found.items()])
        for query, found in run.items()
    ]


@pytest.mark.parametrize(
    "value",
    [BM25(), BM25(epsilon=0.25), Encoder(Letters())],
    ids=["bm25", "bm25 with epsilon", "encoder"],
)
def test_parts_give_the_scores_and_the_order_of_one_process(
    cluster: InParts, manual: Dataset, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = wrap(value).rankings(manual, DEPTH)
    if isinstance(value, Encoder):
        monkeypatch.setattr(value, "shard_multiple", 64, raising=False)  # the collection is small
    for shards in (4, 7):
        found = on(cluster(shards), value).rankings(manual, DEPTH)
        assert exactly(found.run) == exactly(expected.run)


def test_a_worker_that_is_killed_changes_nothing(
    cluster: InParts, manual: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = wrap(BM25()).rankings(manual, DEPTH)
    two = cluster(7)
    two.connect()
    victims = [next(iter(two.client.run(os.getpid).values()))]
    killed = []

    def kill(*_: Any) -> None:
        """Called when a shard is done: the first time, six of them are not."""
        if victims:
            killed.append(victims.pop())
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(Sharded, "_count", kill)
    found = on(two, BM25()).rankings(manual, DEPTH)
    assert exactly(found.run) == exactly(expected.run)
    assert killed[0] not in two.client.run(os.getpid, on_error="ignore").values()


def test_a_users_retriever_that_declares_itself_is_searched_in_parts(
    cluster: InParts, manual: Dataset
) -> None:
    expected = wrap(Overlap()).rankings(manual, DEPTH).run
    found = on(cluster(3), Overlap()).rankings(manual, DEPTH).run
    assert found == expected


def test_one_that_does_not_is_refused_with_the_reason(cluster: InParts, manual: Dataset) -> None:
    class Plain(Overlap):
        shardable = False

    with pytest.raises(RetrieverError, match=r"does not declare `shardable = True`.*shards=1"):
        on(cluster(3), Plain()).rankings(manual, DEPTH)
    with pytest.raises(RetrieverError, match=r"no index\(corpus\) and search"):
        on(cluster(3), only_one_query).rankings(manual, DEPTH)


def test_rankings_without_scores_cannot_be_merged(cluster: InParts, manual: Dataset) -> None:
    with pytest.raises(AnswerError, match="ranking without scores"):
        on(cluster(2), Ranker()).rankings(manual, DEPTH)


@pytest.mark.parametrize("shards", [1, 2])
def test_a_failure_has_the_traceback_of_the_worker(
    cluster: InParts, manual: Dataset, shards: int
) -> None:
    with pytest.raises(RetrieverError, match=r"boiler-manual.*ValueError: no room for") as caught:
        on(cluster(shards), Broken()).rankings(manual, DEPTH)
    cause = caught.value.__cause__
    assert isinstance(cause, WorkerFailure)
    assert "in index" in str(cause)
    assert "tcp://" in str(cause)


def test_lines_are_sent_where_a_worker_cannot_read_the_file(
    cluster: InParts, manual: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(*asked: Any) -> list[shard.Shard]:
        return [replace(part, file="/nowhere/corpus.jsonl") for part in shard.cut(*asked)]

    expected = wrap(BM25()).rankings(manual, DEPTH)
    monkeypatch.setattr(on_cluster, "cut", elsewhere)
    found = on(cluster(7), BM25()).rankings(manual, DEPTH, query_batch=100)
    assert exactly(found.run) == exactly(expected.run)


def test_a_whole_dataset_is_one_task_whatever_form_the_retriever_has(
    cluster: InParts, manual: Dataset
) -> None:
    def everything(corpus: Any, queries: Any, top_k: int) -> Any:
        return {query: dict.fromkeys(corpus, 1.0) for query in queries}

    found = on(cluster(1), everything).rankings(manual, DEPTH)
    assert found.run == wrap(everything).rankings(manual, DEPTH).run


def test_saved_answers_are_not_searched_again(cluster: InParts, manual: Dataset) -> None:
    first, *_ = manual.queries
    saved = {first: {next(iter(manual.corpus or ())): 9.0}}
    batches: list[Any] = []
    found = on(cluster(1), BM25()).rankings(manual, DEPTH, answered=saved, on_batch=batches.append)
    assert found.run[first] == saved[first]
    assert list(found.run) == list(manual.queries)
    assert first not in batches[0]


def test_what_belongs_to_one_process_cannot_be_sent(cluster: InParts, manual: Dataset) -> None:
    value = Overlap()
    value.lock = Lock()  # type: ignore[attr-defined]
    with pytest.raises(RetrieverError, match=r"cannot be sent to workers: .*lock"):
        on(cluster(2), value).rankings(manual, DEPTH)
