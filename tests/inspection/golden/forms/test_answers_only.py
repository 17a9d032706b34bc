"""Questions with answers alone."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.fields import FieldNames

RECORDS = [{"question": "why", "answer": "because", "category": "x"}]


def test_answers_alone_are_an_error_that_says_how_judgements_are_made(read: Any) -> None:
    with pytest.raises(DatasetError, match=r"1 question with answers.*mark which of the first ten"):
        read("golden.json", RECORDS)


def test_a_field_that_the_user_names_is_read_all_the_same(read: Any, rows: Any) -> None:
    judgements = read("golden.json", RECORDS, FieldNames(document="category"))
    assert rows(judgements) == [("why", "x", 1)]
