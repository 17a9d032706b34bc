"""The collections that every installation brings: what they promise whoever gates on them."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from pytest_beir import BM25, compare_scores, load_dataset, score_run
from pytest_beir.datasets.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_beir.datasets.dataset import Dataset

NAMES = ("garden-claims", "cycling-forum", "boiler-manual")
RUN = 5  # words; so many in a row are seldom the same by chance
WORD = re.compile(r"\w+")


@pytest.fixture(scope="module", params=NAMES)
def dataset(request: pytest.FixtureRequest) -> Dataset:
    return load_dataset(request.param)


def texts(dataset: Dataset) -> dict[str, str]:
    assert dataset.corpus is not None
    return {one: f"{found['title']} {found['text']}" for one, found in dataset.corpus.items()}


def bm25(
    dataset: Dataset, *fields: str, drop_identical_ids: bool | None = None
) -> Mapping[str, float]:
    """The nDCG@10 of each query."""
    assert dataset.corpus is not None
    # With the epsilon of rank_bm25, whose figures the cards give.
    retriever = BM25(epsilon=0.25, fields=fields or ("title", "text"))
    retriever.index(dataset.corpus)
    # One more than is scored: a query's own document may leave the ranking.
    run = retriever.search(dataset.queries, 11)
    drop = dataset.drop_identical_ids if drop_identical_ids is None else drop_identical_ids
    return score_run(dataset.qrels, run, ["nDCG@10"], drop_identical_ids=drop)["nDCG@10"]


def mean(scores: Mapping[str, float]) -> float:
    return sum(scores.values()) / len(scores)


def near_duplicates(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    """The pairs of which one shares more than half of its five-word sequences with the other."""
    sequences: dict[str, set[tuple[str, ...]]] = {}
    holders: dict[tuple[str, ...], list[str]] = {}
    for one, text in texts.items():
        words = WORD.findall(text.lower())
        starts = range(len(words) - RUN + 1)
        sequences[one] = {tuple(words[start : start + RUN]) for start in starts}
        for sequence in sequences[one]:
            holders.setdefault(sequence, []).append(one)
    shared = Counter(pair for held in holders.values() for pair in combinations(sorted(held), 2))
    return [
        (a, b)
        for (a, b), count in shared.items()
        if count > min(len(sequences[a]), len(sequences[b])) / 2
    ]


def repeated(texts: Iterable[str]) -> list[str]:
    counts = Counter(" ".join(WORD.findall(text.lower())) for text in texts)
    return [text for text, count in counts.items() if count > 1]


def test_near_duplicates_share_more_than_half_of_the_shorter() -> None:
    alike = {
        "a": "One, two, three, four, five, six.",
        "b": "zero one two three four five and so on and on and on and on",
        "c": "ONE TWO THREE FOUR FIVE SIX",
        "d": "one two three four",
    }
    # Half of the two sequences of a and c is in b: no more than half.
    assert near_duplicates(alike) == [("a", "c")]


def test_these_are_the_bundled_collections() -> None:
    assert sorted(load_catalog().sets["bundled"].members) == sorted(NAMES)


def test_it_is_large_enough(dataset: Dataset) -> None:
    assert len(texts(dataset)) >= 250
    assert dataset.queries.keys() == dataset.qrels.keys()
    assert len(dataset.queries) >= 80


def test_every_query_on_file_is_judged_and_has_a_relevant_document(dataset: Dataset) -> None:
    lines = (dataset.folder / "queries.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["_id"] for line in lines} == set(dataset.queries)
    assert all(max(judged.values()) > 0 for judged in dataset.qrels.values())


def test_every_judgement_is_of_a_document_that_exists(dataset: Dataset) -> None:
    judged = {document for one in dataset.qrels.values() for document in one}
    assert judged <= texts(dataset).keys()


def test_some_documents_are_unjudged(dataset: Dataset) -> None:
    judged = {document for one in dataset.qrels.values() for document in one}
    assert len(texts(dataset).keys() - judged) >= 5


def test_no_text_stands_twice(dataset: Dataset) -> None:
    assert dataset.corpus is not None
    assert repeated(one["text"] for one in dataset.corpus.values()) == []
    assert repeated(one["title"] for one in dataset.corpus.values()) == []
    assert repeated(dataset.queries.values()) == []


def test_no_text_is_nearly_another(dataset: Dataset) -> None:
    assert near_duplicates(texts(dataset)) == []
    assert near_duplicates(dataset.queries) == []


def test_bm25_neither_fails_on_it_nor_solves_it(dataset: Dataset) -> None:
    assert 0.35 < mean(bm25(dataset)) < 0.80


def test_a_loss_of_the_titles_is_found(dataset: Dataset) -> None:
    found = compare_scores(bm25(dataset), bm25(dataset, "text"), alpha=0.05)
    assert found.verdict == "regressed"


def test_its_card_tells_the_counts_and_the_score(dataset: Dataset) -> None:
    card = (dataset.folder / "CARD.md").read_text("utf-8")
    counts = dataset.counts
    for count in (counts.documents, counts.queries, counts.judgements):
        assert re.search(rf"\b{count}\b", card)
    score = mean(bm25(dataset))
    assert any(f"{score:.{digits}f}".removeprefix("0") in card for digits in (2, 3))


def test_its_licence_is_named(dataset: Dataset) -> None:
    assert "Apache-2.0" in (dataset.folder / "CARD.md").read_text("utf-8")
    assert load_catalog().entries[dataset.name].licence == "Apache-2.0"


def test_boiler_manual_has_graded_judgements() -> None:
    qrels = load_dataset("boiler-manual").qrels
    assert {grade for judged in qrels.values() for grade in judged.values()} == {0, 1, 2}


def test_the_query_is_a_post_of_the_cycling_forum_and_not_its_own_duplicate() -> None:
    dataset = load_dataset("cycling-forum")
    assert dataset.corpus is not None
    for query, text in dataset.queries.items():
        assert dataset.corpus[query]["title"] == text
        assert query not in dataset.qrels[query]


def test_a_duplicate_is_one_from_either_side() -> None:
    qrels = load_dataset("cycling-forum").qrels
    for query, judged in qrels.items():
        assert all(query in qrels[other] for other in judged if other in qrels)


def test_whether_the_query_itself_is_dropped_matters_on_the_cycling_forum() -> None:
    dataset = load_dataset("cycling-forum")
    assert dataset.drop_identical_ids
    found = compare_scores(bm25(dataset), bm25(dataset, drop_identical_ids=False), alpha=0.05)
    assert found.verdict == "regressed"


def test_they_weigh_less_than_a_megabyte_together() -> None:
    folders = [load_dataset(name).folder for name in NAMES]
    files = [one for folder in folders for one in folder.rglob("*") if one.is_file()]
    assert len(files) >= 4 * len(NAMES)
    assert sum(len(gzip.compress(one.read_bytes())) for one in files) < 1_000_000
