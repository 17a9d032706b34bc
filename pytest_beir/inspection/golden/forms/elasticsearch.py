"""The body of an Elasticsearch `_rank_eval` request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request

# Where a query's words stand in the clauses of a search.
_WORDS = ("query", "value", "query_string", "text", "like")


def _recognises(content: Content) -> bool:
    return content.key == "requests" and all("ratings" in record for _, record in content.records)


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    records = [
        (place, {"query": _text(place, record), "ratings": record["ratings"], **_id(record)})
        for place, record in content.records
    ]
    yield from read_records(
        records, request, query=(("query",),), document=(("ratings",),), reference=()
    )


def _id(record: Mapping[str, Any]) -> dict[str, Any]:
    return {"query_id": record["id"]} if record.get("id") else {}


def _text(place: str, record: Mapping[str, Any]) -> str:
    """The words that are searched: a template's parameter, or the one text in the request."""
    params = record.get("params")
    found = _texts(params) if isinstance(params, dict) else _words(record.get("request"))
    if len(found) != 1:
        there = f"{len(found)} texts ({', '.join(found)})" if found else "no text"
        raise DatasetError(
            f"{place}: the query's words are not certain, the request holds {there}; give the"
            " judgements as records with query, doc_id and rating instead"
        )
    return next(iter(found))


def _texts(params: Mapping[str, Any]) -> dict[str, None]:
    return {value: None for value in params.values() if isinstance(value, str)}


def _words(clause: Any) -> dict[str, None]:
    """Every text in a search that is looked for, once each."""
    found: dict[str, None] = {}
    if isinstance(clause, list):
        for part in clause:
            found |= _words(part)
    elif isinstance(clause, dict):
        for name, value in clause.items():
            if name in _WORDS and isinstance(value, str):
                found[value] = None
            elif name in ("match", "match_phrase", "term") and isinstance(value, dict):
                found |= {text: None for text in value.values() if isinstance(text, str)}
                found |= _words([inner for inner in value.values() if isinstance(inner, dict)])
            elif name not in ("fields", "filter"):
                found |= _words(value)
    return found


ELASTICSEARCH = GoldenForm(
    name="an Elasticsearch _rank_eval request",
    recognised_by="an object with `requests` that have `ratings`",
    recognises=_recognises,
    read=_read,
)
