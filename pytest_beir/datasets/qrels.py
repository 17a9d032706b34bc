"""Judgements: `qrels/<split>.tsv` with or without a header, TREC's four columns, JSON Lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.datasets.lint import REPEATED
from pytest_beir.datasets.plain_qrels import GRADE, plain_qrels
from pytest_beir.datasets.record import read_record
from pytest_beir.errors import DatasetError
from pytest_beir.files.json_file import shortened_repr
from pytest_beir.files.lines import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_beir.datasets.lint import Report

Qrels = dict[str, dict[str, int]]
Row = tuple[int, tuple[str, str, str]]

COLUMNS = 3  # query, document, grade
TREC_COLUMNS = 4  # query, anything, document, grade

_LONGEST_GRADE = 40
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_GRADE_NAMES = {"score", "rel", "relevance", "grade", "label", "judgement", "judgment", "rating"}
# Names of a JSON object's fields, compared with `-` for `_`.
_QUERY_FIELDS = ("query-id", "qid", "queryid", "query", "topic", "q-id")
_DOCUMENT_FIELDS = ("corpus-id", "doc-id", "docid", "document-id", "pid", "docno", "passage-id")
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
                REPEATED,
                line,
                f"{pair} are judged twice (first in line {first}); delete one line, or"
                " count each once (`tolerant: true` of the dataset in beir.yaml, --tolerant)",
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
    """{query id: {document id: grade}} of the files of one split.

    Columns are separated by tabs (query, document, grade), without quoting; a header is
    recognised by its names. Four columns are TREC's (query, anything, document, grade),
    separated by tabs or blanks. Lines that begin with `#` and have no columns are comments. Ids are
    text, grades whole numbers. A parquet table, and JSON Lines, have the fields `query-id`,
    `corpus-id` and `score` (or `qid`, `doc_id`, `relevance`, …); without the
    last, every grade is 1.

    Raises:
        DatasetError: a file cannot be read at all.

    """
    qrels: Qrels = {}
    for file in files:
        kind = file.name.removesuffix(".gz").rpartition(".")[2]
        if not qrels and kind not in ("parquet", "jsonl"):
            qrels = plain_qrels(file, _is_header) or {}
            if qrels:
                continue
        reading = QrelsReading(file, report, qrels)
        rows = _records(reading) if kind in ("parquet", "jsonl") else _text_rows(reading)
        for number, (query, document, grade) in rows:
            if not query or not document:
                which = "query" if not query else "document"
                reading.fail("empty-id", number, f"the {which} id is empty")
            elif not GRADE.fullmatch(grade):
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
        if _is_comment(text):
            continue
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


def _is_comment(text: str) -> bool:
    """Whether a line is a remark: ids may begin with `#` too, but then columns follow."""
    if not text.startswith("#") or "\t" in text:
        return False
    cells = text.split()
    return len(cells) != TREC_COLUMNS or not GRADE.fullmatch(cells[-1])


def _records(reading: QrelsReading) -> Iterator[Row]:
    """The rows of a parquet table, or of JSON Lines."""
    for number, line in numbered_lines(reading.file):
        try:
            record = read_record(line)
        except DatasetError as error:
            reading.fail(error.kind or "malformed-line", number, error.explained)
            continue
        fields = {name.lower().replace("_", "-"): value for name, value in record.items()}
        query, document = (_first(fields, names) for names in (_QUERY_FIELDS, _DOCUMENT_FIELDS))
        if query is None or document is None:
            lacking = "query-id" if query is None else "corpus-id"
            there = ", ".join(record) or "none"
            reading.fail(
                "missing-field", number, f"the row has no value for {lacking!r}; there are: {there}"
            )
            continue
        grade = _first(fields, sorted(_GRADE_NAMES))
        if isinstance(grade, float) and grade.is_integer():
            grade = int(grade)  # a column of numbers may be stored as floating point
        yield number, (str(query), str(document), "1" if grade is None else str(grade))


def _first(fields: Mapping[str, object], names: Iterable[str]) -> object:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _is_header(cells: list[str]) -> bool:
    names = [cell.strip().lower().replace("_", "-") for cell in cells]
    return names[0] in _QUERY_NAMES and names[-1] in _GRADE_NAMES


def _bad_grade(number: int, grade: str) -> tuple[str, int, str]:
    if len(grade) > _LONGEST_GRADE or not _NUMBER.fullmatch(grade):
        return "malformed-grade", number, f"the grade {shortened_repr(grade)} is not a whole number"
    whole = float(grade)
    remedy = f"write {int(whole)}" if whole.is_integer() else "scale the grades to whole numbers"
    return (
        "fractional-grade",
        number,
        f"the grade {grade} is not written as a whole number; {remedy}",
    )
