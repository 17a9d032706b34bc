"""LlamaIndex's `EmbeddingQAFinetuneDataset`: queries, corpus and relevant documents in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.judgement import Judgement, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.forms.form import OwnDocuments
    from pytest_beir.inspection.golden.records import Request

_PARTS = ("queries", "corpus", "relevant_docs")


def _recognises(content: Content) -> bool:
    whole = content.whole
    return content.kind == "object" and all(isinstance(whole.get(part), dict) for part in _PARTS)


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    queries = content.whole["queries"]
    for query_id, documents in content.whole["relevant_docs"].items():
        place = f'{content.path}: "relevant_docs" of {query_id!r}'
        if query_id not in queries:
            raise DatasetError(f'{place}: no such query in "queries"')
        if not isinstance(documents, list):
            raise DatasetError(f"{place}: expected a list of document ids")
        for document in documents:
            yield Judgement(
                place,
                text_of(place, "query", queries[query_id]),
                text_of(place, "document's id", document),
                1,
                query_id=text_of(place, "query_id", query_id),
            )
    request.told.append("no ratings: every document listed counts as relevant (1)")


def _documents(content: Content) -> OwnDocuments:
    return {
        identifier: ("", text_of(f'{content.path}: "corpus"', "reference text", text))
        for identifier, text in content.whole["corpus"].items()
    }


LLAMAINDEX = GoldenForm(
    name="LlamaIndex's EmbeddingQAFinetuneDataset",
    recognised_by="an object with `queries`, `corpus` and `relevant_docs`",
    recognises=_recognises,
    read=_read,
    documents=_documents,
)
