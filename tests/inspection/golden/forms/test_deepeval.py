"""Goldens of DeepEval."""

from __future__ import annotations

from typing import Any


def test_the_context_is_a_text_to_be_found_and_what_was_retrieved_is_not(
    read: Any, rows: Any
) -> None:
    golden = {
        "input": "why",
        "expected_output": "because",
        "context": ["A text of the manual."],
        "retrieval_context": ["Something found."],
        "source_file": "manual.md",
    }
    judgements = read("goldens.json", [golden])
    assert rows(judgements) == [("why", "A text of the manual.", 1)]
    assert judgements.form == "goldens of DeepEval"
    assert judgements.told[0] == (
        "'retrieval_context' is what a system found, not what is relevant: not used"
    )
