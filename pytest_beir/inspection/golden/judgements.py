"""A team's judgements: CSV, JSON or JSON Lines, flat or as Quepid exports them, as plain rows."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.columns import JUDGEMENT_NAMES, RATING_COLUMNS, find_columns
from pytest_beir.inspection.golden.csv_table import read_csv
from pytest_beir.inspection.golden.json_list import read_json_lines, read_json_list

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_RATING = re.compile(r"[+-]?[0-9]{1,9}(\.0*)?")
_NUMBER = re.compile(r"[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Judgement:
    """One row: `rating` is None where nobody rated, `document` "" where a query stands alone.

    `place` is `file:line`, or file and query where JSON nests ratings.
    """

    place: str
    query: str
    document: str
    rating: int | None
    group: str | None = None
    query_id: str | None = None


def read_judgements(path: Path) -> list[Judgement]:
    """Give the rows of a file of judgements, in its order.

    CSV by its header, JSON as a list of objects, JSON Lines, or Quepid's JSON
    (`{"queries": [{"query": ..., "ratings": {document: rating}}]}`).

    Raises:
        DatasetError: with the place of what is missing, malformed or no whole number.

    """
    kinds = {".json": _from_json, ".jsonl": _from_lines, ".ndjson": _from_lines}
    read = kinds.get(path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix)
    rows = list((read or _from_csv)(path))
    if not rows:
        raise DatasetError(f"{path}: the file holds no judgement")
    return rows


def _from_csv(path: Path) -> Iterator[Judgement]:
    table = read_csv(path, lambda header: len(_wanted(header)) == 3)  # noqa: PLR2004
    columns, _ = find_columns(table.header, JUDGEMENT_NAMES)
    missing = [noun for noun in ("query", "document", "rating") if noun not in columns]
    if missing:
        there = ", ".join(name for name in table.header if name)
        raise DatasetError(
            f"{path}:{table.header_line}: no column for the {' or the '.join(missing)}; there are:"
            f" {there}. Judgements have the columns {RATING_COLUMNS}"
        )
    for line, cells in table.rows:
        yield _row(f"{path}:{line}", {noun: cells[name] for noun, name in columns.items()})


def _wanted(header: list[str]) -> list[str]:
    columns, _ = find_columns(header, JUDGEMENT_NAMES)
    return [noun for noun in ("query", "document", "rating") if noun in columns]


def _from_lines(path: Path) -> Iterator[Judgement]:
    for place, record in read_json_lines(path):
        yield from _from_object(place, record)


def _from_json(path: Path) -> Iterator[Judgement]:
    for place, value in read_json_list(path, key="queries"):
        if not isinstance(value, dict):
            raise DatasetError(f"{place}: expected an object with {RATING_COLUMNS}")
        yield from _from_object(place, value)


def _from_object(place: str, value: dict[str, Any]) -> Iterator[Judgement]:
    columns, _ = find_columns(value, JUDGEMENT_NAMES)
    if "query" not in columns:
        raise DatasetError(f'{place}: no field "query" (or "query_text")')
    fields = {noun: value[name] for noun, name in columns.items()}
    if "ratings" in fields and "document" not in fields:
        yield from _from_nested(place, fields, fields.pop("ratings"))
        return
    for noun, name in (("document", "doc_id"), ("rating", "rating")):
        if noun not in fields:
            raise DatasetError(f'{place}: no field "{name}"')
    yield _row(place, fields)


def _from_nested(place: str, fields: dict[str, Any], ratings: object) -> Iterator[Judgement]:
    """Read the ratings inside a query: {document: rating} or [{"doc_id": ..., "rating": ...}]."""
    place = f"{place}, query {fields['query']!r}"
    if ratings is None or ratings in ({}, []):
        yield _row(place, {**fields, "document": "", "rating": None})
    elif isinstance(ratings, dict):
        for document, rating in ratings.items():
            yield _row(place, {**fields, "document": document, "rating": rating})
    elif isinstance(ratings, list) and all(isinstance(one, dict) for one in ratings):
        for one in ratings:
            columns, _ = find_columns(one, JUDGEMENT_NAMES)
            found = {noun: one[name] for noun, name in columns.items()}
            if "document" not in found or "rating" not in found:
                raise DatasetError(f'{place}: a rating has the fields "doc_id" and "rating"')
            yield _row(place, {**fields, **found})
    else:
        raise DatasetError(f'{place}: "ratings" maps each document to its rating')


def _row(place: str, fields: dict[str, Any]) -> Judgement:
    query = _text(place, "query", fields["query"])
    document = _text(place, "doc_id", fields["document"])
    rating = _rating(place, document, fields["rating"])
    if not query:
        raise DatasetError(f"{place}: the query is empty")
    if not document and rating is not None:
        raise DatasetError(f"{place}: a rating ({rating}) without the id of a document")
    return Judgement(
        place,
        query,
        document,
        rating,
        _text(place, "group", fields.get("group")) or None,
        _text(place, "query_id", fields.get("query_id")) or None,
    )


def _text(place: str, name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise DatasetError(f'{place}: "{name}" is {json.dumps(value)}; it has to be text')
    text = str(value).strip()
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DatasetError(f"{place}: {name} {text!r} holds half of a surrogate pair") from error
    if name != "query" and any(sign in text for sign in "\t\n\r\0"):
        raise DatasetError(
            f"{place}: {name} {text!r} holds a tab or a line end, which no qrels can hold"
        )
    return text


def _rating(place: str, document: str, value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    written = "" if value is None else str(value).strip()
    if not written:
        return None
    if isinstance(value, (str, int)) and not isinstance(value, bool) and _RATING.fullmatch(written):
        return int(written.partition(".")[0])
    if _NUMBER.fullmatch(written):
        raise DatasetError(
            f"{place}: the rating {written} of {document!r} is no whole number; scale the ratings,"
            " for example by doubling all of them"
        )
    raise DatasetError(
        f"{place}: the rating {written!r} of {document!r} is no number; ratings are whole numbers,"
        " and blank where nobody rated"
    )
