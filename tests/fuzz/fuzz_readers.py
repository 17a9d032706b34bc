"""Mutates small files and reads them: `python tests/fuzz/fuzz_readers.py SECONDS [SEED]`.

Every reader either gives a value or raises one of the project's errors; within five seconds and
half a gigabyte. Each input is read in a fork of a process that has everything imported, so that
a hang, a crash of the interpreter or an endless allocation is one finding and not the end.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.baselines import queries_table, reading
from pytest_beir.configuration.config import load_config
from pytest_beir.configuration.declaration import resolve
from pytest_beir.datasets.archive import extract
from pytest_beir.datasets.cache import cache_folder
from pytest_beir.errors import BeirError
from pytest_beir.evaluation.pins import read_pins
from pytest_beir.inspection.checks import check_folder
from pytest_beir.inspection.golden.judgements import read_judgements
from pytest_beir.inspection.golden.text_files import NoTextError, read_text
from pytest_beir.published.sources import read_scores
from pytest_beir.retrieval.run_files import read_run
from pytest_beir.stored_results import report_folder

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 5
MEMORY = 500 << 20
ROOT = Path(__file__).resolve().parents[2]

CORPUS = b'{"_id": "d1", "title": "a", "text": "b c"}\n{"_id": "d2", "text": "\\u00e9 d"}\n'
QUERIES = b'{"_id": "q1", "text": "b", "metadata": {"group": "x"}}\n{"_id": "q2", "text": "d"}\n'
QRELS = b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t2\nq2\td1\t0\n"
RUN = b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1e-3 t\nq2\tQ0\td2\t1\t0.5\tt\n"
CONFIG = b"""datasets: [scifact, {name: docs, path: data/docs, weight: 2}]
suites: {pr: [scifact, docs], all: [pr, nfcorpus]}
gate: {metrics: [nDCG@10], alpha: 0.05, overrides: {docs: {margin: 0.04}}}
retrievers: {a: {trained_on: [msmarco], gate: {metrics: [R@100]}}}
average: {compare_to: [{name: x, set: public-13, metric: nDCG@10, value: 0.5}]}
strict: [did-not-run]
"""
CSV = b"model,dataset,split,metric,value\nm,scifact,test,nDCG@10,0.5\nn,nq,test,nDCG@10,0.25\n"
WIDE = b"Model;SciFact;NFCorpus\n[m](http://x);0,5;61.2\n"
GOLDEN = b'query,doc_id,rating\n"red ""bike""",a.md,2\nblue,b.md,0\n'
GOLDEN_JSON = (
    b'[{"query": "one", "doc_id": "a.md", "rating": 1},\n {"query": "two", "doc_id": "b"}]'
)
GOLDEN_YAML = b"- {query: one, doc_id: a.md, rating: 1}\n- {query: two, doc_id: 0017}\n"
MTEB = json.dumps(
    {"task_name": "SciFact", "scores": {"test": [{"ndcg_at_10": 0.5, "hf_subset": "default"}]}}
).encode()
MARKDOWN = b"---\ntitle: a b\ntags: [x, y]\n---\n# a b\n\nbody *c*\n"
PINS = b"query\tdocument\trank\nq1\td1\t3\n"
INTERESTING = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b"\x1b[2J", b"\xe2\x80\xa8"),
    *(b"[" * 3000, b"{" * 500, b'{"a":' * 1500, b"9" * 6000, b"-", b"1e999", b"NaN", b"1_0"),
    *(b"\\ud800", b"&a [x,x]", b"*a", b"<<: *a", b"!!set", b"? ", b"| ", b"> ", b"- " * 200),
    *(b'"', b"'", b"," * 2000, b" " * 20_000, b"#" * 5000, b"(" * 3000, b"null", b"true", b"[]"),
    *(b"{}", b"~", b"../", b"/", b"\xc2\x9b", b"\xf4\x90\x80\x80", b"1" * 20_000 + b"x", b"0x1f"),
)


def zipped() -> bytes:
    buffer = io.BytesIO()
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        with zipfile.ZipFile(buffer, "a", method) as packed:
            packed.writestr(f"x/{method}.jsonl", CORPUS * 3)
    return buffer.getvalue()


def dataset(name: str) -> Callable[[Path, bytes], object]:
    def read(folder: Path, content: bytes) -> object:
        files = {"corpus.jsonl": CORPUS, "queries.jsonl": QUERIES, "qrels/test.tsv": QRELS}
        (folder / "qrels").mkdir()
        plain = name.removesuffix(".gz")
        for each, usual in files.items():
            if each != plain:
                (folder / each).write_bytes(usual)
        (folder / name).write_bytes(content)
        return check_folder(folder, cache_folder(folder / "cache")).as_json()

    return read


def of_file(name: str, reader: Callable[[Path], object]) -> Callable[[Path, bytes], object]:
    def read(folder: Path, content: bytes) -> object:
        path = folder / name
        path.write_bytes(content)
        return reader(path)

    return read


def configured(path: Path) -> object:
    config = load_config(path)
    words = ["all"] if "all" in config.suites else None
    return resolve(words, config, base=path.parent), config.gate_settings()


def baseline(which: int) -> tuple[bytes, Callable[[Path, bytes], object]]:
    yaml = next((ROOT / "baselines").glob("*/*.yaml"))
    table = yaml.with_name(f"{yaml.stem}.queries.tsv")
    both = [yaml.read_bytes(), b"\n".join(table.read_bytes().split(b"\n")[:6])]

    def read(folder: Path, content: bytes) -> object:
        names = [folder / yaml.name, folder / table.name]
        for index, path in enumerate(names):
            path.write_bytes(content if index == which else both[index])
        if which == 1:
            queries_table.parse(content.decode("utf-8", "replace"))
        return reading.read(*names)

    return both[which], read


