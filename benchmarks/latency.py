"""How often latency verdicts are right: the same code, and code that is a fifth slower.

    python benchmarks/latency.py [--runs 100] [--load 1]

Each run measures BM25 on a bundled collection twice, as two sessions would: once as the baseline
on a quiet machine, once with `--load` other processes that keep a core busy. The second time
the code is the same, or waits a fifth longer in each search (by searching again, not by
sleeping). A verdict that is `slower` or `faster` is confirmed by a second measurement.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_beir import BM25, load_dataset
from pytest_beir.latency.measurement import LatencyMeasurement, chosen
from pytest_beir.latency.sample import Cost, LatencySample, sample_of
from pytest_beir.latency.verdict import compare_latency, confirmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALPHA = 0.05 / 3
BUSY = "import numpy as np\nx = np.random.rand(1 << 20)\nwhile True: np.sort(x); sum(range(10000))"


def main() -> int:
    """Print the verdicts' counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--load", type=int, default=1)
    parser.add_argument("--dataset", default="boiler-manual")
    given = parser.parse_args()
    dataset = load_dataset(given.dataset)
    retriever = BM25()
    retriever.index(dataset.corpus)
    queries = chosen(dataset.queries)

    def same(query: str, text: str) -> object:
        return retriever.search({query: text}, 100)

    def slower(query: str, text: str) -> object:
        start = time.perf_counter()
        answer = retriever.search({query: text}, 100)
        end = time.perf_counter() + (time.perf_counter() - start) * 0.2
        while time.perf_counter() < end:
            pass
        return answer

    for name, code in (("the same code", same), ("a fifth slower", slower)):
        for load in (0, given.load):
            verdicts: Counter[str] = Counter()
            changes = []
            for _ in range(given.runs):
                baseline = _sample(same, queries)
                with _busy(load):
                    now = compare_latency(baseline, _sample(code, queries), alpha=ALPHA)
                    if now.verdict in ("slower", "faster"):
                        again = compare_latency(baseline, _sample(code, queries), alpha=ALPHA)
                        now = confirmed(now, again)
                verdicts[now.verdict] += 1
                changes.append(now.change or 1.0)
            middle = sorted(changes)[len(changes) // 2]
            print(
                f"{name}, {load} busy processes: "
                + ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
                + f"; change {min(changes):.2f} / {middle:.2f} / {max(changes):.2f}"
            )
    return 0


def _sample(search: Callable[[str, str], object], queries: dict[str, str]) -> LatencySample:
    return sample_of(LatencyMeasurement(search, queries).run(), Cost())


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
