from __future__ import annotations

import json
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.datasets.fingerprint import (
    content_digest,
    members_fingerprint,
    qrels_fingerprint,
    queries_fingerprint,
)

TEXT = st.text(st.characters(codec="utf-8"))


def by_hand(lines: list[str]) -> str:
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_queries_are_hashed_as_sorted_lines_of_json() -> None:
    queries = {"b": 'say "é"', "a": "one\ntwo"}
    assert queries_fingerprint(queries) == by_hand(['["a","one\\ntwo"]', '["b","say \\"é\\""]'])


def test_judgements_are_hashed_as_sorted_lines_of_json() -> None:
    qrels = {"q2": {"d": -1}, "q1": {"e": 2, "d": 0}}
    assert qrels_fingerprint(qrels) == by_hand(['["q1","d",0]', '["q1","e",2]', '["q2","d",-1]'])


def test_members_are_hashed_by_name() -> None:
    assert members_fingerprint({"b": "2", "a": "1"}) == by_hand(['["a","1"]', '["b","2"]'])


@given(st.dictionaries(TEXT, TEXT), st.dictionaries(TEXT, TEXT))
def test_only_equal_queries_have_one_fingerprint(one: dict[str, str], two: dict[str, str]) -> None:
    shuffled = dict(reversed(one.items()))
    assert queries_fingerprint(one) == queries_fingerprint(shuffled)
    assert (queries_fingerprint(one) == queries_fingerprint(two)) == (one == two)


@given(st.dictionaries(TEXT, st.dictionaries(TEXT, st.integers())))
def test_a_judgement_is_a_line_of_json(qrels: dict[str, dict[str, int]]) -> None:
    lines = [
        json.dumps([query, document, grade], ensure_ascii=False, separators=(",", ":"))
        for query, grades in sorted(qrels.items())
        for document, grade in sorted(grades.items())
    ]
    assert qrels_fingerprint(qrels) == by_hand(lines)


@given(TEXT, TEXT, st.data())
def test_no_other_cut_of_the_same_characters_has_the_same_digest(
    title: str, text: str, data: st.DataObject
) -> None:
    whole = title + text
    cut = data.draw(st.integers(0, len(whole)))
    is_same = content_digest(title, text) == content_digest(whole[:cut], whole[cut:])
    assert is_same == (cut == len(title))


def test_one_letter_changes_everything() -> None:
    assert queries_fingerprint({"1": "a"}) != queries_fingerprint({"1": "b"})
    assert qrels_fingerprint({"1": {"d": 1}}) != qrels_fingerprint({"1": {"d": 2}})
