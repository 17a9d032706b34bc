"""What a corpus of MS MARCO's size costs.

    python -m benchmarks.large_corpus open [--documents 8_841_823] [--folder DIR]
    python -m benchmarks.large_corpus index [--documents 8_841_823] [--folder DIR]

Passages are made up (some 3 GB). `open` opens them for the first time and again, and asks in two
processes at once how much of the memory they share (Linux). `index` lets SQLite's full text search
index them in a session and answer 200 queries with the top 100, beside a script that does so
without us: what is more is ours.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.scale import cost_of, run

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
        [sys.executable, "-m", "benchmarks.large_corpus", "one-process", "--folder", str(folder)],
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
    parser.add_argument("what", choices=("open", "index", "one-process"))
    parser.add_argument("--documents", type=int, default=8_841_823)
    parser.add_argument("--folder", type=Path, help="default: a temporary folder")
    given = parser.parse_args()
    if given.what == "one-process":
        open_corpus(given.folder)
        return 0
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        measure = index if given.what == "index" else corpus
        measure(given.documents, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
