"""Datasets that workers begin before they are asked for, without any worker."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.distributed.on_cluster import RetrieverOnCluster
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from pytest_beir.datasets.dataset import Dataset


@dataclass
class Workers:
    """As much of a cluster as a retriever needs that begins ahead."""

    begun: list[Any] = field(default_factory=list)
    released: int = 0
    address: Any = field(default_factory=lambda: SimpleNamespace(shards=None))
    workers: int = 2

    def start(self, call: Any) -> None:
        self.begun.append(call)

    def release(self) -> None:
        self.released += 1


@pytest.fixture
def workers() -> Workers:
    return Workers()


@pytest.fixture
def retriever(workers: Workers) -> RetrieverOnCluster:
    value = BM25()
    return RetrieverOnCluster(value, wrap(value).form, workers, None)  # type: ignore[arg-type]


def depths(workers: Workers) -> list[int]:
    return [call.rest[1] for call in workers.begun]


def test_each_announced_dataset_is_begun_once_at_its_own_depth(
    workers: Workers, retriever: RetrieverOnCluster, manual: Dataset
) -> None:
    other = replace(manual, name="other", drop_identical_ids=True)
    retriever.announce([manual, other])
    retriever._begin_announced(manual, 100, 1000)
    assert depths(workers) == [100, 101]
    retriever.announce([manual])
    retriever._begin_announced(manual, 100, 1000)
    assert len(workers.begun) == 2
    # From a dataset that drops identical ids, to the depth without the one more.
    retriever.announce([replace(manual, name="third")])
    retriever._begin_announced(other, 101, 1000)
    assert depths(workers) == [100, 101, 100]


def test_what_has_no_corpus_or_is_cut_into_parts_is_not_begun(
    workers: Workers, retriever: RetrieverOnCluster, manual: Dataset
) -> None:
    retriever.announce([replace(manual, corpus=None)])
    retriever._begin_announced(manual, 100, 1000)
    workers.address.shards = 2
    retriever.announce([manual])
    retriever._begin_announced(manual, 100, 1000)
    assert workers.begun == []


def test_a_closed_retriever_forgets_what_was_begun(
    workers: Workers, retriever: RetrieverOnCluster, manual: Dataset
) -> None:
    retriever.announce([manual])
    retriever._begin_announced(manual, 100, 1000)
    retriever.close()
    assert workers.released == 1
    retriever.announce([manual])
    retriever._begin_announced(manual, 100, 1000)
    assert len(workers.begun) == 2
