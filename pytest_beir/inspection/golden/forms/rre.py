"""Ratings of the Rated Ranking Evaluator (RRE)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.judgement import Judgement, rating_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.records import Request

_NOT_QUERIES = ("$lang", "$filter", "$fq", "$rows")


def _recognises(content: Content) -> bool:
    return content.key in ("topics", "query_groups", "queries") and (
        "id_field" in content.whole or "corpora_file" in content.whole or "index" in content.whole
    )


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    for place, record in content.records:
        inner = record.get("query_groups")
        groups = inner if isinstance(inner, list) else [record]
        for group in groups:
            yield from _group(place, group)
    request.told.append("every query of a group has the documents of its group")


def _group(place: str, group: Any) -> Iterator[Judgement]:
    if not isinstance(group, dict) or "relevant_documents" not in group:
        raise DatasetError(f'{place}: a group of queries has "relevant_documents"')
    name = text_of(place, "group", group.get("name")) or None
    queries = group.get("queries")
    listed = queries if isinstance(queries, list) else [group]
    rated = list(_rated(place, group["relevant_documents"]))
    for query in listed:
        text = _query(place, query)
        for document, written in rated:
            rating = rating_of(place, document, written)
            yield Judgement(place, text, document, rating, group=name)


def _query(place: str, query: Mapping[str, Any]) -> str:
    placeholders = query.get("placeholders") or {}
    words = placeholders.get("$query") or next(
        (v for k, v in placeholders.items() if isinstance(v, str) and k not in _NOT_QUERIES), None
    )
    if not isinstance(words, str):
        raise DatasetError(f'{place}: a query has its words in "placeholders", under "$query"')
    return text_of(place, "query", words)


def _rated(place: str, documents: Any) -> Iterator[tuple[str, Any]]:
    """(id, rating): by grade `{"3": [ids]}`, by id `{id: {"gain": 3}}`, or a list of either."""
    for part in documents if isinstance(documents, list) else [documents]:
        if not isinstance(part, dict):
            raise DatasetError(f'{place}: "relevant_documents" maps grades to ids, or ids to gains')
        for key, value in part.items():
            if isinstance(value, list):
                for document in value:
                    yield text_of(place, "document's id", document), key
            else:
                gain = value.get("gain", 2) if isinstance(value, dict) else value
                yield text_of(place, "document's id", key), gain


RRE = GoldenForm(
    name="ratings of the Rated Ranking Evaluator",
    recognised_by="`topics` or `query_groups` beside `id_field`, `corpora_file` or `index`",
    recognises=_recognises,
    read=_read,
)
