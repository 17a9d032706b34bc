"""What it costs to index a dataset: time, disk and memory."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pytest_beir.latency.sample import Cost

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.retrieval.retriever import RetrieverUnderTest


def indexed(dataset: Dataset, retriever: RetrieverUnderTest) -> tuple[Any, Cost]:
    """What searches the dataset, just indexed, and what indexing it took."""
    before = _resident()
    cache = dataset.corpus.cache_dir if dataset.corpus is not None else None
    size = _size(cache)
    retriever.index_again()
    start = perf_counter()
    searcher = retriever.searcher(dataset)
    taken = perf_counter() - start
    after = _resident()
    grown = None if before is None or after is None else after - before
    return searcher, Cost(taken, _size(cache) - size, grown)


def _resident() -> int | None:
    """The memory of this process in bytes, None where the system does not say."""
    if not sys.platform.startswith("linux"):
        return None
    import resource
    from pathlib import Path

    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * resource.getpagesize()


def _size(folder: Path | None) -> int:
    if folder is None:
        return 0
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
