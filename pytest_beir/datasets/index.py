"""The index of a corpus: one file of sorted digests and byte offsets, read through memory maps.

Layout: a padded JSON header, then five sections without gaps, in the machine's byte order:
offsets (uint64, one per document and the file's size), the upper and the lower half of each id's
digest in ascending order (uint64 each), the rows in that order (uint32), the ids in the order of
the file, each followed by a line feed. Nothing of it becomes Python objects, so that opening an
index of millions costs no more than one of ten.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.datasets.fingerprint import corpus_fingerprint, id_digest
from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from pytest_beir.datasets.lint import Report
    from pytest_beir.datasets.scan import Scan

    Halves = npt.NDArray[np.uint64]
    Section = bytes | memoryview

FORMAT = f"1-{sys.byteorder}"
_HEADER_SIZE = 1024  # bytes, padded, so that the sections stay aligned
_BLOCK = 1 << 16  # pairs of digests hashed at a time


@dataclass(frozen=True)
class Summary:
    """What the header says: counts, the fingerprint, and which state of the file was read.

    `repeated` counts documents that have title and text of an earlier one, empty ones apart;
    `size` is that of the uncompressed lines, `state` and `scanned_ns` are the builder's.
    """

    documents: int
    empty: int
    repeated: int
    fingerprint: str
    size: int
    state: str
    scanned_ns: int


class CorpusIndex:
    """Finds a document's row by its id, and a row's bytes in the file."""

    def __init__(self, buffer: memoryview) -> None:
        """Take a whole index; raises ValueError where it is none of this format."""
        header = json.loads(bytes(buffer[:_HEADER_SIZE]))
        if not isinstance(header, dict) or header.pop("format", None) != FORMAT:
            raise ValueError("an index of another format")
        self.summary = Summary(**header)
        count = self.summary.documents
        sizes = (8 * (count + 1), 8 * count, 8 * count, 4 * count)
        places = np.cumsum((_HEADER_SIZE, *sizes)).tolist()
        if places[-1] > len(buffer):
            raise ValueError("the index is cut short")
        sections = [buffer[start:end] for start, end in pairwise(places)]
        self._offsets, self._high, self._low = (part.cast("Q") for part in sections[:3])
        self._rows: memoryview[int] = sections[3].cast("I")
        self._ids = buffer[places[-1] :]

    def __len__(self) -> int:
        return self.summary.documents

    def find(self, identifier: str) -> int | None:
        """The row of a document, None if no document has the id."""
        try:
            digest = id_digest(identifier.encode())
        except UnicodeEncodeError:
            return None
        high, low = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big")
        place = bisect_left(self._high, high)
        while place < len(self._high) and self._high[place] == high:
            if self._low[place] == low:
                return self._rows[place]
            place += 1
        return None

    def span(self, row: int) -> tuple[int, int]:
        """Where a document's line starts and where the next one does, in bytes."""
        return self._offsets[row], self._offsets[row + 1]

    def ids(self) -> Iterator[str]:
        """Yield all ids in the order of the file."""
        start, block = 0, 1 << 20
        rest = b""
        while start < len(self._ids):
            lines = (rest + self._ids[start : start + block]).split(b"\n")
            rest = lines.pop()
            yield from (line.decode() for line in lines)
            start += block


def sections(scan: Scan, report: Report, *, state: str, scanned_ns: int) -> Iterator[Section]:
    """Yield the index of a scanned corpus part by part, so that no two are held at once.

    Documents that share an id are reported first.
    """
    keys = _halves(scan.id_digests)
    order = _sort(keys)
    _report_twins(scan, keys, order, report)
    contents = _halves(scan.content_digests)
    raw_keys, raw_contents = keys.view(np.uint8), contents.view(np.uint8)  # in no byte order
    header = {
        "format": FORMAT,
        "documents": scan.documents,
        "empty": len(scan.empty),
        "repeated": _count_repeated(
            np.delete(contents, scan.empty, axis=0) if scan.empty else contents
        ),
        "fingerprint": corpus_fingerprint(
            np.concatenate([raw[rows] for raw in (raw_keys, raw_contents)], axis=1).tobytes()
            for rows in _blocks(order)
        ),
        "size": scan.size,
        "state": state,
        "scanned_ns": scanned_ns,
    }
    yield json.dumps(header).encode().ljust(_HEADER_SIZE)
    yield memoryview(scan.offsets)
    yield np.array([scan.size], dtype=np.uint64).data
    yield keys[order, 0].astype(np.uint64).data
    yield keys[order, 1].astype(np.uint64).data
    yield order.astype(np.uint32).data
    yield memoryview(scan.ids)


def _halves(digests: bytearray) -> Halves:
    return np.frombuffer(digests, dtype=">u8").reshape(-1, 2)


def _sort(keys: Halves) -> npt.NDArray[np.intp]:
    """The order of the digests; one sort by the first half nearly always decides."""
    order = np.argsort(keys[:, 0], kind="stable")
    ordered = keys[order, 0]
    if (ordered[1:] == ordered[:-1]).any():
        return np.lexsort((keys[:, 1], keys[:, 0]))
    return order


def _blocks(order: npt.NDArray[np.intp]) -> Iterator[npt.NDArray[np.intp]]:
    for start in range(0, len(order), _BLOCK):
        yield order[start : start + _BLOCK]


def _count_repeated(contents: Halves) -> int:
    ordered = np.sort(contents[:, 0])
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return 0
    is_candidate = np.isin(contents[:, 0].astype(np.uint64), twice.astype(np.uint64), kind="sort")
    candidates = contents[is_candidate]
    return len(candidates) - len(np.unique(candidates, axis=0))


def _report_twins(scan: Scan, keys: Halves, order: npt.NDArray[np.intp], report: Report) -> None:
    high = keys[order, 0]
    found = []
    for place in np.flatnonzero(high[1:] == high[:-1]).tolist():
        one, other = int(order[place]), int(order[place + 1])
        if (keys[one] == keys[other]).all():
            found.append((scan.line_of(other), scan.line_of(one)))
    for second, first in sorted(found):
        message = f"the id is on line {first} too; ids are unique, so rename or delete one"
        report(DatasetError(message, file=scan.path, line=second, kind="duplicate-id"))
