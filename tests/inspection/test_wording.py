"""Traits of two datasets in plain words."""

from __future__ import annotations

import pytest

from pytest_beir.inspection import wording


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.0, "1"), (1.14, "1.1"), (12.5, "12.5"), (99.4, "99.4"), (99.5, "100"), (1234.4, "1,234")],
)
def test_a_number_has_three_figures_at_most(value: float, shown: str) -> None:
    assert wording.number(value) == shown


def test_one_document_is_no_plural() -> None:
    assert wording.relevant(1.04, 2.5) == "1 relevant document a query against its 2.5"
    assert wording.relevant(1.1, 1.0) == "1.1 relevant documents a query against its 1"


@pytest.mark.parametrize(
    ("mine", "its", "told"),
    [
        (0.05, 0.0, "queries are statements or keywords, as there"),
        (0.06, 0.0, "6% of the queries are questions against its 0%"),
        (0.95, 1.0, "queries are questions, as there"),
        (0.94, 1.0, "94% of the queries are questions against its 100%"),
    ],
)
def test_shares_of_questions_are_told_apart_where_they_differ(
    mine: float, its: float, told: str
) -> None:
    assert wording.asking(mine, its) == told


def test_hardly_any_codes_are_as_many() -> None:
    assert wording.codes(0.05, 0.01) == "hardly any codes or acronyms in queries, as there"
    assert wording.codes(0.01, 0.16).startswith("1% of the query words are codes or acronyms")


@pytest.mark.parametrize(
    ("domains", "named"),
    [
        ({}, "no clear subject"),
        ({"finance": 0.29, "climate": 0.2}, "mixed subjects"),
        ({"finance": 0.3, "climate": 0.14}, "money and business"),
        ({"climate": 0.15, "finance": 0.3}, "money and business, climate and weather"),
        (
            {"finance": 0.4, "climate": 0.4, "places": 0.2},
            "climate and weather, money and business",
        ),
    ],
)
def test_the_subjects_that_lead_a_mix_are_named(domains: dict[str, float], named: str) -> None:
    assert wording.about(domains) == named


def test_equal_names_of_different_mixes_are_told_apart() -> None:
    mine, its = {"finance": 0.5}, {"finance": 0.35}
    assert wording.subjects(mine, its, differ=False) == "about money and business, as it is"
    assert wording.subjects(mine, its, differ=True) == (
        "about money and business, in another mix than there"
    )
    other = wording.subjects(mine, {"climate": 0.5}, differ=True)
    assert other == "about money and business against its climate and weather"


def test_grades_are_several_or_one() -> None:
    assert wording.grades(mine=True, its=True) == "several grades of relevance, as there"
    assert wording.grades(mine=False, its=True).startswith("one grade of relevance against its ")
    assert wording.grades(mine=True, its=False).startswith(
        "several grades of relevance against its "
    )
