"""A mapping from each query to its documents: `{query: [ids]}` or `{query: {id: rating}}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _recognises(content: Content) -> bool:
    if content.kind != "object" or content.records or not content.whole:
        return False
    values = content.whole.values()
    return all(_is_list_of_ids(value) for value in values) or all(
        isinstance(value, dict) and value and _are_plain(value.values()) for value in values
    )


def _is_list_of_ids(value: object) -> bool:
    return isinstance(value, list) and bool(value) and _are_plain(value)


def _are_plain(values: Iterable[object]) -> bool:
    return all(isinstance(value, (str, int, float)) for value in values)


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    known = request.queries or {}
    noun = "query_id" if known and all(key in known for key in content.whole) else "query"
    records = [
        (f"{content.path}: {key!r}", {noun: key, "documents": documents})
        for key, documents in content.whole.items()
    ]
    yield from read_records(records, request)


QUERY_MAP = GoldenForm(
    name="a mapping from queries to documents",
    recognised_by="an object whose values are all lists of ids, or all {id: rating}",
    recognises=_recognises,
    read=_read,
)
