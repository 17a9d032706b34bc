"""Names listed and things counted in a sentence."""

from __future__ import annotations

import pytest

from pytest_beir.phrasing import joined, plural, shortened


@pytest.mark.parametrize(
    ("names", "text"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_names_are_joined_as_in_a_sentence(names: tuple[str, ...], text: str) -> None:
    assert joined(names) == text


@pytest.mark.parametrize(
    ("names", "text"),
    [("", ""), ("abc", "'a', 'b', 'c'"), ("abcd", "'a', 'b', 'c', …")],
)
def test_of_many_names_the_first_are_quoted(names: str, text: str) -> None:
    assert shortened(list(names)) == text


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (1, "query", "1 query"),
        (0, "query", "0 queries"),
        (1234, "judged query", "1,234 judged queries"),
        (2, "day", "2 days"),
        (2, "dataset", "2 datasets"),
    ],
)
def test_a_noun_follows_its_number(number: int, noun: str, text: str) -> None:
    assert plural(number, noun) == text
