"""A guard on our own cost that no machine disturbs: steps, not seconds.

    python benchmarks/guard.py [--renew]

A step is a line of ours that runs, or a call from it into C. The same Python takes as many on every
machine, however busy. Of each workload the steps for one more unit (a ranked line, a document, a
query) are counted at two sizes. It exits with 1 where they are more than half as many again as in
`guard.yaml`, or where a unit of the larger size takes more than half as many again as one of the
smaller: then cost does not grow in proportion. Work inside of a library is not seen.

`--renew` writes `guard.yaml` anew: after a change that is worth its steps, with the reason in the
commit. Versions of Python differ by up to a tenth (3.11, 3.13), far less than the limit.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

import pytest_beir
from pytest_beir import load_dataset, score_run
from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance, Baseline, History
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.retrieval.run_files import read_run
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

REFERENCE = Path(__file__).with_name("guard.yaml")
PACKAGE = str(Path(pytest_beir.__file__).parent)
LIMIT = 1.5
DEPTH = 50


def main() -> int:
    """Print a row for each workload; 1 where one of them is beyond its limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--renew", action="store_true", help="write guard.yaml anew")
    given = parser.parse_args()
    counted = measured()
    if given.renew:
        stored = {name: round(large, 2) for name, (_, large) in counted.items()}
        REFERENCE.write_text(yaml.safe_dump(stored, sort_keys=False), encoding="utf-8")
    reference = yaml.safe_load(REFERENCE.read_text(encoding="utf-8"))
    complaints = exceeded(counted, reference)
    print(f"{'for one more':<28}{'steps':>9}{'stored':>9}{'growth':>8}")
    for name, (small, large) in counted.items():
        print(f"{name:<28}{large:9.2f}{reference.get(name, 0.0):9.2f}{large / small:8.2f}")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


def exceeded(counted: dict[str, tuple[float, float]], reference: dict[str, float]) -> list[str]:
    """What is beyond its limit, in a line each; a workload without a reference is, too."""
    complaints = []
    for name, (small, large) in counted.items():
        if name not in reference:
            complaints.append(f"{name}: not in {REFERENCE.name}; run with --renew")
        elif large > LIMIT * reference[name]:
            times = large / reference[name]
            complaints.append(
                f"{name}: {large:.2f} steps, {times:.2f} times the stored {reference[name]:.2f}"
            )
        if large > LIMIT * small:
            complaints.append(
                f"{name}: {large:.2f} steps where there is more of it, {small:.2f} where there is"
                " less: its cost does not grow in proportion"
            )
    return complaints


def measured() -> dict[str, tuple[float, float]]:
    """{workload: steps for one more unit, at the smaller and at the larger size}."""
    counted = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (size, prepare)) in enumerate(WORKLOADS.items()):
            prepare(size, Path(folder) / f"{number}-first")()  # imports are no part of a unit
            one, two, four = (
                steps(prepare(times * size, Path(folder) / f"{number}-{times}"))
                for times in (1, 2, 4)
            )
            counted[name] = (two - one) / size, (four - two) / (2 * size)
    return counted


def steps(work: Callable[[], object]) -> int:
    """How many steps of ours a piece of work takes."""
    count = 0
    ours: dict[CodeType, bool] = {}

    def is_ours(frame: FrameType) -> bool:
        code = frame.f_code
        if code not in ours:
            ours[code] = code.co_filename.startswith(PACKAGE)
        return ours[code]

    def line(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _: str, __: Any) -> Any:
        return line if is_ours(frame) else None

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "c_call" and is_ours(frame)

    traced, profiled = sys.gettrace(), sys.getprofile()
    sys.settrace(call)
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(profiled)
        sys.settrace(traced)
    return count


def _run(queries: int) -> dict[str, dict[str, float]]:
    documents = range(DEPTH)
    return {f"q{q}": {f"d{q * 7 + d}": float(DEPTH - d) for d in documents} for q in range(queries)}


def _qrels(queries: int) -> dict[str, dict[str, int]]:
    return {
        f"q{q}": {f"d{q * 7 + d}": 1 + d % 2 for d in range(0, DEPTH, 9)} for q in range(queries)
    }


def run_file(lines: int, home: Path) -> Callable[[], object]:
    """Reading a TREC run file."""
    path = home.with_suffix(".trec")
    text = "".join(
        f"{query} Q0 {document} {rank} {score} made\n"
        for query, answer in _run(lines // DEPTH).items()
        for rank, (document, score) in enumerate(answer.items(), 1)
    )
    path.write_text(text, encoding="utf-8")
    return lambda: read_run(path)


def scoring(lines: int, _: Path) -> Callable[[], object]:
    """Scoring a run by two metrics."""
    run, qrels = _run(lines // DEPTH), _qrels(lines // DEPTH)
    return lambda: score_run(qrels, run)


def baseline(queries: int, home: Path) -> Callable[[], object]:
    """Reading a stored baseline."""
    scores = score(_qrels(queries), _run(queries))
    identity = DatasetIdentity(
        "docs", "test", DEPTH, queries, 6 * queries, Fingerprints("a" * 64, "b" * 64, "c" * 64)
    )
    made = Acceptance("2026-01-02")
    anchor = {name: scores.values[name] for name in ("nDCG@10", "R@100")}
    stored = Baseline(
        "bm25",
        identity,
        dict.fromkeys(scores.values, "as ever"),
        scores,
        anchor,
        History(made, dict.fromkeys(anchor, made), {"pytest-beir": "1.0"}),
    )
    home.mkdir()
    store.save(home, stored)
    return lambda: store.load(home, "bm25", "docs")


def opening(documents: int, home: Path) -> Callable[[], object]:
    """Reading a dataset, and each document of its corpus once."""
    (home / "qrels").mkdir(parents=True)
    queries = [{"_id": f"q{number}", "text": "a question"} for number in range(20)]
    corpus = [
        {"_id": f"d{number}", "title": "a title", "text": f"the text of document {number}"}
        for number in range(documents)
    ]
    for name, entries in (("queries", queries), ("corpus", corpus)):
        lines = "".join(json.dumps(entry) + "\n" for entry in entries)
        (home / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    rows = "".join(f"q{number}\td{number}\t1\n" for number in range(20))
    (home / "qrels/test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}", encoding="utf-8")

    def read() -> int:
        dataset = load_dataset(home, cache_dir=home / "cache")
        return sum(Counter(map(len, dataset.corpus.values())).values()) if dataset.corpus else 0

    return read


WORKLOADS: dict[str, tuple[int, Callable[[int, Path], Callable[[], object]]]] = {
    "ranked line of a run file": (2000, run_file),
    "ranked line scored": (2000, scoring),
    "document of a corpus": (500, opening),
    "query of a baseline": (100, baseline),
}

if __name__ == "__main__":
    sys.exit(main())
