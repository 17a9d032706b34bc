"""How the cost of a session grows, and what a corpus of MS MARCO's size costs.

    python benchmarks/scale.py sessions [--series datasets] [--repeats 5]
    python benchmarks/scale.py corpus [--documents 8_841_823] [--folder DIR]
    python benchmarks/scale.py index [--documents 8_841_823] [--folder DIR]

`sessions` runs `pytest --beir` over run files with stored baselines, and lets one thing grow at a
time: queries, lines a query, datasets, retrievers. It prints CPU seconds above those of the
smallest session there is (the least of `--repeats` runs: other work only adds), the peak of memory,
and for each series the exponent with its standard error, from a straight line through the
logarithms of its rows: 1 grows in proportion. `corpus` writes made-up passages (some 3 GB), opens
them for the first time and again, and asks in two processes at once how much of the memory they
share (Linux).
`index` lets SQLite's full text search index the same passages in a session and answer 200 queries
with the top 100, beside a script that does so without us: what is more is ours.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
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


INDEX = '''
import sqlite3


class FullText:
    """SQLite's full text search, on the disk, with its BM25."""

    def index(self, corpus):
        self.database = sqlite3.connect("INDEX.db", isolation_level=None)
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute("PRAGMA synchronous = OFF")
        self.database.execute("DROP TABLE IF EXISTS passages")
        self.database.execute(
            "CREATE VIRTUAL TABLE passages USING fts5(text, content='', detail=full)"
        )
        self.database.execute("BEGIN")
        rows = ((int(name), one["text"]) for name, one in corpus.items())
        self.database.executemany("INSERT INTO passages(rowid, text) VALUES (?, ?)", rows)
        self.database.execute("COMMIT")

    def search(self, queries, top_k):
        found = "SELECT rowid, -rank FROM passages(?) ORDER BY rank LIMIT ?"
        return {
            name: {str(row): score for row, score in self.database.execute(found, (text, top_k))}
            for name, text in queries.items()
        }
'''

INDEX_CONFTEST = (
    INDEX
    + """

import pytest


@pytest.fixture(scope="session")
def retriever():
    return FullText()
"""
)

INDEX_SCRIPT = (
    INDEX
    + """

import json


class Lines:
    def items(self):
        with open("data/made/corpus.jsonl") as file:
            for line in file:
                one = json.loads(line)
                yield one["_id"], one


retriever = FullText()
retriever.index(Lines())
with open("data/made/queries.jsonl") as file:
    queries = {one["_id"]: one["text"] for one in map(json.loads, file)}
retriever.search(queries, 100)
"""
)


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


def corpus(documents: int, folder: Path) -> None:
    """Write the corpus, open it twice, and look at the memory of two processes at once."""
    write_passages(documents, folder / "corpus.jsonl")
    for title in ("first time", "again"):
        print(f"opened, {title}: {opened(folder)[0]}", flush=True)
    both = [_process(folder) for _ in range(2)]
    reports = [_report(each) for each in both]
    for process, (text, shared) in zip(both, reports, strict=True):
        print(f"one of two at once: {text}; {shared}")
        process.communicate("end\n")


def write_passages(documents: int, path: Path) -> None:
    """Write so many passages of 35 words."""
    words = [f"word{number * 2654435761 % 9973}" for number in range(4000)]
    passages = [" ".join(words[start : start + 35]) for start in range(3900)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            text = passages[number * 7919 % len(passages)]
            file.write(f'{{"_id": "{number}", "title": "", "text": "{text}"}}\n')
    print(f"{documents:,} documents, {path.stat().st_size / 1e9:.2f} GB", flush=True)


def index(documents: int, home: Path) -> None:
    """Index the corpus in two sessions, the first of which opens it, and by a script."""
    data = home / "data" / "made"
    (data / "qrels").mkdir(parents=True)
    write_passages(documents, data / "corpus.jsonl")
    with (data / "queries.jsonl").open("w") as queries, (data / "qrels/test.tsv").open("w") as file:
        file.write("query-id\tcorpus-id\tscore\n")
        for query in range(200):
            number = query * 2654435761 % 9973
            queries.write(f'{{"_id": "q{query}", "text": "word{number}"}}\n')
            file.write(f"q{query}\t{query}\t1\n")
    (home / "pytest.ini").write_text("[pytest]\n")
    (home / "beir.yaml").write_text("datasets: [{name: made, path: data/made}]\n")
    (home / "conftest.py").write_text(INDEX_CONFTEST)
    for title, options in (("opened and indexed", ["--beir-update"]), ("indexed again", [])):
        seconds, memory = run(home, "--beir-cache=cache", *options)
        print(f"session, {title}: {seconds:.1f} s CPU, {memory} MB", flush=True)
    seconds, memory = cost_of([sys.executable, "-c", INDEX_SCRIPT], home, (0,))
    print(f"script: {seconds:.1f} s CPU, {memory} MB", flush=True)


def opened(folder: Path) -> tuple[str, str]:
    """What opening costs in a process of its own."""
    process = _process(folder)
    report = _report(process)
    process.communicate("end\n")
    return report


def _process(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__, "open", "--folder", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _report(process: subprocess.Popen[str]) -> tuple[str, str]:
    if process.stdout is None:
        raise SystemExit("no output")
    return process.stdout.readline().strip(), process.stdout.readline().strip()


def open_corpus(folder: Path) -> None:
    """Open the corpus, read 10,000 documents of it, and say what that cost; wait for a line."""
    from pytest_beir.datasets.corpus import Corpus

    before = _kilobytes("/proc/self/status", "VmRSS:")
    start = time.process_time()
    documents = Corpus.open((folder / "corpus.jsonl",), "made", "test", folder / "cache")
    taken = time.process_time() - start
    count = len(documents)
    for number in range(10_000):
        documents[str(number * 880 % count)]
    grown = _kilobytes("/proc/self/status", "VmRSS:") - before
    peak = _kilobytes("/proc/self/status", "VmHWM:") - before
    print(f"{taken:.1f} s CPU, {grown / 1024:.0f} MB more, {peak / 1024:.0f} MB at the peak")
    parts = {"resident": 0, "shared": 0, "own": 0}
    ours = False
    for line in Path("/proc/self/smaps").read_text("ascii", errors="replace").splitlines():
        name, *rest = line.split()
        if "-" in name and not name.endswith(":"):
            ours = str(folder) in line
        elif ours and name == "Rss:":
            parts["resident"] += int(rest[0])
        elif ours and name in ("Shared_Clean:", "Shared_Dirty:"):
            parts["shared"] += int(rest[0])
        elif ours and name in ("Private_Clean:", "Private_Dirty:"):
            parts["own"] += int(rest[0])
    told = ", ".join(f"{size / 1024:.0f} MB {name}" for name, size in parts.items())
    print(f"of the mapped files: {told}", flush=True)
    sys.stdin.readline()


def _kilobytes(file: str, field: str) -> int:
    lines = Path(file).read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


def main() -> int:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("sessions", "corpus", "index", "open"))
    parser.add_argument("--documents", type=int, default=8_841_823)
    parser.add_argument("--folder", type=Path, help="default: a temporary folder")
    parser.add_argument("--series", nargs="*", choices=SERIES, help="only these; default: all")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    if given.what == "sessions":
        sessions(given.series, given.repeats)
    elif given.what == "open":
        open_corpus(given.folder)
    else:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            measure = index if given.what == "index" else corpus
            measure(given.documents, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
