"""Score 54,000 queries x top 100 with this project and with pytrec_eval, side by side.

    python benchmarks/scoring.py [--queries 54000] [--judged 3] [--repeats 5] [--limit 0.6]

Both get the same dicts, in turns, and the least CPU time counts; pytrec_eval's construction is
not counted. Exit status 1 if `score_run` takes more than `--limit` of pytrec_eval's time.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import TYPE_CHECKING, Any

import pytrec_eval

from pytest_beir.scoring.scorer import score, score_run

if TYPE_CHECKING:
    from collections.abc import Callable

TOP = 100


def make_data(
    queries: int, judged: int, *, best_first: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgements, half of them retrieved, and answers of distinct random scores."""
    rng = random.Random(7)  # noqa: S311  # reproducible, nothing secret
    qrels: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for number in range(queries):
        documents = [f"document-{one}" for one in rng.sample(range(1_000_000), TOP)]
        scores = [rng.uniform(0, 20) for _ in documents]
        if best_first:
            scores.sort(reverse=True)
        run[f"q{number}"] = dict(zip(documents, scores, strict=True))
        found = rng.sample(documents, (judged + 1) // 2)
        lost = [f"unretrieved-{one}" for one in range(judged // 2)]
        qrels[f"q{number}"] = {document: rng.randint(1, 2) for document in found + lost}
    return qrels, run


def timed(work: Callable[[], object]) -> float:
    """CPU seconds that one call takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    """Print the least times and their ratios, and say whether the limit holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--queries", type=int, default=54_000)
    parser.add_argument("--judged", type=int, default=3, help="judgements per query")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--limit", type=float, default=0.6)
    options = parser.parse_args()
    worst = 0.0
    for best_first in (True, False):
        qrels, run = make_data(options.queries, options.judged, best_first=best_first)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10", "recall_100"})
        contestants: dict[str, Callable[[], object]] = {
            "pytrec_eval": lambda run=run, evaluator=evaluator: evaluator.evaluate(run),
            "score_run": lambda run=run, qrels=qrels: score_run(qrels, run),
            "score": lambda run=run, qrels=qrels: score(qrels, run),
        }
        seconds: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(options.repeats):
            for name, work in contestants.items():
                seconds[name].append(timed(work))
        base = min(seconds["pytrec_eval"])
        print(
            f"{options.queries} queries x top {TOP}, {'best first' if best_first else 'shuffled'}"
        )
        for name, taken in seconds.items():
            print(f"  {name:12} {min(taken):6.2f} s CPU  {min(taken) / base:5.2f} x pytrec_eval")
        worst = max(worst, min(seconds["score_run"]) / base)
    print(f"score_run: at most {worst:.2f} x pytrec_eval (limit {options.limit})")
    return int(worst > options.limit)


if __name__ == "__main__":
    sys.exit(main())
