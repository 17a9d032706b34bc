"""Quepid's exports: a case with nested ratings, a book with a rating by each rater."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pytest_beir.inspection.golden.fields import plain
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.judgement import Judgement, rating_of, text_of
from pytest_beir.inspection.golden.records import read_records
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.records import Request


def _is_case(content: Content) -> bool:
    return content.key == "queries" and content.have("ratings")


def _read_case(content: Content, request: Request) -> Iterator[Judgement]:
    yield from read_records(content.records, request, document=(("ratings",),), reference=())


def _is_book(content: Content) -> bool:
    if content.key == "query_doc_pairs":
        return True
    names = [plain(name) for name in content.first]
    known = {"query", "docid"} <= {*names[:2]} and len(names) > 2  # noqa: PLR2004
    return content.kind == "table" and known and all(_is_rater(name) for name in names[2:])


def _is_rater(name: str) -> bool:
    return "@" in name or name in ("unknown", "anonymous")


def _read_book(content: Content, request: Request) -> Iterator[Judgement]:
    raters: dict[str, None] = {}
    rounded = 0
    for place, record in content.records:
        ratings = {rater: value for rater, value in _ratings(record) if value not in (None, "")}
        raters.update(dict.fromkeys(ratings))
        query = text_of(place, "query", record.get("query_text", record.get("query")))
        document = text_of(place, "document's id", record.get("doc_id", record.get("docid")))
        grades = [rating_of(place, document, value) for value in ratings.values()]
        given = [Fraction(grade) for grade in grades if grade is not None]
        mean = sum(given) / len(given) if given else None
        rounded += len({*given}) > 1
        grade = None if mean is None else int((mean + Fraction(1, 2)) // 1)
        yield Judgement(place, query, document, grade)
    if rounded:
        pairs = plural(rounded, "pair")
        request.told.append(
            f"{pairs} of query and document rated differently by {plural(len(raters), 'rater')}:"
            " the mean counts, rounded to a whole number, a half up"
        )


def _ratings(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    judgements = record.get("judgements")
    if isinstance(judgements, list):
        by: defaultdict[str, int] = defaultdict(int)
        for one in judgements:
            if isinstance(one, dict) and not one.get("unrateable"):
                rater = str(one.get("user_email") or "unknown")
                by[rater] += 1
                yield f"{rater} {by[rater]}" if by[rater] > 1 else rater, one.get("rating")
        return
    yield from list(record.items())[2:]


QUEPID_CASE = GoldenForm(
    name="a case of Quepid",
    recognised_by="an object with `queries` that have `ratings`",
    recognises=_is_case,
    read=_read_case,
)
QUEPID_BOOK = GoldenForm(
    name="a book of Quepid",
    recognised_by="`query_doc_pairs`, or a table of query, docid and a column for each rater",
    recognises=_is_book,
    read=_read_book,
)
