"""The best documents of parts, merged by the order of scoring."""

from __future__ import annotations

import random

import pytest

from pytest_beir.distributed.merge import Merging, merged, ranked
from pytest_beir.scoring.ranking import order


@pytest.mark.parametrize("shards", [1, 3, 7])
def test_the_merged_ranking_is_that_of_all_scores_together(shards: int) -> None:
    drawn = random.Random(shards)  # noqa: S311  # an example, nothing secret
    # Few different scores, some of which differ beyond 32 bits alone: ids decide between them.
    values = [drawn.choice((1.0, 1.0 + 1e-12, 2.0, 0.1 + 0.2, 0.3)) for _ in range(200)]
    scores = {f"d{number}": value for number, value in enumerate(values)}
    parts = [dict(list(scores.items())[number::shards]) for number in range(shards)]
    found = merged([ranked(part, 50) for part in parts], 50)
    assert list(found) == order(scores, depth=50)
    assert found == {document: scores[document] for document in found}


def test_parts_that_come_one_after_the_other_give_the_same() -> None:
    parts = [ranked({f"d{number}": number % 4, f"e{number}": 0.5}, 20) for number in range(30)]
    merging = Merging(10)
    for part in reversed(parts):
        merging.take({"q": part})
    merging.take({"r": parts[0]})
    found = merging.result(["r", "unanswered", "q"])
    assert list(found) == ["r", "q"]
    assert list(found["q"].items()) == list(merged(parts, 10).items())


def test_fewer_documents_than_asked_for_are_all_there() -> None:
    assert merged([ranked({"a": 1.0}, 9), ranked({}, 9), ranked({"b": 1.0}, 9)], 9) == {
        "b": 1.0,
        "a": 1.0,
    }
