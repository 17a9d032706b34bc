"""How often latency verdicts are right: the same code, and code that is a fifth slower.

    python benchmarks/latency.py [--runs 60] [--load 1] [--retriever bm25 | numpy | long]

A run is three sessions, each in a process of its own as sessions of pytest are: one that stores
times, one with the same code and one whose searches use a fifth more of the processor (by
spinning, not by sleeping). Each is made once as the machine is, and once beside `--load` other
processes that keep a core busy. A verdict that is `slower` or `faster` is confirmed by a second
measurement in its session. The level is that of a suite of three datasets.

`bm25` searches in about .1 ms, `numpy` (a product with 20,000 vectors, on one thread) in 3 ms,
`long` (the same eight times) in 25 ms.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_beir.latency.verdict import LatencyComparison

SLOWER = 0.2
DATASET = "boiler-manual"
BUSY = "import numpy as np\nx = np.random.rand(1 << 20)\nwhile True: np.sort(x); sum(range(10000))"
TOP = 100


def main() -> int:
    """Print the verdicts' counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--load", type=int, default=1)
    parser.add_argument("--retriever", choices=("bm25", "numpy", "long"), default="bm25")
    parser.add_argument("--sessions", type=int, default=1, help="sessions that a baseline holds")
    parser.add_argument("--session", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--slower", type=float, default=0.0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.session is not None:
        return session(given.session, given.retriever, given.slower)
    found: dict[tuple[str, int], list[LatencyComparison]] = {}
    for _ in range(given.runs):
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(given.sessions):
                started(given.retriever, Path(folder) / "baseline")
            for load in (0, given.load):
                for name, slower in (("the same", 0.0), ("a fifth slower", SLOWER)):
                    with _busy(load):
                        verdict = started(given.retriever, Path(folder) / "baseline", slower)
                    if verdict is not None:
                        found.setdefault((name, load), []).append(verdict)
        for (name, load), verdicts in found.items():
            _show(name, load, verdicts)
        print(f"load average {os.getloadavg()[0]:.1f}", flush=True)
    return 0


def _show(name: str, load: int, comparisons: list[LatencyComparison]) -> None:
    counts = Counter(each.verdict for each in comparisons)
    changes = sorted(each.change or 1.0 for each in comparisons)
    words = ("slower", "faster", "same", "inconclusive")
    print(
        f"| {name} | {load} | {len(comparisons)} | "
        + " | ".join(str(counts[word]) for word in words)
        + f" | {changes[0]:.2f}, {changes[len(changes) // 2]:.2f}, {changes[-1]:.2f} |"
    )


def started(retriever: str, baseline: Path, slower: float = -1.0) -> LatencyComparison | None:
    """What a session in a new process says; one without `slower` stores its times."""
    arguments = ["--session", baseline, "--retriever", retriever, f"--slower={slower}"]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [sys.executable, __file__, *map(str, arguments)],
        stdout=subprocess.PIPE,
        env=environment,
        check=True,
    )
    comparison: LatencyComparison | None = pickle.loads(result.stdout)  # noqa: S301 (its own)
    return comparison


def session(store: Path, name: str, slower: float) -> int:
    """One session: stores its times where `slower` is negative, else compares and confirms."""
    from pytest_beir import load_dataset
    from pytest_beir.latency.baseline_file import LatencyBaseline
    from pytest_beir.latency.machine import this_machine
    from pytest_beir.latency.measurement import LatencyMeasurement, designed
    from pytest_beir.latency.sample import Cost
    from pytest_beir.latency.verdict import LatencyLimits, compare_latency, confirmed
    from pytest_beir.plugin.latency import PAUSE

    queries = load_dataset(DATASET).queries
    search = _slowed(_retriever(name), slower)
    # The benchmark's own file, which it has written itself.
    stored = pickle.loads(store.read_bytes()) if store.exists() else None  # noqa: S301
    design = designed(search, queries) if stored is None else stored.design

    def sample() -> object:
        measurement = LatencyMeasurement(search, queries, design)
        return measurement.sample(measurement.run(), Cost())

    first = sample()
    comparison = None
    if slower < 0.0:
        made = LatencyBaseline(
            *("", "", "", {}, this_machine(), design, first, (first.level,)),
            *("", None, "new", None, {}),
        )
        store.write_bytes(pickle.dumps(made if stored is None else stored.with_session(first)))
    else:
        limits = replace(LatencyLimits(), alpha=LatencyLimits.alpha / 3)

        def compared(now: object) -> LatencyComparison:
            return compare_latency(stored.sample, now, limits, levels=stored.levels)

        comparison = compared(first)
        if comparison.verdict in ("slower", "faster"):
            time.sleep(PAUSE)
            comparison = confirmed(comparison, compared(sample()))
    sys.stdout.buffer.write(pickle.dumps(comparison))
    return 0


def _retriever(name: str) -> Callable[[str, str], object]:
    import numpy as np

    from pytest_beir import BM25, load_dataset

    if name == "bm25":
        retriever = BM25()
        retriever.index(load_dataset(DATASET).corpus)
        return lambda query, text: retriever.search({query: text}, TOP)
    vectors = np.random.default_rng(0).standard_normal((20_000, 128), dtype=np.float32)
    ids = [f"d{number}" for number in range(len(vectors))]

    def search(_: str, text: str) -> dict[str, float]:
        vector = np.frombuffer((text.encode() * 20)[:128], dtype=np.uint8).astype(np.float32)
        for _ in range(8 if name == "long" else 1):
            scores = vectors @ vector
            best = np.argpartition(-scores, TOP)[:TOP]
        return {ids[place]: float(scores[place]) for place in best}

    return search


def _slowed(search: Callable[[str, str], object], share: float) -> Callable[[str, str], object]:
    if share <= 0.0:
        return search

    def slower(query: str, text: str) -> object:
        start = time.thread_time()
        answer = search(query, text)
        now = time.thread_time()
        end = now + (now - start) * share
        while time.thread_time() < end:
            pass
        return answer

    return slower


@contextmanager
def _busy(count: int) -> Iterator[None]:
    processes = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
