"""Bodies of `_rank_eval` requests."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError

RATINGS = [{"_index": "i", "_id": "d1", "rating": 1}, {"_index": "i", "_id": "d2", "rating": 0}]


@pytest.mark.parametrize(
    "request_part",
    [
        {"request": {"query": {"match": {"text": "berlin"}}}},
        {"request": {"query": {"match": {"text": {"query": "berlin", "boost": 2}}}}},
        {"request": {"query": {"multi_match": {"query": "berlin", "fields": ["a", "b"]}}}},
        {
            "request": {
                "query": {
                    "bool": {"should": [{"match": {"a": "berlin"}}, {"term": {"b": "berlin"}}]}
                }
            }
        },
        {"template_id": "t", "params": {"query_string": "berlin"}},
    ],
)
def test_the_words_of_a_request_are_the_query(read: Any, rows: Any, request_part: Any) -> None:
    body = {"requests": [{"id": "q1", "ratings": RATINGS, **request_part}], "metric": {}}
    judgements = read("rank_eval.json", body)
    assert rows(judgements) == [("berlin", "d1", 1), ("berlin", "d2", 0)]
    assert judgements.rows[0].query_id == "q1"
    assert judgements.form == "an Elasticsearch _rank_eval request"


def test_a_request_with_two_texts_is_not_guessed_at(read: Any) -> None:
    query = {"bool": {"must": [{"match": {"a": "berlin"}}, {"match": {"b": "paris"}}]}}
    body = {"requests": [{"id": "q1", "ratings": RATINGS, "request": {"query": query}}]}
    with pytest.raises(DatasetError, match=r"not certain, the request holds 2 texts \(berlin, par"):
        read("rank_eval.json", body)


@pytest.mark.parametrize("kind", ["match", "match_phrase", "term"])
def test_only_what_is_looked_for_counts_as_words(read: Any, rows: Any, kind: str) -> None:
    scored = {"boost_mode": "sum", "query": {kind: {"text": "berlin"}}}
    limits = [{"range": {"published": {"gte": "2020-01-01"}}}]
    query = {"bool": {"must": [{"function_score": scored}], "filter": limits}}
    body = {"requests": [{"id": "q1", "ratings": RATINGS, "request": {"query": query}}]}
    assert rows(read("rank_eval.json", body)) == [("berlin", "d1", 1), ("berlin", "d2", 0)]
