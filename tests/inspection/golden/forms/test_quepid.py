"""Quepid's book; its case is in test_judgements."""

from __future__ import annotations

from typing import Any


def test_a_books_table_has_a_column_for_each_rater(read: Any, rows: Any) -> None:
    text = (
        "query,docid,ann@example.org,bob@example.org\n"
        "lamp,p1,3,3\nlamp,p2,1,2\nlamp,p3,,\nlamp,p4,0,\n"
    )
    judgements = read("book.csv", text)
    expected = [("lamp", "p1", 3), ("lamp", "p2", 2), ("lamp", "p3", None), ("lamp", "p4", 0)]
    assert rows(judgements) == expected
    assert judgements.form == "a book of Quepid"
    assert judgements.told[0].startswith(
        "1 pair of query and document rated differently by 2 raters: the mean counts, rounded"
    )


def test_who_rated_nothing_is_no_rater(read: Any, rows: Any) -> None:
    text = (
        "query,docid,ann@example.org,bob@example.org,cid@example.org\nlamp,p1,1,2,\nlamp,p2,1,,\n"
    )
    judgements = read("book.csv", text)
    assert rows(judgements) == [("lamp", "p1", 2), ("lamp", "p2", 1)]
    assert "rated differently by 2 raters" in judgements.told[0]


def test_a_books_json_lists_pairs(read: Any, rows: Any) -> None:
    pair = {
        "query_text": "lamp",
        "doc_id": "p1",
        "judgements": [
            {"rating": 2.0, "user_email": "ann@example.org"},
            {"rating": None, "unrateable": True, "user_email": "bob@example.org"},
        ],
    }
    assert rows(read("book.json", {"name": "b", "query_doc_pairs": [pair]})) == [("lamp", "p1", 2)]


def test_a_case_is_named_as_one(read: Any) -> None:
    content = {"queries": [{"query": "lamp", "ratings": {"p1": 3}}]}
    assert read("case.json", content).form == "a case of Quepid"


def test_a_table_with_another_column_is_no_book(read: Any) -> None:
    text = "query,docid,ann@example.org,rating\nlamp,p1,3,2\n"
    assert read("judged.csv", text).form != "a book of Quepid"
