"""A whole session over run files beside pytrec_eval reading and scoring the same files.

    python benchmarks/session.py [--judgements DIR] [--scale 1.0] [--repeats 3] [--workers 2]

The session is `pytest --beir` with stored baselines and a report: reading, scoring, statistics,
baselines and reports. `--judgements` names a folder of `NAME/qrels/*.tsv` and
`NAME/queries.jsonl` (BEIR's, without corpora); without it, judgements of the same counts are made
up. Both are timed as processes of their own, in turns, by the CPU time of all their children;
the medians and their ratio are printed, with the peak memory of each.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# Queries and judged documents a query of BEIR's sets, CQADupStack apart.
SHAPES = {
    "arguana": (1406, 1), "bioasq": (500, 5), "climate-fever": (1535, 3),
    "dbpedia-entity": (400, 109), "fever": (6666, 1), "fiqa": (648, 3), "hotpotqa": (7405, 2),
    "msmarco": (6980, 1), "nfcorpus": (323, 38), "nq": (3452, 1), "quora": (10000, 2),
    "scidocs": (1000, 30), "signal1m": (97, 20), "trec-covid": (50, 1327),
    "trec-news": (57, 275), "webis-touche2020": (49, 19),
}  # fmt: skip
TOP = 100

CONFTEST = """
import os
import pytest
from pytest_beir import RunFiles

@pytest.fixture(scope="session")
def retriever():
    return RunFiles(f"runs-{os.environ['SIDE']}/{{dataset}}.trec", name="measured")
"""

PEER = """
import sys
import pytrec_eval
for run, qrels in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(qrels) as file:
        next(file)
        judged = {}
        for line in file:
            query, document, grade = line.split("\\t")
            judged.setdefault(query, {})[document] = int(grade)
    with open(run) as file:
        ranked = pytrec_eval.parse_run(file)
    pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10", "recall.100"}).evaluate(ranked)
"""


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a process and its children, its wall time, and its peak memory in MB."""

    cpu: float
    wall: float
    memory: float


