"""Mappings from queries to documents."""

from __future__ import annotations

from typing import Any


def test_a_query_may_map_to_ids_or_to_grades(read: Any, rows: Any) -> None:
    listed = read("golden.json", {"why": ["a", "b"], "how": ["c"]})
    assert rows(listed) == [("why", "a", 1), ("why", "b", 1), ("how", "c", 1)]
    assert listed.form == "a mapping from queries to documents"
    assert rows(read("golden.json", {"why": {"a": 2, "b": 0}})) == [
        ("why", "a", 2),
        ("why", "b", 0),
    ]


def test_its_keys_may_be_ids_of_a_second_file(read: Any, rows: Any, tmp_path: Any) -> None:
    queries = tmp_path / "texts.json"
    queries.write_text('{"7": "why"}', encoding="utf-8")
    assert rows(read("qrels.json", {"7": {"a": 1}}, queries=queries)) == [("why", "a", 1)]
