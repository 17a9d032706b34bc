"""A run with `--beir-scheduler`: retrievers on a cluster, with datasets begun before their turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.distributed.cluster import Cluster
from pytest_beir.distributed.on_cluster import RetrieverOnCluster
from pytest_beir.errors import BeirError
from pytest_beir.plugin import fixture_lookup, retriever_identity
from pytest_beir.plugin.suite_collector import dataset_of
from pytest_beir.retrieval.open_retriever import STORED
from pytest_beir.retrieval.retriever import RetrieverUnderTest, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.plugin.options import Options


class OnScheduler:
    """The cluster of a run, and what is retrieved there."""

    def __init__(self, options: Options, load: Callable[[str], Dataset]) -> None:
        self._options = options
        self._load = load
        self._retriever: RetrieverUnderTest | None = None
        self._begun: set[str] = set()
        if options.scheduler is None:
            raise ValueError("a run without --beir-scheduler")
        self._cluster = Cluster(options.scheduler)

    @property
    def facts(self) -> dict[str, Any]:
        """What `beir.json` says of it; nothing where no worker was needed."""
        if not self._cluster.shards:
            return {}
        address = self._cluster.address.place
        scheduler = {
            "address": address,
            "workers": self._cluster.workers,
            "shards": self._cluster.shards,
        }
        return {"scheduler": scheduler}

    def wrapped(self, prepared: Any) -> RetrieverUnderTest:
        """The retriever on the cluster; rankings made elsewhere stay here."""
        under_test = wrap(prepared)
        if isinstance(prepared, (*STORED, RetrieverUnderTest)):
            return under_test
        return RetrieverOnCluster(prepared, under_test.form, self._cluster, self._options.cache)

    def begin_others(
        self, node: pytest.Item, retriever: RetrieverUnderTest, dataset: Dataset
    ) -> None:
        """Let workers begin with the datasets whose tests come next, as many as there are workers.

        Only where the tests share the retriever: it is known by the scope of its fixture.
        """
        if not isinstance(retriever, RetrieverOnCluster) or not _is_shared(node):
            return
        self._cluster.connect()
        if retriever is not self._retriever:
            self._retriever, self._begun = retriever, set()
        self._begun.discard(dataset.name)  # its turn has come, so there is room for another
        for name in self._next(node):
            if len(self._begun) >= self._cluster.workers:
                break
            if name not in self._begun and name != dataset.name:
                self._begun.add(name)
                try:
                    retriever.announce(self._load(name).parts)
                except BeirError:
                    continue  # its own test says so

    def close(self) -> None:
        """Disconnect, and stop the workers that were started here."""
        self._cluster.close()

    def _next(self, node: pytest.Item) -> Iterator[str]:
        """The datasets of the tests to come, as far as they have the same retriever."""
        key = retriever_identity.identify(node, self._options.project).key
        items = node.session.items
        for item in items[items.index(node) + 1 :]:
            name = dataset_of(item)
            if name is None:
                continue
            if retriever_identity.identify(item, self._options.project).key != key:
                return
            yield name


def _is_shared(node: pytest.Item) -> bool:
    found = fixture_lookup.definitions_seen_by("retriever", node)
    return bool(found) and found[-1].scope in ("session", "package", "module")
