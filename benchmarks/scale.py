"""How the cost of a session grows.

    python -m benchmarks.scale [--series datasets] [--repeats 5]

It runs `pytest --beir` over run files with stored baselines, and lets one thing grow at a
time: queries, lines a query, datasets, retrievers. It prints CPU seconds above those of the
smallest session there is (the least of `--repeats` runs: other work only adds), the peak of memory,
and for each series the exponent with its standard error, from a straight line through the
logarithms of its rows: 1 grows in proportion.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFTEST = """
import pytest
from pytest_beir import RunFiles

@pytest.fixture(scope="session", params=range({retrievers}), ids=lambda number: f"r{{number}}")
def retriever(request):
    return RunFiles("runs/{{dataset}}.trec", name=f"r{{request.param}}")
"""


@dataclass(frozen=True)
class Size:
    """One session: run files of `depth` lines a query, shared by all retrievers."""

    queries: int = 2000
    depth: int = 100
    datasets: int = 1
    retrievers: int = 1


SERIES = {
    "queries": [Size(queries=n) for n in (2000, 4000, 8000, 16_000, 32_000)],
    "depth": [Size(queries=4000, depth=n) for n in (100, 200, 400, 1000)],
    "datasets": [Size(datasets=n) for n in (1, 2, 4, 8, 16)],
    "retrievers": [Size(queries=500, retrievers=n) for n in (1, 4, 16, 64, 100)],
}
SMALLEST = Size(queries=1, depth=1, datasets=1)


def sessions(only: Sequence[str], repeats: int) -> None:
    """Print a row for each session, and an exponent for each series."""
    bare, memory = cost(SMALLEST, repeats)
    print(f"smallest session: {bare:.2f} s CPU, {memory} MB\n")
    print("| | queries | depth | datasets | retrievers | CPU s above it | MB |")
    print("|---|---|---|---|---|---|---|")
    for name in only or SERIES:
        sizes = SERIES[name]
        rows = []
        for size in sizes:
            seconds, memory = cost(size, repeats)
            rows.append((getattr(size, name), seconds - bare))
            numbers = f"{size.queries} | {size.depth} | {size.datasets} | {size.retrievers}"
            print(f"| {name} | {numbers} | {seconds - bare:.2f} | {memory} |", flush=True)
        print(f"{name}: exponent {exponent(rows)}", flush=True)


def exponent(rows: Sequence[tuple[int, float]]) -> str:
    """The slope of log cost by log size, by least squares, and its standard error."""
    if any(cost <= 0.0 for _, cost in rows):
        return "unknown: a row costs no more than the smallest session"
    across = [math.log(size) for size, _ in rows]
    up = [math.log(cost) for _, cost in rows]
    middle, height = statistics.fmean(across), statistics.fmean(up)
    spread = sum((x - middle) ** 2 for x in across)
    slope = sum((x - middle) * (y - height) for x, y in zip(across, up, strict=True)) / spread
    left = [y - height - slope * (x - middle) for x, y in zip(across, up, strict=True)]
    error = math.sqrt(sum(each**2 for each in left) / (len(rows) - 2) / spread)
    return f"{slope:.2f} ± {error:.2f}"


def cost(size: Size, repeats: int) -> tuple[float, int]:
    """CPU seconds and MB of a session that is compared with stored baselines, the least of some."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        make(home, size)
        run(home, "--beir-update")
        costs = [run(home) for _ in range(repeats)]
        return min(seconds for seconds, _ in costs), min(memory for _, memory in costs)


def run(home: Path, *options: str) -> tuple[float, int]:
    """CPU seconds and peak memory of a session in the folder."""
    command = [sys.executable, "-m", "pytest", "-q", "--beir", "-p", "no:cacheprovider", *options]
    return cost_of(command, home, (0, 1) if options else (0,))


def cost_of(command: list[str], home: Path, fine: tuple[int, ...]) -> tuple[float, int]:
    """CPU seconds and peak memory of a command in the folder, whose exit status is one of these."""
    with subprocess.Popen(command, cwd=home, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fine:
        raise SystemExit(f"{' '.join(command[:4])}: exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def make(home: Path, size: Size) -> None:
    """A project with made-up judgements and rankings."""
    (home / "runs").mkdir()
    (home / "pytest.ini").write_text("[pytest]\n")
    (home / "conftest.py").write_text(CONFTEST.format(retrievers=size.retrievers))
    entries = []
    for number in range(size.datasets):
        name = f"made{number}"
        folder = home / "data" / name
        (folder / "qrels").mkdir(parents=True)
        entries.append(f"{{name: {name}, path: data/{name}}}")
        # Line by line: the peak of a process counts what its parent held when it began.
        with (
            (folder / "queries.jsonl").open("w") as queries,
            (folder / "qrels/test.tsv").open("w") as judgements,
            (home / "runs" / f"{name}.trec").open("w") as ranked,
        ):
            judgements.write("query-id\tcorpus-id\tscore\n")
            for query in range(size.queries):
                queries.write(f'{{"_id": "q{query}", "text": "question {query}"}}\n')
                for place in (0, 3, 40):
                    judgements.write(f"q{query}\td{query * 13 + place}\t1\n")
                for rank in range(size.depth):
                    document = f"d{query * 13 + rank}"
                    ranked.write(f"q{query} Q0 {document} {rank + 1} {1000 - rank} made\n")
    (home / "beir.yaml").write_text(f"datasets: [{', '.join(entries)}]\n")


def main() -> int:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--series", nargs="*", choices=SERIES, help="only these; default: all")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    sessions(given.series, given.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
