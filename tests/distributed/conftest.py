"""A cluster of two processes on this machine, and collections to search there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.distributed.address import parse
from pytest_beir.distributed.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_beir.datasets.dataset import Dataset


@pytest.fixture(scope="module")  # idle workers cost as well, and would live as long as the session
def two_workers() -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="needs dask: pip install 'pytest-beir[distributed]'")
    cluster = Cluster(parse("local:2", Path()))
    yield cluster
    cluster.close()


@pytest.fixture
def cluster(two_workers: Cluster) -> Iterator[Callable[[int], Cluster]]:
    """The two workers, for corpora in so many parts."""

    def in_parts(shards: int) -> Cluster:
        two_workers.address = replace(two_workers.address, shards=shards)
        return two_workers

    yield in_parts
    two_workers.release()


@pytest.fixture(scope="package")
def manual() -> Dataset:
    return load_dataset("boiler-manual")
