"""LlamaIndex's datasets, which are complete by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError

WHOLE = {
    "queries": {"q1": "why"},
    "corpus": {"n1": "A text.", "n2": "Another."},
    "relevant_docs": {"q1": ["n1"]},
    "mode": "text",
}


def test_it_brings_queries_documents_and_judgements(read: Any, rows: Any) -> None:
    judgements = read("dataset.json", WHOLE)
    assert rows(judgements) == [("why", "n1", 1)]
    assert judgements.rows[0].query_id == "q1"
    assert judgements.documents == {"n1": ("", "A text."), "n2": ("", "Another.")}
    assert judgements.form == "LlamaIndex's EmbeddingQAFinetuneDataset"


def test_a_query_that_is_not_there_is_named(read: Any) -> None:
    with pytest.raises(DatasetError, match="\"relevant_docs\" of 'q2': no such query"):
        read("dataset.json", {**WHOLE, "relevant_docs": {"q2": ["n1"]}})
