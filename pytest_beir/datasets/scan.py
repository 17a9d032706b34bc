"""The first pass over a corpus: where each document lies, its digests, and what is wrong."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.datasets.fingerprint import content_digest, id_digest
from pytest_beir.datasets.record import parse_fast, read_id, read_record, read_text
from pytest_beir.errors import DatasetError
from pytest_beir.files.lines import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_beir.datasets.lint import Report

Document = tuple[str, str, str]  # id, title, text


@dataclass
class Scan:
    """What one pass over `corpus.jsonl` finds; rows count the usable documents from 0."""

    path: Path
    offsets: array[int] = field(default_factory=lambda: array("Q"))
    ids: bytearray = field(default_factory=bytearray)  # each followed by a line feed
    id_digests: bytearray = field(default_factory=bytearray)
    content_digests: bytearray = field(default_factory=bytearray)
    empty: list[int] = field(default_factory=list)  # rows without title and text
    skipped: list[int] = field(default_factory=list)  # lines that are blank or unusable
    size: int = 0

    @property
    def documents(self) -> int:
        """How many documents were usable."""
        return len(self.offsets)

    def line_of(self, row: int) -> int:
        """The line of a row, counted from 1."""
        line = row + 1
        for skipped in self.skipped:
            if skipped > line:
                break
            line += 1
        return line


def scan_corpus(path: Path, lines: Iterable[bytes], report: Report) -> Scan:
    """Read a corpus once, from its uncompressed lines with their ends.

    `path` is what errors name. Unusable lines are reported and left out.
    """
    scan = Scan(path)
    offset = 0
    for number, line in enumerate(lines, 1):
        start = offset
        offset += len(line)
        if number == 1 and line.startswith(BYTE_ORDER_MARK):
            line = line.removeprefix(BYTE_ORDER_MARK)  # noqa: PLW2901
            start += len(BYTE_ORDER_MARK)
        if line.isspace() or not line:
            scan.skipped.append(number)
            continue
        try:
            _file(scan, start, *(_read_plain(line) or _read_carefully(line)))
        except DatasetError as error:
            scan.skipped.append(number)
            report(error.at(path, number))
    scan.size = offset
    return scan


def read_document(line: bytes) -> Document:
    """Id, title ("" where it is missing or null) and text of one line of a corpus.

    Raises:
        DatasetError: the line is no usable document.

    """
    return _read_plain(line) or _read_carefully(line)


def _read_carefully(line: bytes) -> Document:
    record = read_record(line.rstrip(b"\r\n"))
    return read_id(record), read_text(record, "title", default=""), read_text(record, "text")


def _read_plain(line: bytes) -> Document | None:
    """Read a line that is in order in the shortest way; None says nothing of what is wrong."""
    try:
        record = parse_fast(line)
        identifier = record["_id"]
        text = record["text"]
        title = record.get("title", "")
        if type(text) is not str or type(title) is not str or not identifier.isprintable():
            return None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    return (identifier, title, text) if identifier else None


def _file(scan: Scan, offset: int, identifier: str, title: str, text: str) -> None:
    try:
        name = identifier.encode()
        content = content_digest(title, text)
    except UnicodeEncodeError as error:
        raise DatasetError(
            "a text holds half of a surrogate pair; write the character itself",
            kind="malformed-json",
        ) from error
    if not text.strip() and not title.strip():
        scan.empty.append(len(scan.offsets))
    scan.id_digests += id_digest(name)
    scan.content_digests += content
    scan.ids += name
    scan.ids += b"\n"
    scan.offsets.append(offset)
