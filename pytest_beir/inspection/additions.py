"""An addition: judgements to be added to a split, such as a filled-in `to-judge` file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.datasets.qrels import COLUMNS, QrelsReading
from pytest_beir.files.lines import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from pytest_beir.datasets.lint import Report
    from pytest_beir.datasets.qrels import Qrels

_HEADER = "query-id"
_GRADE = re.compile(r"[+-]?[0-9]{1,9}")


@dataclass(frozen=True)
class Addition:
    """What a file would add: `judged` new judgements; `pending` rows are not yet judged."""

    judged: int
    pending: int


@dataclass(frozen=True)
class Target:
    """What is added to: the judgements of a split, and the ids that may be judged.

    `queries` and `documents` are None where there is nothing to check them against.
    """

    qrels: Qrels
    name: str
    queries: Container[str] | None
    documents: Container[str] | None


def check_addition(file: Path, target: Target, report: Report) -> Addition:
    """Read rows of query, document and grade, with tabs between them; a grade may be left blank.

    Reported are malformed rows, unknown ids, and pairs judged twice: within the file or by the
    split already.

    Raises:
        DatasetError: The file cannot be read at all.

    """
    reading = QrelsReading(file, report, {})
    pending = 0
    for number, query, document, grade in _rows(reading):
        problem = _problem(target, query, document, grade)
        if problem is not None:
            reading.fail(problem[0], number, problem[1])
        elif not grade:
            pending += 1
        else:
            reading.add(number, query, document, int(grade))
    return Addition(sum(map(len, reading.qrels.values())), pending)


def _rows(reading: QrelsReading) -> Iterator[tuple[int, str, str, str]]:
    for number, line in numbered_lines(reading.file):
        try:
            cells = line.decode().split("\t")
        except UnicodeDecodeError as error:
            reading.fail("not-utf-8", number, f"byte {error.start + 1} of the line is not UTF-8")
            continue
        if number == 1 and cells[0] == _HEADER:
            continue
        if len(cells) == COLUMNS - 1:
            cells.append("")  # an editor took the last tab away
        if len(cells) != COLUMNS:
            reading.fail(
                "malformed-line",
                number,
                f"{len(cells)} columns; expected query, document and grade separated by tabs",
            )
            continue
        yield number, cells[0], cells[1], cells[2].strip()


def _problem(target: Target, query: str, document: str, grade: str) -> tuple[str, str] | None:
    """The code and the text of what is wrong with a row, None if nothing is."""
    if grade and not _GRADE.fullmatch(grade):
        return (
            "malformed-grade",
            f"the grade {grade!r} is not a whole number; leave it empty for none",
        )
    if target.queries is not None and query not in target.queries:
        return "unknown-query", f"the dataset has no query {query!r}"
    if target.documents is not None and document not in target.documents:
        return "unknown-document", f"the corpus has no document {document!r}"
    earlier = target.qrels.get(query, {}).get(document)
    if earlier is None:
        return None
    pair = f"query {query!r} and document {document!r}"
    if grade and int(grade) != earlier:
        return (
            "conflicting-judgement",
            f"{pair} have the grade {earlier} in {target.name}, and {int(grade)} here; keep one",
        )
    return (
        "duplicate-judgement",
        f"{pair} are judged in {target.name} already; delete the line here",
    )
