"""Where losses gather: named when it is plain, and not by chance."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.explanation import loss_pattern
from pytest_beir.explanation.loss_pattern import enrichments, surplus_chance
from pytest_beir.explanation.query_features import QueryFeature, features_of
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.scoring.scorer import score_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset


def trait(bearers: Iterable[str], known: Iterable[str]) -> QueryFeature:
    return QueryFeature("blue queries", "look at blue", frozenset(bearers), frozenset(known))


@pytest.mark.parametrize(("drawn", "surplus"), [(3, 2), (4, 1), (5, -1), (2, 3)])
def test_the_chance_of_a_surplus_is_that_of_counting_all_draws(drawn: int, surplus: int) -> None:
    signs = [1, 1, 1, -1, -1, 0, 0, 0]
    draws = list(itertools.combinations(signs, drawn))
    counted = Fraction(sum(sum(draw) >= surplus for draw in draws), len(draws))
    assert surplus_chance(8, drawn, (3, 2), surplus) == pytest.approx(float(counted), abs=1e-12)


def test_the_normal_distribution_agrees_with_the_exact_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = surplus_chance(10_000, 5_000, (499, 490), 40)
    monkeypatch.setattr(loss_pattern, "_EXACT_UP_TO", 0)
    assert surplus_chance(10_000, 5_000, (499, 490), 40) == pytest.approx(exact, rel=0.01)


def test_a_loss_that_sits_in_one_half_is_named_with_its_numbers() -> None:
    queries = [f"q{place}" for place in range(40)]
    before = dict.fromkeys(queries, 0.8)
    now = before | dict.fromkeys(queries[:12], 0.3) | {queries[30]: 0.9}
    [found] = enrichments((before, now), [trait(queries[:20], queries)])
    assert (found.label, found.hint) == ("blue queries", "look at blue")
    assert (found.worse, found.better) == (12, 0)
    assert found.share == pytest.approx(0.5)
    assert found.loss_share == pytest.approx(6.0 / 5.9)
    assert found.p == surplus_chance(40, 20, (12, 1), 12)


def test_a_gain_gathers_nowhere() -> None:
    queries = [f"q{place}" for place in range(40)]
    before = dict.fromkeys(queries, 0.3)
    now = dict.fromkeys(queries, 0.8) | dict.fromkeys(queries[:3], 0.2)
    assert enrichments((before, now), [trait(queries[:20], queries)]) == ()


def test_a_few_losers_prove_nothing() -> None:
    queries = [f"q{place}" for place in range(40)]
    before = dict.fromkeys(queries, 0.8)
    now = before | dict.fromkeys(queries[:3], 0.0)
    assert enrichments((before, now), [trait(queries[:20], queries)]) == ()


def test_only_queries_that_were_looked_at_are_counted() -> None:
    queries = [f"q{place}" for place in range(60)]
    before = dict.fromkeys(queries, 0.8)
    now = before | dict.fromkeys(queries[:12], 0.3) | dict.fromkeys(queries[40:], 0.3)
    assert len(enrichments((before, now), [trait(queries[:20], queries[:40])])) == 1
    assert enrichments((before, now), [trait(queries[:20], queries)]) == ()


def test_random_losses_are_named_in_at_most_one_diagnosis_in_ten() -> None:
    rng = random.Random(20)  # noqa: S311 (a simulation)
    queries = [f"q{place}" for place in range(100)]
    before = dict.fromkeys(queries, 0.5)
    traits = [trait(rng.sample(queries, size), queries) for size in (10, 30, 50, 50, 50, 70)]
    named = drops = 0
    for _ in range(600):
        changes = [rng.choice((0.0, 0.0, 0.3, -0.3, 0.1, -0.5)) for _ in queries]
        now = {query: 0.5 + change for query, change in zip(queries, changes, strict=True)}
        drops += sum(changes) < 0
        named += bool(enrichments((before, now), traits))
    assert drops > 400
    assert named / drops <= 0.1


@pytest.fixture(scope="module")
def scifact(shared_data: Path) -> tuple[Dataset, tuple[QueryFeature, ...]]:
    dataset = load_dataset(shared_data / "beir/scifact")
    corpus = dataset.corpus
    assert corpus is not None
    traits = features_of(
        dataset.queries, dataset.qrels, lambda _, document: corpus.get(document), corpus.values()
    )
    return dataset, traits


def of_run(dataset: Dataset, path: Path) -> Mapping[str, float]:
    run: dict[str, dict[str, float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, _, value, _ = line.split()
        if query in dataset.qrels:
            run.setdefault(query, {})[document] = float(value)
    return score_run(dataset.qrels, run, ("nDCG@10",))["nDCG@10"]


@pytest.mark.parametrize(
    ("file", "label"),
    [
        ("local-bm25s-lucene-k0.9-b0.4-nostem", "another form (plural, tense)"),
        # The model reads 256 word pieces of a document.
        ("minilm-l6-v2-dense", "long relevant documents"),
    ],
)
def test_the_cause_of_a_loss_on_scifact_is_named(
    scifact: tuple[Dataset, tuple[QueryFeature, ...]], shared_data: Path, file: str, label: str
) -> None:
    dataset, traits = scifact
    folder = shared_data / "runs/scifact"
    before = of_run(dataset, folder / "local-bm25s-lucene-k0.9-b0.4-stem.trec")
    [found] = enrichments((before, of_run(dataset, folder / f"{file}.trec")), traits)
    assert label in found.label


def test_titles_that_were_dropped_are_named_on_scifact(
    scifact: tuple[Dataset, tuple[QueryFeature, ...]],
) -> None:
    dataset, traits = scifact
    assert dataset.corpus is not None
    vectors = []
    for fields in (("title", "text"), ("text",)):
        retriever = BM25(fields=fields)
        retriever.index(dataset.corpus)
        run = retriever.search(dataset.queries, 100)
        vectors.append(score_run(dataset.qrels, run, ("nDCG@10",))["nDCG@10"])
    [found] = enrichments((vectors[0], vectors[1]), traits)
    assert "title, not in its text" in found.label
    assert found.loss_share > 0.7
