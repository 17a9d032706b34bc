"""Judgements: `qrels/<split>.tsv` with or without a header, or TREC's four columns."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.files.lines import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_beir.datasets.lint import Report

Qrels = dict[str, dict[str, int]]
Row = tuple[int, tuple[str, str, str]]

COLUMNS = 3  # query, document, grade
TREC_COLUMNS = 4  # query, anything, document, grade

_GRADE = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_GRADE_NAMES = {"score", "rel", "relevance", "grade", "label", "judgement", "judgment", "rating"}
_QUERY_NAMES = {"query-id", "query", "queryid", "qid", "topic", "topic-id", "q-id"}


@dataclass
class QrelsReading:
    """Builds {query id: {document id: grade}} row by row, and refuses what contradicts itself."""

    file: Path
    report: Report
    qrels: Qrels
    _lines: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, line: int, query: str, document: str, grade: int) -> None:
        """Take one judgement; a second one of the same pair is an error with both lines."""
        grades = self.qrels.setdefault(query, {})
        earlier = grades.get(document)
        if earlier is None:
            grades[document] = grade
            self._lines[query, document] = line
            return
        first = self._lines.get((query, document), "of another file")
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
        self.report(DatasetError(message, file=self.file, line=line, kind=code))


def read_qrels(files: tuple[Path, ...], report: Report) -> Qrels:
    """Give {query id: {document id: grade}} of the files of one split.

    Columns are separated by tabs (query, document, grade), without quoting; a header is
    recognised by its names. Four columns are TREC's (query, anything, document, grade),
    separated by tabs or blanks. Ids are text, grades whole numbers. A parquet table has the
    columns `query-id`, `corpus-id` and `score`; without the last, every grade is 1.

    Raises:
        DatasetError: a file cannot be read at all.

    """
    qrels: Qrels = {}
    for file in files:
        reading = QrelsReading(file, report, qrels)
        rows = _table_rows(reading) if file.suffix == ".parquet" else _text_rows(reading)
        for number, (query, document, grade) in rows:
            if not query or not document:
                which = "query" if not query else "document"
                reading.fail("empty-id", number, f"the {which} id is empty")
            elif not _GRADE.fullmatch(grade):
                reading.fail(*_bad_grade(number, grade))
            else:
                reading.add(number, query, document, int(grade))
    if not qrels:
        report(DatasetError("the file holds no judgement", file=files[0], kind="no-judgements"))
    return qrels


def _text_rows(reading: QrelsReading) -> Iterator[Row]:
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
            if len(cells) == COLUMNS:  # which of them a blank belongs to cannot be told
                reading.fail(
                    "malformed-line", number, "the three columns have to be separated by tabs"
                )
                continue
        if len(cells) == TREC_COLUMNS:
            del cells[1]
        if len(cells) != COLUMNS:
            reading.fail(
                "malformed-line",
                number,
                f"{len(cells)} columns; expected query, document and grade separated by tabs",
            )
            continue
        yield number, (cells[0], cells[1], cells[2].strip())


def _table_rows(reading: QrelsReading) -> Iterator[Row]:
    for number, line in numbered_lines(reading.file):
        row = json.loads(line)
        missing = [name for name in ("query-id", "corpus-id") if row.get(name) is None]
        if missing:
            reading.fail("missing-field", number, f"the row has no value for {missing[0]!r}")
            continue
        grade = row.get("score", 1)
        if isinstance(grade, float) and grade.is_integer():
            grade = int(grade)  # a column of numbers may be stored as floating point
        yield number, (str(row["query-id"]), str(row["corpus-id"]), str(grade))


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
