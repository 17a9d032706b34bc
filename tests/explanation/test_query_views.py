"""The queries that moved most, with both top tens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.explanation.query_views import RankedDocument, query_views, title
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """Two queries; d3 has no title, d4 no judgement."""
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(
        '{"_id": "d1", "title": "one", "text": "first"}\n'
        '{"_id": "d2", "title": "two", "text": "second"}\n'
        '{"_id": "d3", "title": "", "text": "third"}\n'
        '{"_id": "d4", "title": "four", "text": "fourth"}\n'
    )
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "lost"}\n{"_id": "q2", "text": "won"}\n'
    )
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td3\t0\nq2\td2\t1\n"
    )
    return load_dataset(tmp_path, name="docs")


def test_a_query_shows_both_top_tens_with_what_is_judged(dataset: Dataset) -> None:
    runs = (
        {"q1": {"d1": 3.0, "d3": 2.0}, "q2": {"d4": 2.0, "d2": 1.0}},
        {"q1": {"d4": 3.0, "d3": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}},
    )
    before, now = (score(dataset.qrels, run, ["nDCG@10"]) for run in runs)
    lost, won = query_views(before, now, "nDCG@10", dataset)
    assert (lost.query, lost.text, lost.before) == ("q1", "lost", 1.0)
    assert lost.now == pytest.approx(0.5)  # 1 / log2(3 + 1)
    assert lost.old == (RankedDocument("d1", "one", 2), RankedDocument("d3", "third", 0))
    assert [(each.id, each.grade) for each in lost.new] == [("d4", None), ("d3", 0), ("d1", 2)]
    assert won.query == "q2"


def test_a_query_that_did_not_move_is_not_shown(dataset: Dataset) -> None:
    scores = score(dataset.qrels, {"q1": {"d1": 1.0}, "q2": {"d2": 1.0}}, ["nDCG@10"])
    assert query_views(scores, scores, "nDCG@10", dataset) == ()


def test_a_document_of_a_forum_has_the_title_that_it_has_there(tmp_path: Path) -> None:
    for forum in load_catalog().entries["cqadupstack"].parts:
        (tmp_path / forum / "qrels").mkdir(parents=True)
        (tmp_path / forum / "corpus.jsonl").write_text(
            f'{{"_id": "d1", "title": "of {forum}", "text": "x"}}\n'
        )
        (tmp_path / forum / "queries.jsonl").write_text('{"_id": "q1", "text": "how"}\n')
        (tmp_path / forum / "qrels" / "test.tsv").write_text(
            "query-id\tcorpus-id\tscore\nq1\td1\t1\n"
        )
    whole = load_dataset(tmp_path, name="cqadupstack")
    titles = [title(whole, f"{forum}/q1", "d1") for forum in ("tex", "unix")]
    assert titles == ["of tex", "of unix"]
