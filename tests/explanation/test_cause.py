"""The diagnosis of a real drop, from a dataset, its scores and a baseline."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines.baseline import mean
from pytest_beir.datasets.reader import join, load_dataset
from pytest_beir.evaluation.scored import Scored, retrieve
from pytest_beir.explanation.explain import cause_of
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.explanation.diagnosis import Diagnosis

METRICS = ("nDCG@10", "R@100")


def scored(dataset: Dataset, *fields: str) -> Scored:
    return retrieve(dataset, wrap(BM25(fields=fields)), name="bm25", metrics=METRICS)


def cause(before: Scored, now: Scored, metric: str) -> Diagnosis:
    return cause_of(now.dataset, before.scores, now.scores, metric)


def test_titles_that_are_no_longer_searched_are_named() -> None:
    dataset = load_dataset("garden-claims")
    before, now = scored(dataset, "title", "text"), scored(dataset, "text")
    found = cause(before, now, "nDCG@10")
    assert found.delta == pytest.approx(now.means["nDCG@10"] - before.means["nDCG@10"])
    assert found.recall is not None
    assert found.order is not None
    assert found.recall + found.order == pytest.approx(found.delta, abs=1e-12)
    assert "title, not in its text" in found.enrichments[0].label


def test_relevant_documents_that_left_the_corpus_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    (folder / "qrels").mkdir(parents=True)
    documents = [json.dumps({"_id": f"d{n}", "text": f"word{n}"}) + "\n" for n in range(4)]
    queries = [json.dumps({"_id": f"q{n}", "text": f"word{n}"}) + "\n" for n in range(4)]
    (folder / "corpus.jsonl").write_text("".join(documents))
    (folder / "queries.jsonl").write_text("".join(queries))
    rows = "".join(f"q{n}\td{n}\t1\n" for n in range(4))
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    before = scored(load_dataset(folder, cache_dir=tmp_path / "cache"), "text")
    (folder / "corpus.jsonl").write_text("".join(documents[1:]))
    now = scored(load_dataset(folder, cache_dir=tmp_path / "cache"), "text")
    found = cause(before, now, "nDCG@10")
    assert (found.left, found.gone) == (1, 1)


def test_a_gain_is_taken_apart_without_a_look_at_texts() -> None:
    dataset = load_dataset("garden-claims")
    before, now = scored(dataset, "text"), scored(dataset, "title", "text")
    found = cause(before, now, "nDCG@10")
    assert found.delta > 0
    assert found.enrichments == ()


def test_each_part_of_a_divided_dataset_has_its_own_documents(tmp_path: Path) -> None:
    for forum in ("android", "unix"):
        make_forum(tmp_path / forum, forum)
    members = tuple(
        load_dataset(tmp_path / forum, name=f"cqadupstack/{forum}", cache_dir=tmp_path / "cache")
        for forum in ("android", "unix")
    )
    dataset = join("cqadupstack", tmp_path, members)
    before, now = scored(dataset, "title", "text"), scored(dataset, "text")
    found = cause(before, now, "nDCG@10")
    means = [mean(each.scores.values["nDCG@10"], dataset.strata) for each in (before, now)]
    assert found.delta == pytest.approx(means[1] - means[0], abs=1e-12)
    # Ids are the same in both forums, titles are not: those of the other would explain nothing.
    [titles] = [each for each in found.enrichments if "title, not in its text" in each.label]
    assert titles.share == pytest.approx(0.5)
    assert titles.loss_share == pytest.approx(1.0)


def make_forum(folder: Path, forum: str) -> None:
    """Forty documents; every second query asks for a word that only one title holds."""
    (folder / "qrels").mkdir(parents=True)
    places = range(40)
    write(
        folder / "corpus.jsonl",
        [{"_id": f"{p}", "title": f"{forum}{p}", "text": f"the word{p} here"} for p in places],
    )
    write(
        folder / "queries.jsonl",
        [{"_id": f"q{p}", "text": f"{forum}{p}" if p % 2 else f"word{p}"} for p in places],
    )
    rows = "".join(f"q{p}\t{p}\t1\n" for p in places)
    (folder / "qrels/test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")


def write(path: Path, records: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
