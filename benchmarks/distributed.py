"""What docs/distributed.md computes from: rates of BM25 by shard, and stragglers by simulation.

    python benchmarks/distributed.py FOLDER

FOLDER is a dataset of a few thousand documents. All seconds are of processor time, so that a busy
machine changes little.
"""

from __future__ import annotations

import heapq
import pickle
import random
import sys
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import cloudpickle

from pytest_beir import BM25
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.distributed import worker
from pytest_beir.distributed.merge import Merging
from pytest_beir.distributed.shard import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_beir.distributed.shard import Shard

TOP_K = 1000
SHARDS = 28


@dataclass(frozen=True)
class Rates:
    """Seconds and bytes: of a byte indexed, a query and document scored, an answer merged."""

    index: float
    digest: float
    score: float
    memory: float
    answer: float
    merge: float
    entry: float
    shard_seconds: tuple[float, ...]


@dataclass(frozen=True)
class Task:
    """A corpus to search; bytes of its lines."""

    name: str
    documents: int
    size: float
    queries: int


# Documents and queries are published counts; bytes are taken for 1.5 kB and 0.4 kB a document.
TASKS = (
    Task("BioASQ", 14_914_602, 14_914_602 * 1500.0, 500),
    Task("MS MARCO v2", 138_364_198, 138_364_198 * 400.0, 3_903),
)


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and what the action gave."""
    start = process_time()
    given = action()
    return process_time() - start, given


def measure(folder: Path) -> Rates:
    """The rates on this machine."""
    dataset = load_dataset(folder)
    corpus = dataset.corpus
    if corpus is None:
        raise SystemExit(f"{folder} has no corpus")
    size = corpus.span(0, len(corpus))[1]
    digest, parts = timed(lambda: cut(corpus, SHARDS))
    retriever = BM25()
    packed = cloudpickle.dumps(retriever)
    counting, searching, statistics = [], [], []
    for part in parts:
        seconds, counted = timed(lambda: worker.statistics(packed, part, None, "", dataset.queries))  # noqa: B023
        counting.append(seconds)
        statistics.append(counted)
    whole = retriever.merge_statistics(statistics)
    merging = Merging(TOP_K)
    merge_seconds = entries = sent = 0.0
    for part in parts:
        worker.statistics(packed, part, None, "", {})  # indexed, so that only the search is timed
        seconds, answers = timed(
            lambda: worker.search(packed, part, None, "", dataset.queries, TOP_K, whole)  # noqa: B023
        )
        searching.append(seconds)
        entries += sum(len(ids) for ids, _ in answers.values())
        sent += len(pickle.dumps(answers))
        merge_seconds += timed(lambda: merging.take(answers))[0]  # noqa: B023
    merge_seconds += timed(lambda: merging.result(dataset.queries))[0]
    worker.close_retriever()
    retriever.index(corpus)
    retriever.search(dataset.queries, 10)
    scoring, _ = timed(lambda: retriever.search(dataset.queries, 10))
    return Rates(
        index=sum(counting) / size,
        digest=digest / size,
        score=scoring / (len(corpus) * len(dataset.queries)),
        memory=_memory(packed, cut(corpus, 1)[0]) / size,
        answer=sum(searching) / entries,
        merge=merge_seconds / entries,
        entry=sent / entries,
        shard_seconds=tuple(counting),
    )


def _memory(packed: bytes, part: Shard) -> float:
    """The most bytes that are in use while a part is indexed, its lines among them."""
    tracemalloc.start()
    worker.statistics(packed, part, None, "", {})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    worker.close_retriever()
    return peak


def computed(rates: Rates, task: Task, workers: int, shards: int) -> tuple[float, float, float]:
    """Seconds on the workers, seconds in the process of the tests, and bytes of answers."""
    rounds = -(-shards // workers)
    passes = 1 if shards <= workers else 2
    entries = task.queries * min(TOP_K, task.documents / shards)
    on_workers = rounds * (
        passes * rates.index * task.size / shards
        + rates.score * task.queries * task.documents / shards
        + rates.answer * entries
    )
    here = rates.digest * task.size + rates.merge * entries * shards
    return on_workers, here, entries * shards * rates.entry


def makespan(seconds: Sequence[float], speeds: Sequence[float]) -> float:
    """When the last shard is done, if each worker takes the next one as soon as it is free."""
    free = [(0.0, number) for number in range(len(speeds))]
    for work in seconds:
        start, number = heapq.heappop(free)
        heapq.heappush(free, (start + work / speeds[number], number))
    return max(end for end, _ in free)


def stragglers(rates: Rates, workers: int = 8) -> None:
    """How long a slow worker holds up a run, by how many shards there are for each worker."""
    mean = sum(rates.shard_seconds) / len(rates.shard_seconds)
    drawn = random.Random(0)  # noqa: S311  # a simulation
    print(f"\n{workers} workers, one slower; 1.00 is the time if work could be divided at will")
    print("shards a worker    equal    2x slower    4x slower    10x slower")
    for each in (1, 2, 4, 8, 16, 32):
        row = []
        for slower in (1, 2, 4, 10):
            speeds = [1 / slower, *[1.0] * (workers - 1)]
            runs = []
            for _ in range(200):
                work = [
                    drawn.choice(rates.shard_seconds) / mean / each for _ in range(each * workers)
                ]
                runs.append(makespan(work, speeds) / (sum(work) / sum(speeds)))
            row.append(sum(runs) / len(runs))
        print(f"{each:15d}" + "".join(f"{value:12.2f}" for value in row))


def main(folder: Path) -> None:
    """Measure, compute and simulate."""
    rates = measure(folder)
    print(f"index   {1e-6 / rates.index:8.2f} MB/s")
    print(f"digest  {1e-6 / rates.digest:8.0f} MB/s")
    print(f"score   {rates.score * 1e9:8.2f} ns a query and document")
    print(f"memory  {rates.memory:8.2f} bytes a byte of a shard, at most")
    print(f"answer  {rates.answer * 1e6:8.2f} µs an entry of an answer, on the worker")
    print(f"merge   {rates.merge * 1e6:8.2f} µs an entry of an answer, here")
    print(f"entry   {rates.entry:8.1f} bytes")
    low, high = min(rates.shard_seconds), max(rates.shard_seconds)
    print(f"{len(rates.shard_seconds)} shards took {low:.3f} to {high:.3f} s each\n")
    print("corpus         workers  shards   on workers (h)   here (h)   answers (GB)   memory (GB)")
    for task in TASKS:
        for workers in (1, 8, 64):
            least = max(workers, int(-(-task.size // 2**31)))
            for shards in dict.fromkeys((workers, least)):
                on_workers, here, sent = computed(rates, task, workers, shards)
                print(
                    f"{task.name:13s} {workers:8d} {shards:7d} {on_workers / 3600:16.2f}"
                    f" {here / 3600:10.2f} {sent / 1e9:14.2f}"
                    f" {rates.memory * task.size / shards / 1e9:13.1f}"
                )
    stragglers(rates)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
