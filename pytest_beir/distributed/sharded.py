"""A retriever that indexes and searches parts of a corpus on workers, and merges the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.distributed import worker
from pytest_beir.distributed.cluster import Call
from pytest_beir.distributed.merge import Merging
from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.signatures import has_method, is_of_contract

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_beir.datasets.corpus import Corpus
    from pytest_beir.distributed.cluster import Cluster
    from pytest_beir.distributed.shard import Shard

_STATISTICS = ("statistics", "merge_statistics", "adopt")


def why_not_shardable(value: Any) -> str:
    """Why parts of a corpus cannot be searched apart with this retriever; empty where they can."""
    kind = type(value).__name__
    if not is_of_contract(value):
        return (
            f"{kind} has no index(corpus) and search(queries, top_k), which parts of a corpus are"
            " given to"
        )
    if getattr(value, "shardable", None) is not True:
        return (
            f"{kind} does not declare `shardable = True`, that its scores are comparable across"
            " parts of a corpus, whatever else is in them"
        )
    return ""


class Sharded:
    """The contract of any retriever, carried out on a cluster."""

    def __init__(
        self,
        cluster: Cluster,
        value: Any,
        packed: bytes,
        shards: Sequence[Shard],
        *,
        expected: Mapping[str, str],
        cache: str,
    ) -> None:
        self._cluster = cluster
        self._value = value
        self._packed = packed
        self._shards = shards
        self._expected = expected
        self._cache = cache
        self._corpus: Corpus | None = None
        self._calls: list[Call] = []
        self._read: set[int] = set()

    def index(self, corpus: Corpus) -> None:
        """Take note of the corpus: its parts are indexed where they are searched."""
        self._corpus = corpus

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The best documents of the whole corpus, as one process would find them."""
        whole = None
        if all(has_method(self._value, method) for method in _STATISTICS):
            parts = self._on_all(worker.statistics, queries)
            whole = self._value.merge_statistics(parts)
        merging = Merging(top_k)
        self._on_all(worker.search, queries, top_k, whole, take=merging.take)
        return merging.result(queries)

    def _on_all(
        self,
        function: Callable[..., Any],
        *rest: Any,
        take: Callable[[Any], None] | None = None,
    ) -> list[Any]:
        if self._corpus is None:
            raise RetrieverError("the shards were asked before there was a corpus")
        before = self._calls
        self._calls = [
            Call(
                function=function,
                shard=shard,
                corpus=self._corpus,
                retriever=self._packed,
                expected=self._expected,
                cache=self._cache,
                rest=rest,
                prefers=before[number].prefers if before else None,
            )
            for number, shard in enumerate(self._shards)
        ]
        return self._cluster.results(self._calls, self._count, take)

    def _count(self, call: Call) -> None:
        """Count the documents of the first pass, as a corpus does that is read here."""
        if self._corpus is not None and call.shard.number not in self._read:
            self._read.add(call.shard.number)
            self._corpus.documents_read += call.shard.count
