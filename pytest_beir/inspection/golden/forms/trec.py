"""TREC's qrels: query id, iteration, document id and grade, without a header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    yield from read_records(
        content.records, request, query=(), document=(("doc_id",), ("docid",)), reference=()
    )


TREC = GoldenForm(
    name="qrels of TREC",
    recognised_by="lines of four columns without a header, the last one a whole number",
    recognises=lambda content: content.kind == "qrels",
    read=_read,
)
