"""Records that name a query and its documents, in fields of many names: the plain form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _recognises(content: Content) -> bool:
    return content.kind != "qrels"


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    if not content.records:
        if content.kind != "object":
            raise DatasetError(f"{content.path}: the file holds no judgement")
        there = ", ".join(map(str, list(content.whole)[:10]))
        raise DatasetError(
            f"{content.path}: expected a list of objects, or an object that holds one such list;"
            f" there are: {there or 'no fields'}"
        )
    yield from read_records(content.records, request)


FLAT = GoldenForm(
    name="records of a query and its documents",
    recognised_by="objects or rows with a query and one document or a list of them",
    recognises=_recognises,
    read=_read,
)
