"""Judgements: `qrels/<split>.tsv` with or without a header, or TREC's four columns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.datasets.lines import numbered_lines
from pytest_beir.datasets.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_beir.datasets.problem import Report

Qrels = dict[str, dict[str, int]]

_GRADE = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_GRADE_NAMES = {"score", "rel", "relevance", "grade", "label", "judgement", "judgment", "rating"}
_QUERY_NAMES = {"query-id", "query", "queryid", "qid", "topic", "topic-id", "q-id"}


@dataclass
class QrelsReading:
    """Builds {query id: {document id: grade}} row by row, and refuses what contradicts itself."""

    file: Path
    report: Report
    qrels: Qrels = field(default_factory=dict)
    _lines: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, line: int, query: str, document: str, grade: int) -> None:
        """Take one judgement; a second one of the same pair is an error with both lines."""
        grades = self.qrels.setdefault(query, {})
        earlier = grades.get(document)
        if earlier is None:
            grades[document] = grade
            self._lines[query, document] = line
            return
        first = self._lines[query, document]
        pair = f"query {query!r} and document {document!r}"
        if earlier == grade:
            self.fail(
                "duplicate-judgement",
                line,
                f"{pair} are judged twice (first in line {first}); delete one line",
            )
        else:
            self.fail(
                "conflicting-judgement",
                line,
                f"{pair} have the grades {earlier} (line {first}) and {grade}; keep one of them",
            )

    def fail(self, code: str, line: int | None, message: str) -> None:
        """Report an error of this file."""
        self.report(Problem(code, self.file, line, message))


def read_qrels(path: Path, report: Report) -> Qrels:
    """Give {query id: {document id: grade}} of one file of judgements.

    Columns are separated by tabs (query, document, grade), without quoting; a header is
    recognised by its names. Four columns are TREC's (query, anything, document, grade),
    separated by tabs or blanks. Ids are text, grades whole numbers.

    Raises:
        DatasetError: the file cannot be read at all.
    """
    reading = QrelsReading(path, report)
    for number, row in _rows(reading):
        query, document, grade = row
        if not query or not document:
            which = "query" if not query else "document"
            reading.fail("empty-id", number, f"the {which} id is empty")
        elif not _GRADE.fullmatch(grade):
            reading.fail(*_bad_grade(number, grade))
        else:
            reading.add(number, query, document, int(grade))
    if not reading.qrels:
        reading.fail("no-judgements", None, "the file holds no judgement")
    return reading.qrels


def _rows(reading: QrelsReading) -> Iterator[tuple[int, tuple[str, str, str]]]:
    is_first = True
    for number, line in numbered_lines(reading.file):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            reading.fail("not-utf-8", number, f"byte {error.start + 1} of the line is not UTF-8")
            continue
        cells = text.split("\t")
        if is_first:
            is_first = False
            if _is_header(cells):
                continue
        if len(cells) == 1:
            cells = text.split()
            if len(cells) == 3:  # noqa: PLR2004 - a blank may belong to an id
                reading.fail("malformed-line", number, "three columns are separated by tabs")
                continue
        if len(cells) == 4:  # noqa: PLR2004 - TREC's form, whose second column is unused
            del cells[1]
        if len(cells) != 3:  # noqa: PLR2004
            reading.fail(
                "malformed-line",
                number,
                f"{len(cells)} columns; expected query, document and grade separated by tabs",
            )
            continue
        yield number, (cells[0], cells[1], cells[2].strip())


def _is_header(cells: list[str]) -> bool:
    names = [cell.strip().lower().replace("_", "-") for cell in cells]
    return names[0] in _QUERY_NAMES and names[-1] in _GRADE_NAMES


def _bad_grade(number: int, grade: str) -> tuple[str, int, str]:
    if not _NUMBER.fullmatch(grade):
        return "malformed-grade", number, f"the grade {grade!r} is no whole number"
    whole = float(grade)
    remedy = f"write {int(whole)}" if whole.is_integer() else "scale the grades to whole numbers"
    return (
        "fractional-grade",
        number,
        f"the grade {grade} is not written as a whole number; {remedy}",
    )
