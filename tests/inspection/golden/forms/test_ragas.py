"""Test sets of RAGAS."""

from __future__ import annotations

from typing import Any


def test_reference_contexts_are_texts_to_be_found(read: Any, rows: Any) -> None:
    text = (
        "user_input,reference_contexts,reference,synthesizer_name\n"
        'why,"[\'The first text.\', ""It\'s the second.""]",because,single\n'
    )
    judgements = read("testset.csv", text)
    assert rows(judgements) == [("why", "The first text.", 1), ("why", "It's the second.", 1)]
    assert all(row.reference and not row.document for row in judgements.rows)
    assert judgements.form == "a test set of RAGAS"


def test_ids_of_contexts_are_documents(read: Any, rows: Any) -> None:
    record = {"user_input": "why", "reference_context_ids": ["a"], "retrieved_contexts": ["x"]}
    assert rows(read("testset.json", [record])) == [("why", "a", 1)]
