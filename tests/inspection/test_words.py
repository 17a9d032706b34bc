"""What words of a text are counted as."""

from __future__ import annotations

import pytest

from pytest_beir.inspection.words import asks, code_share, content_words, tokens, words


def test_words_stand_between_blanks() -> None:
    assert words(" a  well-known\tcase. ") == ["a", "well-known", "case."]


def test_tokens_keep_the_marks_inside_a_code_and_lose_those_around_it() -> None:
    assert tokens("(E-17), v3.2.1: don't “AB/12”!") == ["E-17", "v3.2.1", "don't", "AB/12"]


def test_content_words_are_lower_case_singular_and_without_stop_words() -> None:
    assert content_words("What are the Valves of this bus, glass or gas?") == [
        "valve",
        "bus",
        "glass",
        "gas",
    ]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("error E-17 on pump", 1 / 3),
        ("replace part 0042817", 1 / 3),  # a long number
        ("sales in 2019", 0.0),  # a year is no code
        ("mRNA and iPhone", 1.0),
        ("ACME pump", 1 / 2),
        ("MEASUREMENT OF DIELECTRIC LIQUIDS", 0.0),  # all in capitals: they tell nothing
        ("ERROR E17", 1 / 2),  # but digits do
        ("Cold Water", 0.0),
    ],
)
def test_codes_are_told_from_words_years_and_names(text: str, share: float) -> None:
    assert code_share(text) == pytest.approx(share)


def test_a_text_without_content_has_no_share_of_codes() -> None:
    assert code_share("what is it") is None


@pytest.mark.parametrize(
    ("text", "is_question"),
    [
        ("how to bleed a radiator", True),
        ("Radiator cold?", True),
        ("What's up", True),
        ("radiator cold", False),
        ("Radiators are bled yearly.", False),
        ("", False),
    ],
)
def test_a_question_is_known_by_its_mark_or_its_first_word(text: str, *, is_question: bool) -> None:
    assert asks(text) is is_question
