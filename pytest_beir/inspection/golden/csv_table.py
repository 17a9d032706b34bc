"""A CSV file as people save it: comma, semicolon or tab, quoted texts, a byte order mark."""

from __future__ import annotations

import csv
import io
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.files.content import decoded as content_decoded
from pytest_beir.files.lines import UTF16_MARKS, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DELIMITERS = (",", ";", "\t", "|")
_LONGEST = 1 << 30  # characters of one cell: a whole document may stand in it
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)  # what Excel writes and reads


@dataclass(frozen=True)
class CsvTable:
    """A header and rows: `rows` holds (line of the row's beginning, {column: cell}).

    Cells have no outer blanks; a missing cell is "". Rows that are blank throughout are left out.
    """

    file: Path
    header: tuple[str, ...]
    header_line: int
    rows: tuple[tuple[int, dict[str, str]], ...]


def read_csv(path: Path, is_fit: Callable[[list[str]], bool]) -> CsvTable:
    """Read the whole file, with the delimiter under which `is_fit` accepts the header.

    Where none does, the delimiter that makes most columns is taken, so that the caller can say
    which column is missing.

    Raises:
        DatasetError: not UTF-8, a quote that never closes, a row longer than the header.

    """
    text = read_text_file(path)
    skipped = 0
    stated = _SEPARATOR_LINE.match(text)
    if stated:
        text, skipped = text[stated.end() :], 1
    candidates = (stated[1],) if stated else DELIMITERS
    headers = {sign: _header(text, sign) for sign in candidates}
    delimiter = max(candidates, key=lambda sign: (is_fit(headers[sign]), len(headers[sign])))
    return _table(path, _records(path, text, delimiter, skipped))


def read_text_file(path: Path) -> str:
    """The file's text, without a byte order mark, line ends untouched.

    Raises:
        DatasetError: it cannot be read or is not UTF-8, with the line.

    """
    with opened(path) as lines:
        return decoded(path, b"".join(lines))


def decoded(path: Path, content: bytes) -> str:
    """The text of a file's bytes.

    Raises:
        DatasetError: It is not UTF-8, with the line.

    """
    if content.startswith(UTF16_MARKS):
        raise DatasetError("the file is UTF-16", file=path, line=1, remedy="save it as UTF-8")
    return content_decoded(content, path)


def _table(path: Path, records: list[tuple[int, list[str]]]) -> CsvTable:
    if not records:
        raise DatasetError(f"{path}: the file is empty; it needs a header and rows")
    (header_line, header), *rows = records
    twice = {name for name in header if name and header.count(name) > 1}
    if twice:
        raise DatasetError(f"{path}:{header_line}: the column {min(twice)!r} is there twice")
    filled = []
    for line, cells in rows:
        if any(cells[len(header) :]):
            raise DatasetError(
                f"{path}:{line}: {len(cells)} cells, the header has {len(header)}; a text that"
                ' holds the delimiter stands in double quotes: "a, b"'
            )
        padded = cells + [""] * (len(header) - len(cells))
        filled.append((line, dict(zip(header, padded, strict=False))))
    return CsvTable(path, tuple(header), header_line, tuple(filled))


def _header(text: str, delimiter: str) -> list[str]:
    """The first record that is not blank; [] where the delimiter makes no sense of it."""
    with _long_cells():
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            return next((cells for cells in map(_stripped, reader) if any(cells)), [])
        except csv.Error:
            return []


def _records(path: Path, text: str, delimiter: str, skipped: int) -> list[tuple[int, list[str]]]:
    """(line, cells) of every record that is not blank."""
    records = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = skipped + 1
    with _long_cells():
        try:
            for cells in map(_stripped, reader):
                if any(cells):
                    records.append((line, cells))
                line = skipped + reader.line_num + 1
        except csv.Error as error:
            raise DatasetError(
                f"{path}:{line}: broken quoting ({error}); a quote inside a quoted text is"
                ' written twice ("")'
            ) from error
    return records


def _stripped(cells: list[str]) -> list[str]:
    return [cell.strip() for cell in cells]


@contextmanager
def _long_cells() -> Iterator[None]:
    before = csv.field_size_limit(_LONGEST)
    try:
        yield
    finally:
        csv.field_size_limit(before)
