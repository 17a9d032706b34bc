"""The first pass over a corpus: where each document lies, its digests, and what is wrong."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from pytest_beir.datasets.fingerprint import DIGEST_SIZE, content_digest, id_digest
from pytest_beir.datasets.lines import BYTE_ORDER_MARK
from pytest_beir.datasets.problem import Problem
from pytest_beir.datasets.record import RecordError, parse_fast, read_id, read_record, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_beir.datasets.problem import Report


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
        """Give the line of a row, counted from 1."""
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
        if _add_plain(scan, start, line):
            continue
        if not line or line.isspace():
            scan.skipped.append(number)
            continue
        try:
            _add(scan, start, *read_document(line.rstrip(b"\r\n")))
        except RecordError as error:
            scan.skipped.append(number)
            report(Problem(error.code, path, number, str(error)))
    scan.size = offset
    return scan


def read_document(line: bytes) -> tuple[str, str, str]:
    """Give id, title ("" where it is missing or null) and text of one line of a corpus.

    Raises:
        RecordError: the line is no usable document.
    """
    record = read_record(line)
    return read_id(record), read_text(record, "title", default=""), read_text(record, "text")


def _add(scan: Scan, offset: int, identifier: str, title: str, text: str) -> None:
    if not text.strip() and not title.strip():
        scan.empty.append(len(scan.offsets))
    scan.id_digests += id_digest(identifier)
    scan.content_digests += content_digest(title, text)
    scan.ids += identifier.encode()
    scan.ids += b"\n"
    scan.offsets.append(offset)


def _add_plain(scan: Scan, offset: int, line: bytes) -> bool:
    """Do the work of `read_document` and `_add` for a line in order; False for any other.

    Five million calls for each helper would cost more than the parsing itself, so that this
    one is written out; a test holds that both ways agree.
    """
    try:
        record = parse_fast(line)
        identifier = record["_id"]
        text = record["text"]
        title = record.get("title", "")
        if (
            type(text) is not str
            or type(title) is not str
            or not text.strip()
            or not identifier
            or not identifier.isprintable()
        ):
            return False
        name = identifier.encode()
        content = f"{len(title)}:{title}{text}".encode()
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return False
    scan.id_digests += blake2b(name, digest_size=DIGEST_SIZE).digest()
    scan.content_digests += blake2b(content, digest_size=DIGEST_SIZE).digest()
    scan.ids += name
    scan.ids += b"\n"
    scan.offsets.append(offset)
    return True
