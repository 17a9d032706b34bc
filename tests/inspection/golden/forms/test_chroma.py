"""Questions of Chroma's chunking evaluation."""

from __future__ import annotations

from typing import Any


def test_references_in_a_cell_quote_the_corpus(read: Any, rows: Any) -> None:
    text = (
        "question,references,corpus_id\n"
        'why,"[{""content"": ""A quoted text."", ""start_index"": 3, ""end_index"": 17}]",book\n'
    )
    judgements = read("questions.csv", text)
    assert rows(judgements) == [("why", "A quoted text.", 1)]
    assert judgements.rows[0].reference
    assert judgements.form == "questions of Chroma's chunking evaluation"
