"""A team's judgements from a file of any known form, as plain rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.content import read_content
from pytest_beir.inspection.golden.fields import (
    DOCUMENT,
    QUERY,
    RATING,
    REFERENCE,
    FieldNames,
    ranked,
)
from pytest_beir.inspection.golden.forms import form_of
from pytest_beir.inspection.golden.judgement import Judgement, not_whole
from pytest_beir.inspection.golden.queries import read_queries
from pytest_beir.inspection.golden.records import Request

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_beir.inspection.golden.forms.form import OwnDocuments
    from pytest_beir.inspection.golden.judgement import Scale

_BESIDE = ("queries.jsonl", "queries.tsv", "queries.json", "queries.csv", "topics.txt")


@dataclass(frozen=True)
class Judgements:
    """The rows of a file, the form they came in, and what the reader should know of the reading.

    `documents` are those that the file itself brings along, {id: (title, text)}.
    """

    rows: Sequence[Judgement]
    form: str
    told: Sequence[str] = ()
    documents: OwnDocuments | None = None


def read_judgements(
    path: Path,
    names: FieldNames | None = None,
    *,
    queries: Path | None = None,
    scale: Scale | None = None,
) -> Judgements:
    """The rows of a file of judgements, in its order.

    `names` are fields that the user named, `queries` a second file with texts by query id; one of
    the usual name beside the judgements is used where they hold ids alone, and named. `scale`
    makes grades of ratings that are not whole numbers.

    Raises:
        DatasetError: With the place of what is missing, malformed or not a whole number.

    """
    content = read_content(path, _makes_sense)
    form = form_of(content)
    request = Request(names or FieldNames())
    if queries is None and _has_ids_alone(content.records, names):
        queries = next((each for name in _BESIDE if (each := path.with_name(name)).is_file()), None)
        if queries is not None:
            request.told.append(f"texts of the queries from {queries}, which is next to the file")
    request.queries = read_queries(queries) if queries else None
    rows = list(form.read(content, request))
    if not rows:
        raise DatasetError(f"{path}: the file holds no judgement")
    if scale is not None:
        rows = _scaled(rows, scale, request.told)
    error = not_whole(rows)
    if error:
        raise error
    own = form.documents(content) if form.documents else None
    return Judgements(rows, form.name, tuple(request.told), own)


def _makes_sense(header: list[str]) -> bool:
    """Whether a table's header names judgements, under one of the delimiters."""
    names = [name for name in header if name]
    return len(names) > 1 and any(
        ranked(names, tiers) for tiers in (QUERY, DOCUMENT, RATING, REFERENCE)
    )


def _has_ids_alone(
    records: Sequence[tuple[str, dict[str, object]]], names: FieldNames | None
) -> bool:
    if not records or (names and names.query):
        return False
    return not any(ranked(record, QUERY) for _, record in records)


def _scaled(rows: Sequence[Judgement], scale: Scale, told: list[str]) -> list[Judgement]:
    grades: dict[Fraction, int] = {}
    scaled = []
    for row in rows:
        if row.rating is None:
            scaled.append(row)
            continue
        grade = scale.grade(row.place, row.rating)
        grades[Fraction(row.rating)] = grade
        scaled.append(replace(row, rating=grade))
    shown = [f"{float(rating):g} became {grade}" for rating, grade in sorted(grades.items())]
    more = f", and {len(shown) - 8} more" if len(shown) > 8 else ""  # noqa: PLR2004
    told.append(f"ratings: {', '.join(shown[:8])}{more}")
    return scaled
