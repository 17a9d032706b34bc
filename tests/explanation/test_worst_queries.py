"""The queries that lost most, with the documents that moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.explanation.worst_queries import worst_queries
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from tests.conftest import Lab


def test_the_largest_losses_come_first_and_gains_not_at_all(lab: Lab) -> None:
    before = lab.measurement({"q07": 4}).scores
    ranks = {"q01": 2, "q02": 3, "q03": 4, "q04": 5, "q05": 6, "q06": 7}
    losses = worst_queries(before, lab.measurement(ranks).scores, "nDCG@10")
    assert [loss.query for loss in losses] == ["q06", "q05", "q04", "q03", "q02"]
    assert (losses[0].before, losses[0].now) == (1.0, 1 / 3)
    assert (losses[0].text, losses[0].documents) == ("", ())


def test_documents_have_their_titles_and_ranks_before_and_now() -> None:
    dataset = load_dataset("garden-claims")
    query, grades = next(iter(dataset.qrels.items()))
    document = next(each for each, grade in grades.items() if grade > 0)
    first = {q: {d: 1.0 for d, g in grades.items() if g > 0} for q, grades in dataset.qrels.items()}
    before = score(dataset.qrels, first)
    now = score(dataset.qrels, {**first, query: {"no such document": 1.0}})
    (loss,) = worst_queries(before, now, "nDCG@10", dataset)
    assert (loss.query, loss.text, loss.now) == (query, dataset.queries[query], 0.0)
    moved = next(each for each in loss.documents if each.id == document)
    assert dataset.corpus is not None
    assert moved.title == dataset.corpus[document]["title"]
    assert moved.title
    assert (moved.grade, moved.new_rank) == (grades[document], None)
