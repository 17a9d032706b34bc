"""Real systems on SciFact and SciDocs, with scores from trec_eval."""

from __future__ import annotations

import csv
import hashlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pytrec_eval

from pytest_beir.gate.comparison import Comparison, compare_scores

if TYPE_CHECKING:
    from pathlib import Path

    Runs = dict[str, dict[str, float]]

STEM = "local-bm25s-lucene-k0.9-b0.4-stem"
RESAMPLES = 99_999


@pytest.fixture(scope="module")
def scifact(shared_data: Path) -> Runs:
    """nDCG@10 by query of four systems, a missing query scoring 0."""
    qrels: dict[str, dict[str, int]] = {}
    with (shared_data / "beir/scifact/qrels/test.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    scores = {}
    for name in (STEM, STEM.replace("stem", "nostem"), "minilm-l6-v2-dense", "rank-bm25"):
        run: dict[str, dict[str, float]] = {}
        with (shared_data / f"runs/scifact/{name}.trec").open(encoding="utf-8") as lines:
            for line in lines:
                query, _, document, _, score, _ = line.split()
                run.setdefault(query, {})[document] = float(score)
        found = evaluator.evaluate({query: run[query] for query in run if query in qrels})
        scores[name] = {q: found[q]["ndcg_cut_10"] if q in found else 0.0 for q in qrels}
    return scores


def against_stem(scifact: Runs, name: str) -> Comparison:
    return compare_scores(scifact[STEM], scifact[name])


def test_the_same_run_is_unchanged(scifact: Runs) -> None:
    found = against_stem(scifact, STEM)
    assert (found.verdict, found.n, found.changed, found.p_drop) == ("unchanged", 300, 0, 1.0)


def test_leaving_out_the_stemmer_is_a_regression(scifact: Runs) -> None:
    found = against_stem(scifact, STEM.replace("stem", "nostem"))
    assert found.verdict == "regressed"
    assert round(found.delta, 4) == -0.0193
    assert round(found.p_drop, 4) == 0.0155


def test_another_system_of_high_variance_is_inconclusive(scifact: Runs) -> None:
    found = against_stem(scifact, "minilm-l6-v2-dense")
    assert (found.verdict, found.reason) == ("inconclusive", "underpowered")
    assert round(found.delta, 4) == -0.0311
    assert round(found.p_drop, 4) == 0.0510


def test_a_weaker_system_is_a_regression(scifact: Runs) -> None:
    assert against_stem(scifact, "rank-bm25").verdict == "regressed"


def seed(root: str, dataset: str, metric: str) -> int:
    digest = hashlib.blake2b(f"{root}\x1f{dataset}\x1f{metric}".encode())
    return int.from_bytes(digest.digest()[:8], "big")


def monte_carlo(d: np.ndarray[Any, Any], rng: np.random.Generator) -> tuple[float, float]:
    """p_bootstrap and p_signflip for a drop by 99,999 random resamples each."""
    n, observed = len(d), int(d.sum())
    as_high = as_low = 1
    for start in range(0, RESAMPLES, 3333):
        rows = min(3333, RESAMPLES - start)
        as_high += int((d[rng.integers(0, n, (rows, n))].sum(axis=1) >= 0).sum())
        changed = np.abs(d[d != 0])
        signs = 1 - 2 * rng.integers(0, 2, (rows, len(changed)), dtype=np.int64)
        as_low += int((signs @ changed <= observed).sum())
    return as_high / (RESAMPLES + 1), as_low / (RESAMPLES + 1)


@pytest.mark.parametrize(
    ("dataset", "measure", "candidate"),
    [
        ("scifact", "ndcg10", "SBERT-Dense"),
        ("scifact", "recall10", "RRF-MiniLM"),
        ("scidocs", "ndcg10", "LSA-Dense"),
        ("scidocs", "recall10", "RRF-BGE"),
    ],
)
def test_real_pairs_agree_with_a_monte_carlo_engine(
    shared_data: Path, dataset: str, measure: str, candidate: str
) -> None:
    path = shared_data / f"perquery/paperpilot/{dataset}.{measure}.csv"
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    before = {row["query_id"]: float(row["BM25"]) for row in rows}
    after = {row["query_id"]: float(row[candidate]) for row in rows}
    found = compare_scores(before, after)
    d = np.array([round((after[query] - before[query]) * 1e4) for query in before])
    sampled = monte_carlo(d, np.random.default_rng(seed("bm25", dataset, measure)))
    for exact, drawn in zip((found.p_bootstrap, found.p_signflip), sampled, strict=True):
        error = math.sqrt(exact * (1 - exact) / RESAMPLES)
        assert drawn == pytest.approx(exact, abs=5 * error + 2 / RESAMPLES)
