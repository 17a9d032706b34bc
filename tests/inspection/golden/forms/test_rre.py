"""Ratings of the Rated Ranking Evaluator."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError


@pytest.mark.parametrize(
    "documents",
    [
        {"3": ["p1"], "1": ["p2"]},
        [{"3": ["p1"]}, {"1": ["p2"]}],
        {"p1": {"gain": 3}, "p2": {"gain": 1}},
    ],
)
def test_the_queries_of_a_group_share_its_documents(read: Any, rows: Any, documents: Any) -> None:
    group = {
        "name": "lamps",
        "queries": [
            {"template": "q.json", "placeholders": {"$query": "lamp"}},
            {"placeholders": {"$query": "lamps"}},
        ],
        "relevant_documents": documents,
    }
    content = {"index": "i", "id_field": "id", "topics": [{"query_groups": [group]}]}
    judgements = read("ratings.json", content)
    assert sorted(rows(judgements)) == [
        ("lamp", "p1", 3),
        ("lamp", "p2", 1),
        ("lamps", "p1", 3),
        ("lamps", "p2", 1),
    ]
    assert {row.group for row in judgements.rows} == {"lamps"}
    assert judgements.form == "ratings of the Rated Ranking Evaluator"


def test_a_query_without_words_is_named(read: Any) -> None:
    group = {"queries": [{"template": "q.json"}], "relevant_documents": {"3": ["p1"]}}
    with pytest.raises(DatasetError, match=r'its words in "placeholders"'):
        read("ratings.json", {"index": "i", "query_groups": [group]})


def test_the_words_are_the_first_placeholder_that_is_text(read: Any, rows: Any) -> None:
    group = {
        "queries": [{"placeholders": {"$page": 3, "$words": "lamp"}}],
        "relevant_documents": {"3": ["p1"]},
    }
    judgements = read("ratings.json", {"index": "i", "query_groups": [group]})
    assert rows(judgements) == [("lamp", "p1", 3)]
