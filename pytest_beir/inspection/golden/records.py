"""Judgements out of records whose fields are named, whatever the file's form."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.fields import (
    DOCUMENT,
    GROUP,
    ID_IN_LIST,
    QUERY,
    QUERY_ID,
    RATING,
    REFERENCE,
    TEXT_IN_LIST,
    FieldNames,
    Fields,
    ranked,
)
from pytest_beir.inspection.golden.judgement import Judgement, kind_of, rating_of, text_of
from pytest_beir.phrasing import joined, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_beir.inspection.golden.fields import Tiers

_UNRATED = object()
_SIGNS = ("|", ";", ",")


@dataclass
class Request:
    """What the user says of a file, and what the reading tells in return.

    `queries` are texts by query id, from a second file. `told` collects sentences.
    """

    names: FieldNames = field(default_factory=FieldNames)
    queries: Mapping[str, str] | None = None
    told: list[str] = field(default_factory=list)


class _Listed(NamedTuple):
    document: Any
    rating: Any = _UNRATED
    reference: Any = None


def read_records(
    records: Sequence[tuple[str, Mapping[str, Any]]],
    request: Request,
    *,
    query: Tiers = QUERY,
    document: Tiers = DOCUMENT,
    reference: Tiers = REFERENCE,
) -> Iterator[Judgement]:
    """Yield the judgements of some records, and tell which fields they come from.

    Raises:
        DatasetError: With the place of what is missing or malformed.

    """
    for place, record in records:
        if not isinstance(record, dict):
            raise DatasetError(
                f"{place}: expected an object with named fields, not {kind_of(record)}"
            )
    names = request.names
    fields = Fields(
        {noun: name for noun, name in asdict(names).items() if name},
        {
            "query": query,
            "document": document,
            "rating": RATING,
            "reference": reference,
            "query_id": QUERY_ID,
            "group": GROUP,
        },
    )
    reading = _Reading(fields, request, _has_ratings(records, fields))
    for place, record in records:
        yield from reading.rows(place, record)
    reading.tell(records)


def _has_ratings(records: Iterable[tuple[str, Mapping[str, Any]]], fields: Fields) -> bool:
    return any(fields.name(place, "rating", record) is not None for place, record in records)


@dataclass
class _Reading:
    fields: Fields
    request: Request
    has_ratings: bool
    unrated_lists: bool = False
    split: dict[str, str] = field(default_factory=dict)

    def rows(self, place: str, record: Mapping[str, Any]) -> Iterator[Judgement]:
        fields = self.fields
        query_id = text_of(place, "query_id", fields.value(place, "query_id", record))
        query = self._query(place, record, query_id)
        group = text_of(place, "group", fields.value(place, "group", record)) or None
        rating = fields.value(place, "rating", record)
        listed = list(self._listed(place, record))
        alone = _Listed("", _UNRATED if self.has_ratings else None)
        for one in listed or [alone]:
            document = text_of(place, "document's id", one.document)
            reference = text_of(place, "reference text", one.reference) or None
            written = one.rating
            if written is _UNRATED:
                written = rating if self.has_ratings else 1
                self.unrated_lists |= not self.has_ratings
            grade = rating_of(place, document or query, written)
            if not document and not reference and grade is not None:
                raise DatasetError(f"{place}: a rating ({grade}) without the id of a document")
            yield Judgement(place, query, document, grade, group, query_id or None, reference)

    def _query(self, place: str, record: Mapping[str, Any], query_id: str) -> str:
        fields, texts = self.fields, self.request.queries
        name = fields.name(place, "query", record)
        if name is None or (query_id and texts is not None and not record[name]):
            if query_id and texts is not None:
                if query_id not in texts:
                    raise DatasetError(
                        f"{place}: the query id {query_id!r} is not among the {len(texts)} queries"
                        f" of --queries ({shortened(list(texts))})"
                    )
                return texts[query_id]
            if query_id:
                raise DatasetError(
                    f"{place}: only the query's id ({query_id!r}) is given; name the file that"
                    " holds the texts: --queries=FILE"
                )
            raise fields.missing(place, "query", record)
        query = text_of(place, "query", fields.value(place, "query", record))
        if not query:
            raise DatasetError(f"{place}: the query is empty")
        return query

    def _listed(self, place: str, record: Mapping[str, Any]) -> Iterator[_Listed]:
        fields = self.fields
        noun = "document"
        name = fields.name(place, noun, record)
        if name is None or (record[name] in (None, "", [], {}) and "document" not in fields.given):
            reference = fields.name(place, "reference", record)
            if reference is None and name is None:
                raise fields.missing(place, noun, record)
            if reference is not None and record[reference]:
                noun, name = "reference", reference
        if name is None:
            return
        value = fields.value(place, noun, record)
        if isinstance(value, str):
            value = self._cell(name, value, is_text=noun == "reference")
        yield from _spread(place, name, value, is_text=noun == "reference")

    def _cell(self, name: str, text: str, *, is_text: bool) -> Any:
        """What a cell of a table holds: a list in JSON or Python, or ids with signs between."""
        text = text.strip()
        if text[:1] in "[{" and text[-1:] in "]}" and text:
            parsed = _parsed(text)
            if parsed is not None:
                return parsed
        if is_text or not re.search(r"(?i)(ids|docs|documents|sources|chunks|files|urls)$", name):
            return text
        sign = next((sign for sign in _SIGNS if sign in text), None)
        if sign is None:
            return text
        self.split[name] = sign
        return [part for part in map(str.strip, text.split(sign)) if part]

    def tell(self, records: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        used = self.fields.used
        parts = [
            f"{_WORDS[noun]} from {joined([repr(name) for name in names])}"
            for noun in _WORDS
            if (names := used.get(noun))
        ]
        there = dict.fromkeys(name for _, record in records for name in record if name)
        taken = {name for names in used.values() for name in names}
        spare = [name for name in there if name not in taken]
        unused = f"; not used: {', '.join(spare)}" if spare else ""
        self.request.told.append(f"read: {joined(parts)}{unused}")
        for name, sign in self.split.items():
            self.request.told.append(f"{name!r}: several ids in one cell were split at {sign!r}")
        if self.unrated_lists:
            self.request.told.append("no ratings: every document listed counts as relevant (1)")


_WORDS = {
    "query": "queries",
    "query_id": "query ids",
    "document": "documents",
    "reference": "reference texts",
    "rating": "ratings",
    "group": "groups",
}


_LONGEST_CELL = 1 << 20


def _parsed(text: str) -> Any:
    """The list or object that a cell holds as JSON or Python; None where it is neither."""
    if len(text) > _LONGEST_CELL:
        return None
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(text)
    with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return ast.literal_eval(text)
    return None


def _spread(place: str, name: str, value: Any, *, is_text: bool) -> Iterator[_Listed]:
    """One entry for each document or text of a value: an id, a list, or {id: rating}."""
    if isinstance(value, dict):
        one = _of_object(value)
        if one is not None:
            yield one
            return
        for document, rating in value.items():
            if isinstance(rating, dict):  # RRE: {"17": {"gain": 3}}
                graded = _of_object({"id": document, **rating})
                yield graded or _Listed(document)
            else:
                yield _Listed(document, rating)
        return
    for item in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(item, dict):
            one = _of_object(item)
            if one is None:
                raise DatasetError(
                    f"{place}: an entry of {name!r} has neither an id nor a text; there are:"
                    f" {', '.join(map(str, item))}"
                )
            yield one
        elif item not in (None, ""):
            yield _Listed("", reference=item) if is_text else _Listed(item)


def _of_object(value: Mapping[str, Any]) -> _Listed | None:
    """A document described by an object with an id or a text; None for any other object."""
    ids, texts, ratings = (ranked(value, each) for each in (ID_IN_LIST, TEXT_IN_LIST, RATING))
    rating = value[ratings[0][1]] if ratings else _UNRATED
    if ids and isinstance(value[ids[0][1]], (str, int)):
        return _Listed(value[ids[0][1]], rating)
    if texts and isinstance(value[texts[0][1]], str):
        return _Listed("", rating, value[texts[0][1]])
    return None
