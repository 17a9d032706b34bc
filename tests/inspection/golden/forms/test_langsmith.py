"""LangSmith's examples."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError


@pytest.mark.parametrize(
    "outputs",
    [
        {"answer": "x", "source": "a.md"},
        {"answer": "x", "document": "a.md"},
        {"documents": ["a.md"]},
    ],
)
def test_the_outputs_name_the_documents(read: Any, rows: Any, outputs: Any) -> None:
    judgements = read("examples.json", [{"inputs": {"question": "why"}, "outputs": outputs}])
    assert rows(judgements) == [("why", "a.md", 1)]
    assert judgements.form == "LangSmith examples"
    assert judgements.told[0].startswith("read: queries from 'inputs.question' and documents from")


def test_the_metadata_may_name_them(read: Any, rows: Any) -> None:
    text = '{"inputs": {"input": "why"}, "outputs": {"output": "x"}, "metadata": {"doc_ids": [1]}}'
    assert rows(read("examples.jsonl", text)) == [("why", "1", 1)]


def test_outputs_with_an_answer_alone_are_no_judgements(read: Any) -> None:
    with pytest.raises(DatasetError, match="1 question with answers"):
        read("examples.json", [{"inputs": {"question": "why"}, "outputs": {"answer": "x"}}])


def test_a_table_holds_them_as_json_in_cells(read: Any, rows: Any) -> None:
    text = 'inputs,outputs\n"{""question"": ""why""}","{""answer"": ""x"", ""source"": ""a.md""}"\n'
    judgements = read("examples.csv", text)
    assert rows(judgements) == [("why", "a.md", 1)]
    assert judgements.form == "LangSmith examples"
