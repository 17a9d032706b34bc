"""How often latency verdicts are right: the same code, and code that is a fifth slower.

    python benchmarks/latency.py [--runs 20] [--retrievers bm25 numpy long dense http]

A run of a retriever is five sessions, each in a process of its own as sessions of pytest are: one
that stores times, three of the same code (as the machine is, beside a process that keeps a core
busy, beside one that keeps the memory busy), and one whose searches use a fifth more of the
processor (by spinning, not by sleeping). A verdict that is `slower` or `faster` is confirmed by a
second measurement in its session. The level is that of a suite of three datasets.

`bm25` searches in about .1 ms. `numpy`, a product with 10 MB of vectors on one thread, takes 1 to
3 ms, `long`, the same eight times, 8 to 25 ms, and `dense`, a product with 154 MB of vectors, 15
ms. `http` is `numpy` behind a server that runs in another process of the same machine.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_beir.latency.verdict import LatencyComparison

    Search = Callable[[str, str], object]

SLOWER = 0.2
DATASET = "boiler-manual"
PROCESSOR = (
    "import numpy as np\nx = np.random.rand(1 << 20)\nwhile True: np.sort(x); sum(range(10000))"
)
MEMORY = "import numpy as np\nx = np.ones(1 << 25)\ny = x.copy()\nwhile True: np.copyto(y, x)"
CELLS: tuple[tuple[str, str | None, float], ...] = (
    ("the same", None, 0.0),
    ("the same, beside a busy core", PROCESSOR, 0.0),
    ("the same, beside busy memory", MEMORY, 0.0),
    ("a fifth slower", None, SLOWER),
)
RETRIEVERS = ("bm25", "numpy", "long", "dense", "http")
TOP = 100


def main() -> int:
    """Print the verdicts' counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--retrievers", nargs="+", choices=RETRIEVERS, default=RETRIEVERS)
    parser.add_argument("--sessions", type=int, default=1, help="sessions that a baseline holds")
    parser.add_argument("--seconds", type=float, default=5.0, help="as latency.seconds")
    parser.add_argument("--session", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--slower", type=float, default=0.0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.session is not None:
        return session(given.session, given.retrievers[0], given.slower, given.seconds)
    verdicts: dict[tuple[str, str], list[LatencyComparison]] = {}
    for _ in range(given.runs):
        for retriever in given.retrievers:
            for cell, comparison in run(retriever, given.sessions, given.seconds):
                verdicts.setdefault((retriever, cell), []).append(comparison)
        for (retriever, cell), comparisons in verdicts.items():
            _show(retriever, cell, comparisons)
        print(f"{time.strftime('%H:%M')}, load average {os.getloadavg()[0]:.1f}", flush=True)
    return 0


def run(retriever: str, sessions: int, seconds: float) -> Iterator[tuple[str, LatencyComparison]]:
    """The name of each cell and its verdict, against a baseline of this run."""
    with tempfile.TemporaryDirectory() as folder:
        baseline = Path(folder) / "baseline"
        for _ in range(sessions):
            started(retriever, baseline, seconds)
        for cell, neighbour, slower in CELLS:
            with _beside(neighbour):
                comparison = started(retriever, baseline, seconds, slower)
            if comparison is not None:
                yield cell, comparison


def _show(retriever: str, cell: str, comparisons: list[LatencyComparison]) -> None:
    counts = Counter(each.verdict for each in comparisons)
    changes = sorted(each.change or 1.0 for each in comparisons)
    words = ("slower", "faster", "same", "inconclusive")
    print(
        f"| {retriever} | {cell} | {len(comparisons)} | "
        + " | ".join(str(counts[word]) for word in words)
        + f" | {changes[0]:.2f}, {changes[len(changes) // 2]:.2f}, {changes[-1]:.2f} |"
    )


def started(
    retriever: str, baseline: Path, seconds: float, slower: float = -1.0
) -> LatencyComparison | None:
    """What a session in a new process says; one without `slower` stores its times."""
    arguments = ["--session", baseline, "--retrievers", retriever]
    arguments += [f"--slower={slower}", f"--seconds={seconds}"]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [sys.executable, __file__, *map(str, arguments)],
        stdout=subprocess.PIPE,
        env=environment,
        check=True,
    )
    comparison: LatencyComparison | None = pickle.loads(result.stdout)  # noqa: S301 (its own)
    return comparison


