"""The name that was probably meant."""

from __future__ import annotations

import pytest

from pytest_beir.suggestions import did_you_mean, nearest


@pytest.mark.parametrize(
    ("word", "found"),
    [("SciFcat", "scifact"), ("nfcorpus ", "nfcorpus"), ("xyz", None), ("", None)],
)
def test_the_nearest_is_found_whatever_its_case(word: str, found: str | None) -> None:
    assert nearest(word, ["nfcorpus", "scifact", "nq"]) == found


@pytest.mark.parametrize("known", [("docs", "DOCS"), ("DOCS", "docs")])
def test_of_names_that_differ_by_case_alone_the_first_in_order_is_taken(
    known: tuple[str, ...],
) -> None:
    assert nearest("Docs", known) == "DOCS"


def test_nothing_is_said_where_nothing_is_like_it() -> None:
    assert did_you_mean("zzz", ["scifact"]) == ""
    assert did_you_mean("scifct", ["scifact"]) == "; did you mean 'scifact'?"