def report(path: Path) -> object:
    found = report_folder.read(path.parent)
    return found.config, [found.scores(each) for each in found.report.results]


REPORT = json.dumps(
    {
        "format": 1,
        "suite": {"id": "0", "datasets": ["a"], "selected": ["a"], "settings": None},
        "retrievers": [{"name": "r", "version": None, "family": 1, "weights": 1, "alpha": 0.05}],
        "results": [
            {
                "retriever": "r",
                "dataset": "scifact",
                "split": "test",
                "verdict": "error",
                "reason": "",
                "passed": False,
                "flags": [],
                "queries": 1,
                "missing": 0,
                "weight": 1,
                "judged": {"now": None, "baseline": None},
                "notes": [],
                "metrics": {"nDCG@10": {"now": 0.5}},
            }
        ],
        "averages": [],
    }
).encode()

TARGETS: dict[str, tuple[bytes, Callable[[Path, bytes], object]]] = {
    "corpus": (CORPUS, dataset("corpus.jsonl")),
    "corpus.gz": (gzip.compress(CORPUS * 5, mtime=0), dataset("corpus.jsonl.gz")),
    "queries": (QUERIES, dataset("queries.jsonl")),
    "qrels": (QRELS, dataset("qrels/test.tsv")),
    "run": (RUN, of_file("a.trec", read_run)),
    "beir.yaml": (CONFIG, of_file("beir.yaml", configured)),
    "baseline.yaml": baseline(0),
    "baseline.tsv": baseline(1),
    "beir.json": (REPORT, of_file("beir.json", report)),
    "average: beir.json": (REPORT, of_file("beir.json", lambda path: read_scores([path]))),
    "average: csv": (CSV, of_file("a.csv", lambda path: read_scores([path]))),
    "average: wide": (WIDE, of_file("a.csv", lambda path: read_scores([path]))),
    "average: mteb": (MTEB, of_file("SciFact.json", lambda path: read_scores([path]))),
    "golden.csv": (GOLDEN, of_file("g.csv", read_judgements)),
    "golden.json": (GOLDEN_JSON, of_file("g.json", read_judgements)),
    "golden.yaml": (GOLDEN_YAML, of_file("g.yaml", read_judgements)),
    "document.md": (MARKDOWN, of_file("a.md", read_text)),
    "document.rst": (b"Title\n=====\n\nbody\n", of_file("a.rst", read_text)),
    "document.ipynb": (b'{"cells": [{"source": ["# a\\n", "b"]}]}', of_file("a.ipynb", read_text)),
    "pins": (PINS, of_file("p.tsv", read_pins)),
    "zip": (zipped(), of_file("a.zip", lambda path: extract(path, path.parent / "out", "x"))),
}


def mutated(content: bytes, dice: random.Random) -> bytes:
    """The content after a few changes: bytes, lines, tokens, repetitions, cuts."""
    data = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 4, 8))):
        place = dice.randrange(len(data) + 1)
        end = min(len(data), place + dice.choice((1, 2, 8, 40)))
        match dice.randrange(8):
            case 0 if data:
                data[place - 1] ^= 1 << dice.randrange(8)
            case 1:
                del data[place:end]
            case 2:
                data[place:place] = dice.choice(INTERESTING)
            case 3:
                data[place:end] = dice.choice(INTERESTING)
            case 4:
                data[place:place] = data[place:end] * dice.choice((1, 10, 2000))
            case 5:
                data = data[:place]
            case 6:
                data[place:place] = dice.randbytes(dice.choice((1, 4, 30)))
            case _:
                lines = bytes(data).split(b"\n")
                lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))
                data = bytearray(b"\n".join(lines))
    return bytes(data[: 1 << 20])


def finding(read: Callable[[Path, bytes], object], content: bytes, base_memory: int) -> str:
    """What is wrong with the reading of this content, or an empty text."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        os._exit(_read(read, content, into, base_memory))
    os.close(into)
    said = b""
    while block := os.read(out, 1 << 16):
        said += block
    os.close(out)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    return said.decode("utf-8", "replace")


def _read(
    read: Callable[[Path, bytes], object], content: bytes, into: int, base_memory: int
) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (base_memory + MEMORY, base_memory + MEMORY))
    signal.alarm(4 * SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        try:
            read(Path(folder), content)
        except (BeirError, NoTextError) as error:
            str(error)
        except BaseException:  # noqa: BLE001 (that is the finding)
            os.write(into, traceback.format_exc()[-4000:].encode("utf-8", "replace"))
    return 0


def main(seconds: float, seed: int) -> int:
    """Fuzz all readers in turn; print each finding once, and how much was tried."""
    dice = random.Random(seed)  # noqa: S311 (not for secrets)
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        base_memory = int(file.read().split()[0]) * resource.getpagesize()
    end, tried, found = time.monotonic() + seconds, 0, {}
    while time.monotonic() < end:
        for name, (content, read) in TARGETS.items():
            case = mutated(content, dice)
            tried += 1
            wrong = finding(read, case, base_memory)
            key = (name, wrong.strip().rpartition("\n")[2][:80])
            if wrong and key not in found:
                found[key] = case
                path = Path(tempfile.gettempdir()) / f"beir-fuzz-{seed}-{len(found)}"
                path.write_bytes(case)
                print(f"{name}: {path}\n{wrong}", flush=True)  # noqa: T201
    print(f"seed {seed}: {tried:,} inputs, {len(found)} findings")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
