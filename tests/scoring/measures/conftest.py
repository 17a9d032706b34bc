"""Random judgements and runs, and what trec_eval says of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pytest
import pytrec_eval

from pytest_beir.scoring.scorer import score_run


@dataclass(frozen=True)
class Sample:
    """Judgements of forty queries with grades from -1 to 4, and answers of 0 to 150 documents."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]

    def ours(self, metric: str) -> dict[str, float]:
        return score_run(self.qrels, self.run, [metric])[metric]

    def by_trec_eval(self, measure: str, *, level: int = 1, gain: Any = int) -> dict[str, float]:
        """One of trec_eval's measures; `gain` changes every positive grade beforehand."""
        qrels = {
            query: {document: gain(grade) if grade > 0 else grade for document, grade in of.items()}
            for query, of in self.qrels.items()
        }
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {measure}, relevance_level=level)
        name = measure.replace(".", "_")
        found = evaluator.evaluate({query: answer for query, answer in self.run.items() if answer})
        return {query: found.get(query, {}).get(name, 0.0) for query in qrels}


@pytest.fixture(scope="session")
def sample() -> Sample:
    rng = random.Random(17)  # noqa: S311  # reproducible, nothing secret
    ids = [f"d{number:03}" for number in range(200)]
    qrels = {
        f"q{number}": {
            document: rng.choice((-1, 0, 0, 1, 1, 2, 3, 4))
            for document in rng.sample(ids, rng.randint(2, 60))
        }
        for number in range(40)
    }
    # A document of grade 0 each: pytrec_eval dies of a query whose grades are all negative.
    for judged in qrels.values():
        judged["d-none"] = 0
    run = {
        # One decimal, so that there are ties.
        query: {one: round(rng.random(), 1) for one in rng.sample(ids, rng.randint(0, 150))}
        for query in qrels
    }
    return Sample(qrels, run)
