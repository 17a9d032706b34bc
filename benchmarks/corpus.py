"""Opening a large corpus: this project's index beside beir's GenericDataLoader.

Run `python benchmarks/corpus.py [--documents 5_400_000] [--folder DIR]`. A synthetic corpus of
FEVER's shape (about 640 bytes a document) is written to a temporary folder, and read by each way
in a process of its own. `pip install --no-deps beir tqdm` brings the real GenericDataLoader;
without it a loop of our own does the same work (one json.loads and one dict a line).
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
NON_ASCII = "éüñøšçß"
RARE = 0.004  # of the words, so that a third of the documents has such a letter


def write_corpus(path: Path, documents: int) -> None:
    """Write documents of some 85 words, with titles as ids and a few letters beyond ASCII."""
    rng = random.Random(7)  # noqa: S311 - the same corpus every time
    weights = [1 / rank for rank in range(1, len(LETTERS) + 1)]

    def word() -> str:
        letters = "".join(rng.choices(LETTERS, weights, k=rng.randint(2, 9)))
        return letters + rng.choice(NON_ASCII) if rng.random() < RARE else letters

    words = [word() for _ in range(20_000)]
    sentences = [" ".join(rng.choices(words, k=rng.randint(6, 18))) for _ in range(20_000)]
    with path.open("w", encoding="utf-8") as out:
        for number in range(documents):
            title = " ".join(rng.choices(words, k=2))
            record = {
                "_id": f"{title.replace(' ', '_')}_{number}",
                "title": title,
                "text": ". ".join(rng.choices(sentences, k=rng.randint(2, 12))),
                "metadata": {},
            }
            out.write(json.dumps(record) + "\n")


def resident(field: str) -> int:
    """Give the process's resident memory in MB: `VmRSS` now, `VmHWM` at its highest."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) // 1024
    raise LookupError(field)


def open_with_index(folder: Path) -> object:
    """Open a corpus as the project does."""
    from pytest_beir.datasets.corpus import Corpus

    return Corpus.open((folder / "corpus.jsonl",), "synthetic", "test", folder / "cache")


def read_with_beir(folder: Path) -> object:
    """Read a corpus as beir does."""
    import logging

    from beir.datasets.data_loader import GenericDataLoader  # type: ignore[import-not-found]

    logging.disable(logging.CRITICAL)
    return GenericDataLoader(str(folder)).load_corpus()


def read_like_beir(folder: Path) -> object:
    """Do the work of beir's loader, without its progress bar."""
    path = folder / "corpus.jsonl"
    with path.open("rb") as lines:
        sum(1 for _ in lines)
    corpus = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            corpus[record.get("_id")] = {"text": record.get("text"), "title": record.get("title")}
    return corpus


WAYS = {"index": open_with_index, "beir": read_with_beir, "loop": read_like_beir}


def measure(way: str, folder: Path) -> None:
    """Print seconds, and memory above that of the imports, as JSON."""
    importlib.import_module("pytest_beir.datasets.corpus")  # paid before the clock starts

    if way == "beir":
        importlib.import_module("beir.datasets.data_loader")
    before = resident("VmRSS")
    wall, cpu = time.perf_counter(), time.process_time()
    corpus = WAYS[way](folder)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak, held = resident("VmHWM") - before, resident("VmRSS") - before
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak, "held": held}))
    del corpus


def in_own_process(way: str, folder: Path) -> dict[str, float]:
    """Run `measure` where nothing else has allocated yet."""
    command = [sys.executable, __file__, "--measure", way, "--folder", str(folder)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return dict(json.loads(done.stdout))


def compare(folder: Path, documents: int) -> None:
    """Write the corpus, read it each way, and print a table."""
    write_corpus(folder / "corpus.jsonl", documents)
    size = (folder / "corpus.jsonl").stat().st_size
    print(f"{documents:,} documents, {size / 1e9:.2f} GB\n")
    loader = "beir" if importlib.util.find_spec("beir") else "loop"
    rows = {
        "GenericDataLoader" if loader == "beir" else "equivalent of beir's loader": loader,
        "pytest-beir, first time": "index",
        "pytest-beir, indexed": "index",
    }
    print(f"{'':28} {'seconds':>8} {'CPU':>8} {'peak MB':>8} {'held MB':>8}")
    measured = {}
    for title, way in rows.items():
        found = measured[title] = in_own_process(way, folder)
        numbers = (
            f"{found['wall']:8.2f} {found['cpu']:8.2f} {found['peak']:8.0f} {found['held']:8.0f}"
        )
        print(f"{title:28} {numbers}", flush=True)
    theirs, first, _ = measured.values()
    print(f"\nfirst time: {first['wall'] / theirs['wall']:.2f} of the time, ", end="")
    print(f"{first['peak'] / theirs['peak']:.3f} of the memory")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where to write; default: a temporary folder")
    parser.add_argument("--measure", choices=WAYS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        measure(args.measure, args.folder)
        return
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        compare(Path(folder), args.documents)


if __name__ == "__main__":
    main()
