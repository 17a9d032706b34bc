"""What is measured once, against a retriever whose time, disk and memory are known."""

from __future__ import annotations

import sys
from time import sleep
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pytest_beir import load_dataset
from pytest_beir.latency.cost import indexed
from pytest_beir.latency.measurement import Design, LatencyMeasurement
from pytest_beir.latency.sample import Cost
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset

MEGABYTES = 50


class Known:
    """Takes .1 s, 50 MB of memory and 3,000 bytes on the disk to index."""

    def index(self, corpus: Any) -> None:
        sleep(0.1)
        (corpus.cache_dir / "index").mkdir(parents=True, exist_ok=True)
        (corpus.cache_dir / "index" / "one").write_bytes(b"x" * 1000)
        (corpus.cache_dir / "two").write_bytes(b"x" * 2000)
        self.held = np.ones(MEGABYTES * 1_000_000, dtype=np.uint8)

    def search(self, queries: Any, top_k: int) -> Any:  # noqa: ARG002
        return {query: {} for query in queries}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """A bundled dataset whose side files lie in a folder of the test."""
    return load_dataset("boiler-manual", cache_dir=tmp_path)


def test_indexing_costs_its_time_its_files_and_its_memory(dataset: Dataset) -> None:
    _, cost = indexed(dataset, wrap(Known()))
    assert cost.index_seconds is not None
    assert 0.1 <= cost.index_seconds < 30
    assert cost.index_bytes == 3000
    if sys.platform.startswith("linux"):
        assert cost.resident_bytes is not None
        assert MEGABYTES * 0.9e6 < cost.resident_bytes < MEGABYTES * 2e6


def test_percentiles_and_rate_are_those_of_known_waits() -> None:
    # Eighteen of twenty queries wait 2 ms, the others 30 and 60: by the rule of percentiles,
    # the 10th, 19th and 20th of twenty sorted values.
    waits = {f"q{number:02d}": 0.002 for number in range(20)} | {"q18": 0.03, "q19": 0.06}
    texts = dict.fromkeys(waits, "text")
    measurement = LatencyMeasurement(
        lambda query, _: sleep(waits[query]), texts, Design(tuple(texts), passes=1)
    )
    sample = measurement.sample(measurement.run(), Cost(), budget=0.0)
    for share, wait in ((50, 0.002), (95, 0.03), (99, 0.06)):
        assert sample.percentiles[share] >= wait  # a machine may take longer, not shorter
    assert sample.percentiles[50] < 0.03
    assert sample.rate <= 20 / sum(waits.values())
