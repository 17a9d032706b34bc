"""Reference texts and the documents that hold them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.inspection.golden.matching import Matcher
from pytest_beir.inspection.golden.passages import passages_with

DOCUMENTS = {
    "a": ("Pumps", "A pump moves water. It has a valve at its outlet."),
    "b": ("", "Filters keep sand out of the pump; clean them every month."),
    "c": ("", "Call service"),
    "d": ("", "It has a valve at its outlet."),
}


@pytest.mark.parametrize(
    ("reference", "documents", "how"),
    [
        (DOCUMENTS["b"][1], ("b",), "exactly"),
        ("Pumps\nA pump moves water. It has a valve at its outlet.", ("a",), "exactly"),
        ("<1-hop>\n\nCall service", ("c",), "exactly"),
        ("filters keep SAND out of the pump - clean them every month", ("b",), "after normalising"),
        ("keep sand out of the pump", ("b",), "by containment"),
        (f"{DOCUMENTS['b'][1]}\nUse a brush.", ("b",), "by containment"),
        ("a valve at its outlet", ("a", "d"), "by containment"),
    ],
)
def test_a_text_is_found_in_three_ways(reference: str, documents: Any, how: str) -> None:
    match = Matcher(DOCUMENTS).find(reference)
    assert (match.documents, match.how) == (documents, how)


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("the pump", "fewer than 4 words, and no document is equal"),
        ("nothing of this kind is there", "no document holds it"),
        ("alve at its outlet", "no document holds it"),
        ("…", "fewer than 4 words, and no document is equal"),
    ],
)
def test_a_text_that_is_not_found_has_a_reason(reference: str, reason: str) -> None:
    match = Matcher(DOCUMENTS).find(reference)
    assert (match.documents, match.reason) == ((), reason)


def test_a_text_in_too_many_documents_means_none_of_them() -> None:
    many = {
        f"d{number}": ("", f"Read the safety notes first. Part {number}.") for number in range(6)
    }
    assert Matcher(many).find("Read the safety notes").reason == "6 documents hold it"


PASSAGES = {
    "x#1": ("", "one two three four five six."),
    "x#2": ("", "Seven eight nine ten eleven twelve."),
    "x#3": ("", "Thirteen fourteen fifteen."),
}


@pytest.mark.parametrize(
    ("reference", "passages"),
    [
        ("seven eight nine", ("x#2",)),
        ("five six seven eight", ("x#1", "x#2")),
        ("six seven eight nine ten", ("x#2",)),
        ("three four five six seven eight nine ten eleven twelve thirteen", ("x#1", "x#2")),
        ("not in it at all", ("x#1", "x#2", "x#3")),
    ],
)
def test_the_passages_that_hold_much_of_a_text_are_judged(reference: str, passages: Any) -> None:
    assert passages_with(PASSAGES, ("x#1", "x#2", "x#3"), reference) == passages


def test_a_document_that_only_begins_like_the_text_is_not_in_it() -> None:
    documents = {
        "a": ("", "Turn the valve to the left."),
        "b": ("", "Turn the valve to the right and wait for a minute."),
    }
    match = Matcher(documents).find("First read. Turn the valve to the left. Then rest.")
    assert (match.documents, match.how) == (("a",), "by containment")
