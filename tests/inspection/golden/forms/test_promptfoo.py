"""Tests of promptfoo."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError


def test_variables_name_query_and_documents(read: Any, rows: Any) -> None:
    text = (
        "prompts: [p.txt]\nproviders: [x]\ntests:\n"
        "  - vars: {query: why, expected_doc_ids: [a.md, 007]}\n"
        "  - vars: {query: how}\n"
        "  - vars: {query: when}\n    assert:\n"
        "      - {type: context-recall, value: A text of the manual.}\n"
    )
    judgements = read("promptfooconfig.yaml", text)
    assert rows(judgements) == [
        ("why", "a.md", 1),
        ("why", "007", 1),
        ("when", "A text of the manual.", 1),
    ]
    assert judgements.form == "tests of promptfoo"
    assert judgements.told[0] == "1 tests name no document: not used"


def test_tests_that_name_no_document_are_an_error(read: Any) -> None:
    with pytest.raises(DatasetError, match=r"no test names documents \(the variables are: query\)"):
        read("promptfooconfig.yaml", "tests:\n  - vars: {query: why}\n")


def test_tests_without_a_query_are_not_read_as_promptfoos(read: Any) -> None:
    text = "tests:\n  - vars: {name: Ann, expected_doc_ids: [a.md]}\n"
    with pytest.raises(DatasetError) as caught:
        read("promptfooconfig.yaml", text)
    assert "no test names documents" not in str(caught.value)
