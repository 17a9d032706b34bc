"""Why no ranking of a dataset can score."""

from __future__ import annotations

import pytest

from pytest_beir.datasets.dataset import why_nothing_scores

HERE = {"d1", "q1"}
KEPT = "that is not dropped as an identical id"


@pytest.mark.parametrize(
    ("qrels", "documents", "drops", "reason"),
    [
        ({"q1": {"d1": 1}}, HERE, False, None),
        ({"q1": {"lost": 1}}, None, False, None),  # nobody knows the documents
        ({"q1": {"lost": 1, "d1": 1}}, HERE, True, None),
        ({"q1": {"q1": 1}}, HERE, False, None),
        ({}, HERE, False, "no judgement has a grade above 0"),
        ({"q1": {"d1": 0, "q1": -1}}, HERE, False, "no judgement has a grade above 0"),
        (
            {"q1": {"lost": 1, "gone": 2, "d1": 0}},
            HERE,
            False,
            "none of the 2 relevant documents is in the corpus",
        ),
        (
            {"q1": {"q1": 1}},
            HERE,
            True,
            "the only relevant document has its query's id and is dropped (drop_identical_ids)",
        ),
        (
            {"q1": {"q1": 1}, "q2": {"q2": 2}},
            HERE,
            True,
            "all 2 relevant documents have their query's id and are dropped (drop_identical_ids)",
        ),
        ({"q1": {"lost": 1}}, HERE, False, "the only relevant document is not in the corpus"),
        (
            {"q1": {"q1": 1, "lost": 1}},
            HERE,
            True,
            f"the only relevant document {KEPT} is not in the corpus",
        ),
    ],
)
def test_the_reason_is_what_all_judgements_have_in_common(
    qrels: dict[str, dict[str, int]], documents: set[str] | None, drops: bool, reason: str | None
) -> None:
    assert why_nothing_scores([(qrels, documents, drops)]) == reason


def test_one_part_that_can_score_is_enough() -> None:
    nothing = ({"q1": {"lost": 1}}, HERE, False)
    assert why_nothing_scores([nothing, ({"q1": {"d1": 1}}, HERE, False)]) is None
    told = why_nothing_scores([nothing, ({"q1": {"q1": 1}}, HERE, True)])
    assert told == f"the only relevant document {KEPT} is not in the corpus"
