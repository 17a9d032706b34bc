"""Judgement lists of OpenSearch."""

from __future__ import annotations

from typing import Any

import pytest

RATINGS = [{"docId": "B1", "rating": "3.000"}, {"docId": "B2", "rating": "0.000"}]


@pytest.mark.parametrize(
    "content",
    [
        {"name": "art", "judgmentRatings": [{"query": "dress", "ratings": RATINGS}]},
        {"judgmentRatings": {"dress": RATINGS}},
        {"_id": "x", "_source": {"judgmentRatings": [{"query": "dress", "ratings": RATINGS}]}},
    ],
)
def test_ratings_are_listed_by_query(read: Any, rows: Any, content: Any) -> None:
    judgements = read("judgments.json", content)
    assert rows(judgements) == [("dress", "B1", 3), ("dress", "B2", 0)]
    assert judgements.form == "a judgement list of OpenSearch"
