"""A user's retriever on a cluster: corpora in parts where they are large, else whole datasets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.cache import cache_folder
from pytest_beir.distributed import worker
from pytest_beir.distributed.cluster import Call
from pytest_beir.distributed.pickled import pickled
from pytest_beir.distributed.shard import cut
from pytest_beir.distributed.sharded import Sharded, why_not_shardable
from pytest_beir.distributed.task import versions
from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.call_shape import form_of
from pytest_beir.retrieval.rankings import Rankings
from pytest_beir.retrieval.retriever import RetrieverUnderTest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from pytest_beir.datasets.corpus import Corpus
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.distributed.cluster import Cluster
    from pytest_beir.distributed.worker import WholeAnswer
    from pytest_beir.retrieval.call_shape import Form
    from pytest_beir.retrieval.rankings import Asked

_WHOLE = 2**26  # bytes of a corpus up to which a dataset is one task
_SHARD = 2**28  # bytes of a part, at most

_Key = tuple[str, str, str | None, str, int]


class RetrieverOnCluster(RetrieverUnderTest):
    """Retrieves as the retriever itself would, on workers."""

    def __init__(self, value: Any, form: Form | None, cluster: Cluster, cache: Path | None) -> None:
        super().__init__(value, form)
        self._cluster = cluster
        self._cache_folder = str(cache_folder(cache))
        self._packed: bytes | None = None
        self._ahead: dict[_Key, Call] = {}
        self._announced: list[Dataset] = []
        self._answer: WholeAnswer | None = None
        self._sharded: RetrieverUnderTest | None = None

    @property
    def version(self) -> str | None:
        """The retriever's `version`, where only what a factory builds has one too."""
        own = super().version
        return own if own is not None or self._answer is None else self._answer.version

    @property
    def recorded(self) -> Mapping[str, str]:
        """What a baseline should say of how the answers came about."""
        if self._answer is not None:
            return self._answer.recorded
        said = {} if self._sharded is None else self._sharded.recorded
        return {**super().recorded, **said}

    def announce(self, parts: Iterable[Dataset]) -> None:
        """Datasets that will be asked for next: workers may begin with those that stay whole."""
        self._announced.extend(parts)

    def rank(self, part: Dataset, top_k: int, asked: Asked) -> Rankings:
        """The rankings of one part's judged queries, as a single process makes them."""
        corpus = part.corpus
        if corpus is None:
            return super().rank(part, top_k, asked)
        self._cluster.connect()
        shards = self._shards_of(corpus)
        self._cluster.shards = max(self._cluster.shards, shards)
        if shards > 1:
            return self._in_shards(part, corpus, shards).rank(part, top_k, asked)
        known = dict(asked.known)
        queries = {query: text for query, text in part.queries.items() if query not in known}
        asked.tell(len(known), len(part.queries))
        if not queries:
            return Rankings(known, True, 0.0, 0.0)  # noqa: FBT003
        call = self._ahead.pop(_key(part, top_k), None) if not known else None
        if call is None:
            call = self._whole(corpus, queries, top_k, asked.query_batch)
            self._cluster.start(call)
        self._begin_announced(part, top_k, asked.query_batch)
        answer: WholeAnswer = self._cluster.results([call])[0]
        self._answer, self._sharded = answer, None
        found = answer.rankings
        asked.save(found.run)
        run = {**known, **found.run}
        return Rankings(
            {query: run[query] for query in part.queries if query in run},
            found.checked_against_corpus,
            found.seconds_index,
            found.seconds_search,
            found.notes,
        )

    def searcher(
        self, part: Dataset
    ) -> Callable[[Mapping[str, str], int], Mapping[str, Mapping[str, float]]]:
        """A function (queries, top_k) that searches the part: on workers where it is in parts."""
        if part.corpus is None:
            return super().searcher(part)
        self._cluster.connect()
        shards = self._shards_of(part.corpus)
        if shards == 1:
            return super().searcher(part)
        return self._in_shards(part, part.corpus, shards).searcher(part)

    def index_again(self) -> None:
        """Let the next search index its corpus anew, there as here."""
        self._cluster.release()
        super().index_again()

    def close(self) -> None:
        """Close what is open here, and let workers forget what was begun."""
        self._ahead.clear()
        if self._sharded is not None:
            self._sharded.close()
            self._sharded = None
        self._cluster.release()
        super().close()

    def _shards_of(self, corpus: Corpus) -> int:
        wanted = self._cluster.address.shards
        if wanted is not None:
            return wanted
        size = corpus.span(0, len(corpus))[1]
        if size <= _WHOLE:
            return 1
        return max(self._cluster.workers, -(-size // _SHARD), 1)

    def _in_shards(
        self,
        part: Dataset,
        corpus: Corpus,
        shards: int,
    ) -> RetrieverUnderTest:
        if reason := why_not_shardable(self._value):
            raise RetrieverError(
                f"{part.name}: the corpus is to be cut into {shards} parts, and {reason}. Declare"
                " it where it is true, or give whole datasets to workers:"
                f" --beir-scheduler={self._cluster.address.place},shards=1"
            )
        multiple = getattr(self._value, "shard_multiple", 1)
        sharded = Sharded(
            self._cluster,
            self._value,
            self._bytes(),
            cut(corpus, shards, multiple),
            expected=versions(self.libraries),
            cache=self._cache_folder,
        )
        # All queries at once: where there are more shards than workers, each is indexed anew for
        # every batch.
        form = replace(form_of(sharded), at_once=True)
        self._answer, self._sharded = None, RetrieverUnderTest(sharded, form)
        return self._sharded

    def _whole(
        self,
        corpus: Corpus,
        queries: Mapping[str, str],
        top_k: int,
        query_batch: int,
    ) -> Call:
        return Call(
            function=worker.whole_dataset,
            shard=cut(corpus, 1)[0],
            corpus=corpus,
            retriever=self._bytes(),
            expected=versions(self.libraries),
            cache=self._cache_folder,
            rest=(dict(queries), top_k, query_batch),
        )

    def _begin_announced(self, part: Dataset, top_k: int, query_batch: int) -> None:
        """Start whole datasets that come later, to the same depth."""
        depth = top_k - part.drop_identical_ids
        announced, self._announced = self._announced, []
        for later in announced:
            own_depth = depth + later.drop_identical_ids
            key = _key(later, own_depth)
            if later.corpus is None or key in self._ahead or self._shards_of(later.corpus) > 1:
                continue
            call = self._whole(later.corpus, later.queries, own_depth, query_batch)
            self._cluster.start(call)
            self._ahead[key] = call

    def _bytes(self) -> bytes:
        if self._packed is None:
            self._packed = pickled(self._value)
        return self._packed


def _key(part: Dataset, top_k: int) -> _Key:
    prints = part.fingerprints
    return (part.name, part.split, prints.corpus, prints.queries, top_k)