def session(store: Path, name: str, slower: float, seconds: float) -> int:
    """One session: stores its times where `slower` is negative, else compares and confirms."""
    from pytest_beir import load_dataset
    from pytest_beir.latency.baseline_file import LatencyBaseline
    from pytest_beir.latency.machine import this_machine
    from pytest_beir.latency.measurement import LatencyMeasurement, designed
    from pytest_beir.latency.sample import Cost
    from pytest_beir.latency.verdict import LatencyLimits, compare_latency, confirmed
    from pytest_beir.plugin.latency import PAUSE

    queries = load_dataset(DATASET).queries
    # The benchmark's own file, which it has written itself.
    stored = pickle.loads(store.read_bytes()) if store.exists() else None  # noqa: S301
    comparison = None
    with _searching(name, slower) as search:
        design = designed(search, queries, budget=seconds) if stored is None else stored.design

        def sample() -> object:
            measurement = LatencyMeasurement(search, queries, design)
            return measurement.sample(measurement.run(), Cost(), seconds)

        def compared(now: object) -> LatencyComparison:
            limits = replace(LatencyLimits(), alpha=LatencyLimits.alpha / 3)
            return compare_latency(stored.sample, now, limits, levels=stored.levels)

        first = sample()
        if slower < 0.0:
            made = LatencyBaseline(
                *("", "", "", {}, this_machine(), design, first, (first.level,)),
                *("", None, "new", None, {}),
            )
            store.write_bytes(pickle.dumps(made if stored is None else stored.with_session(first)))
        else:
            comparison = compared(first)
            if comparison.verdict in ("slower", "faster"):
                time.sleep(PAUSE)
                comparison = confirmed(comparison, compared(sample()))
    sys.stdout.buffer.write(pickle.dumps(comparison))
    return 0


@contextmanager
def _searching(name: str, slower: float) -> Iterator[Search]:
    if name == "http":
        with _server(slower) as search:
            yield search
    else:
        yield _slowed(_retriever(name), slower)


def _retriever(name: str) -> Search:
    import numpy as np

    from pytest_beir import BM25, load_dataset

    if name == "bm25":
        retriever = BM25()
        retriever.index(load_dataset(DATASET).corpus)
        return lambda query, text: retriever.search({query: text}, TOP)
    count, width = (100_000, 384) if name == "dense" else (20_000, 128)
    some = np.random.default_rng(0).standard_normal((1_000, width), dtype=np.float32)
    vectors = np.tile(some, (count // len(some), 1))
    ids = [f"d{number}" for number in range(count)]

    def search(_: str, text: str) -> dict[str, float]:
        letters = (text.encode() * width)[:width]
        vector = np.frombuffer(letters, dtype=np.uint8).astype(np.float32)
        for _ in range(8 if name == "long" else 1):
            scores = vectors @ vector
            best = np.argpartition(-scores, TOP)[:TOP]
        return {ids[place]: float(scores[place]) for place in best}

    return search


def _slowed(search: Search, share: float) -> Search:
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
def _server(slower: float) -> Iterator[Search]:
    """A search over a connection that stays open, to a server in a process of its own."""
    code = f"import latency; latency.serve({slower})"
    folder = Path(__file__).parent
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=folder
    ) as process:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(process.stdout.readline()))

            def search(_: str, text: str) -> object:
                connection.request("POST", "/", text.encode())
                return json.loads(connection.getresponse().read())

            yield search
            connection.close()
        finally:
            process.kill()


def serve(slower: float) -> None:
    """Answer what is posted, and say on which port."""
    search = _slowed(_retriever("numpy"), slower)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            body = json.dumps(search("", text)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


@contextmanager
def _beside(program: str | None) -> Iterator[None]:
    if program is None:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        try:
            yield
        finally:
            process.kill()


if __name__ == "__main__":
    sys.exit(main())