def main() -> int:
    """Print the table; exit status 1 where a process fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--judgements", type=Path)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the queries")
    parser.add_argument("--depth", type=int, default=TOP)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        lines = _make(project, given)
        files = [
            str(path)
            for name in SHAPES
            for path in (project / f"runs-b/{name}.trec", project / f"data/{name}/qrels/test.tsv")
        ]
        session = [sys.executable, "-m", "pytest", "--beir", "-q", "-p", "no:cacheprovider"]
        commands = {
            "pytrec_eval": [sys.executable, "-c", PEER, *files],
            "without report": session,
            "session": [*session, "--beir-report=report"],
            f"session -n {given.workers}": [
                *session, "--beir-report=report-n", "-n", str(given.workers),
            ],
        }  # fmt: skip
        stored = _environment("a")
        subprocess.run(
            [*session, "--beir-update"], cwd=project, env=stored, check=True, capture_output=True
        )
        _check_runs(commands, project)
        costs: dict[str, list[Cost]] = {name: [] for name in commands}
        for _ in range(given.repeats):
            for name, command in commands.items():
                for report in ("report", "report-n"):  # each is the first, as in CI
                    shutil.rmtree(project / report, ignore_errors=True)
                costs[name].append(_cost(command, project))
    print(f"{len(SHAPES)} datasets, {lines:,} ranked lines, medians of {given.repeats}")
    print(f"{'':14} {'CPU s':>7} {'ratio':>6} {'wall s':>7} {'MB':>5}")
    peer = statistics.median(cost.cpu for cost in costs["pytrec_eval"])
    for name, measured in costs.items():
        cpu, wall, memory = (
            statistics.median(getattr(cost, field) for cost in measured)
            for field in ("cpu", "wall", "memory")
        )
        print(f"{name:14} {cpu:7.2f} {cpu / peer:6.2f} {wall:7.2f} {memory:5.0f}")
    return 0


def _check_runs(commands: dict[str, list[str]], project: Path) -> None:
    """Refuse to time what does not run: a session that cannot start also ends with 1."""
    for name, command in commands.items():
        run = subprocess.run(
            command, cwd=project, env=_environment("b"), capture_output=True, text=True, check=False
        )
        is_whole = run.returncode == 0 or (run.returncode == 1 and "BEIR: " in run.stdout)
        if not is_whole:
            raise SystemExit(f"{name} does not run:\n{run.stdout}{run.stderr}")


def _cost(command: list[str], project: Path) -> Cost:
    started = time.monotonic()
    with subprocess.Popen(
        command,
        cwd=project,
        env=_environment("b"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - started
    if process.returncode not in (0, 1):  # a drop by chance is a verdict like any other
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def _environment(side: str) -> dict[str, str]:
    """The environment of a session; modules are compiled once, as for users."""
    environment = {**os.environ, "SIDE": side}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _make(project: Path, given: argparse.Namespace) -> int:
    """The project: judgements, two sides' run files, `beir.yaml`; gives the lines of one side."""
    rng = random.Random(11)  # noqa: S311  # reproducible, nothing secret
    datasets = []
    lines = 0
    for side in "ab":
        (project / f"runs-{side}").mkdir()
    for name, (queries, judged) in SHAPES.items():
        qrels = _judgements(given, name, queries, judged, rng)
        folder = project / "data" / name
        (folder / "qrels").mkdir(parents=True)
        with (folder / "queries.jsonl").open("w", encoding="utf-8") as file:
            for number, query in enumerate(qrels):
                file.write(json.dumps({"_id": query, "text": f"{name} {number}"}) + "\n")
        with (folder / "qrels" / "test.tsv").open("w", encoding="utf-8") as file:
            file.write("query-id\tcorpus-id\tscore\n")
            for query, grades in qrels.items():
                file.writelines(f"{query}\t{doc}\t{grade}\n" for doc, grade in grades.items())
        lines = _write_runs(project, name, qrels, given.depth, rng) + lines
        datasets.append({"name": f"b-{name}", "path": f"data/{name}"})
    (project / "beir.yaml").write_text(json.dumps({"datasets": datasets}), encoding="utf-8")
    (project / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for side in "ab":
        for path in (project / f"runs-{side}").iterdir():
            path.with_name(f"b-{path.name}").symlink_to(path.name)
    return lines


def _judgements(
    given: argparse.Namespace, name: str, queries: int, judged: int, rng: random.Random
) -> dict[str, dict[str, int]]:
    if given.judgements is None:
        wanted = max(5, round(queries * given.scale))
        return {
            f"q{number}": {
                f"doc-{rng.randrange(10**7)}": rng.choice((1, 1, 2)) for _ in range(judged)
            }
            for number in range(wanted)
        }
    folder = given.judgements / name / "qrels"
    path = folder / "test.tsv" if (folder / "test.tsv").exists() else folder / "dev.tsv"
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        qrels.setdefault(query, {})[document] = int(grade)
    wanted = max(5, round(len(qrels) * given.scale))
    return dict(list(qrels.items())[:wanted])


def _write_runs(
    project: Path, name: str, qrels: dict[str, dict[str, int]], depth: int, rng: random.Random
) -> int:
    """Two rankings a query that differ for one query in ten."""
    written = 0
    with (
        (project / f"runs-a/{name}.trec").open("w", encoding="utf-8") as one,
        (project / f"runs-b/{name}.trec").open("w", encoding="utf-8") as other,
    ):
        for query, grades in qrels.items():
            relevant = [doc for doc, grade in grades.items() if grade > 0]
            found = rng.sample(relevant, min(len(relevant), rng.randint(0, 3)))
            ranking = [f"filler-{rng.randrange(10**7)}-{at}" for at in range(depth - len(found))]
            for doc in found:
                ranking.insert(rng.randrange(min(20, len(ranking) + 1)), doc)
            for file in (one, other):
                if file is other and rng.random() < 0.1:
                    ranking[:12] = rng.sample(ranking[:12], len(ranking[:12]))
                score = rng.uniform(10, 30)
                for rank, doc in enumerate(ranking, 1):
                    score -= rng.uniform(0.001, 0.2)
                    file.write(f"{query} Q0 {doc} {rank} {score:.6f} made\n")
            written += len(ranking)
    return written


if __name__ == "__main__":
    sys.exit(main())
