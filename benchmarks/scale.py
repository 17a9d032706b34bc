"""How the cost of a session grows, and what a corpus of MS MARCO's size costs.

    python benchmarks/scale.py sessions
    python benchmarks/scale.py corpus [--documents 8_841_823] [--folder DIR]

`sessions` runs `pytest --beir` over run files with stored baselines, and lets one thing grow at a
time: queries, lines a query, datasets, retrievers. It prints CPU seconds above those of the
smallest session there is, the peak of memory, and the exponent between the first and the last row
of a series: 1 grows in proportion. `corpus` writes made-up passages (some 3 GB), opens them for the
first time and again, and asks in two processes at once how much of the memory they share (Linux).
"""

from __future__ import annotations

import argparse
import math
import os
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


@dataclass(frozen=True)
class Size:
    """One session: run files of `depth` lines a query, shared by all retrievers."""

    queries: int = 2000
    depth: int = 100
    datasets: int = 1
    retrievers: int = 1


SERIES = {
    "queries": [Size(), Size(queries=16_000)],
    "depth": [Size(), Size(depth=1000)],
    "datasets": [Size(), Size(datasets=8)],
    "retrievers": [Size(queries=100), Size(queries=100, retrievers=10), Size(100, 100, 1, 100)],
}
SMALLEST = Size(queries=1, depth=1, datasets=1)


def sessions(only: Sequence[str]) -> None:
    """Print a row for each session, and an exponent for each series."""
    bare, memory = cost(SMALLEST)
    print(f"smallest session: {bare:.2f} s CPU, {memory} MB\n")
    print("| | queries | depth | datasets | retrievers | CPU s above it | MB |")
    print("|---|---|---|---|---|---|---|")
    for name in only or SERIES:
        sizes = SERIES[name]
        rows = []
        for size in sizes:
            seconds, memory = cost(size)
            rows.append((getattr(size, name), seconds - bare))
            numbers = f"{size.queries} | {size.depth} | {size.datasets} | {size.retrievers}"
            print(f"| {name} | {numbers} | {seconds - bare:.2f} | {memory} |", flush=True)
        (first, less), (last, more) = rows[0], rows[-1]
        exponent = math.log(more / less) / math.log(last / first) if less > 0.0 else math.nan
        print(f"{name}: exponent {exponent:.2f}", flush=True)


def cost(size: Size) -> tuple[float, int]:
    """CPU seconds and MB of a session that is compared with stored baselines."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        make(home, size)
        run(home, "--beir-update")
        return run(home)


def run(home: Path, *options: str) -> tuple[float, int]:
    """CPU seconds and peak memory of a session in the folder."""
    command = [sys.executable, "-m", "pytest", "-q", "--beir", "-p", "no:cacheprovider", *options]
    with subprocess.Popen(command, cwd=home, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ((0, 1) if options else (0,)):
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}")
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
    path = folder / "corpus.jsonl"
    words = [f"word{number * 2654435761 % 9973}" for number in range(4000)]
    passages = [" ".join(words[start : start + 35]) for start in range(3900)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            text = passages[number * 7919 % len(passages)]
            file.write(f'{{"_id": "{number}", "title": "", "text": "{text}"}}\n')
    print(f"{documents:,} documents, {path.stat().st_size / 1e9:.2f} GB", flush=True)
    for title in ("first time", "again"):
        print(f"opened, {title}: {opened(folder)[0]}", flush=True)
    both = [_process(folder) for _ in range(2)]
    reports = [_report(each) for each in both]
    for process, (text, shared) in zip(both, reports, strict=True):
        print(f"one of two at once: {text}; {shared}")
        process.communicate("end\n")


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
    parser.add_argument("what", choices=("sessions", "corpus", "open"))
    parser.add_argument("--documents", type=int, default=8_841_823)
    parser.add_argument("--folder", type=Path, help="default: a temporary folder")
    parser.add_argument("--series", nargs="*", choices=SERIES, help="only these; default: all")
    given = parser.parse_args()
    if given.what == "sessions":
        sessions(given.series)
    elif given.what == "open":
        open_corpus(given.folder)
    else:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            corpus(given.documents, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
