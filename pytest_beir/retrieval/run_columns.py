"""A run file read into columns with numpy and Arrow, and nothing said about faults.

It takes a third of the time and of the memory of dicts. Plain are six columns between single
blanks or tabs, the lines of a query together, each document once. What is not plain, or a missing
pyarrow, ends it: `run_blocks` takes more, and reading line by line finds file and line.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from pytest_beir.files.lines import BYTE_ORDER_MARK
from pytest_beir.scoring.ranking import order
from pytest_beir.scoring.ranking_table import RankingColumns, RankingTable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from numpy.typing import NDArray

_BLOCK = 1 << 19  # scoring takes a third less than by halves of it, and twice as much saves no more
_COLUMNS = 6
_BLANK, _TAB, _FEED = b" \t\n"


def plain_table(
    pieces: Iterable[bytes], wanted: Collection[str] | None, top_k: int
) -> RankingTable | None:
    """The best `top_k` documents of the wanted queries; None where a line is not plain.

    `pieces` are the file's, each of whole lines. `wanted` are the queries to keep (None keeps all).
    """
    if find_spec("pyarrow") is None:
        return None
    import pyarrow as pa

    parts: list[RankingColumns] = []
    seen: set[str] = set()
    rest = b""
    for block, is_last in _blocks(pieces):
        text = rest + block
        lines = _Lines.of(text)
        if lines is None:
            return None
        whole = len(lines.queries) - (not is_last)
        if not whole:  # one query fills a block
            return None
        if not seen.isdisjoint(lines.queries[:whole]) or len(set(lines.queries)) < len(
            lines.queries
        ):
            return None
        seen.update(lines.queries[:whole])
        part = lines.columns(whole, wanted, top_k)
        if part is None:
            return None
        if part.queries:
            parts.append(part)
        rest = b"" if is_last else text[lines.begins(whole) :]
    pa.default_memory_pool().release_unused()  # what the blocks took
    return RankingTable(parts)


def _blocks(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Larger pieces, each with a line end, and whether it is the last; no byte order mark."""
    held: list[bytes] = []
    size = 0
    is_first = True
    for piece in pieces:
        held.append(piece.removeprefix(BYTE_ORDER_MARK) if is_first else piece)
        is_first = False
        size += len(piece)
        if size > _BLOCK:
            *whole, last = held
            if whole:
                yield b"".join(whole), False
            held, size = [last], len(last)
    text = b"".join(held)
    if text:
        yield text if text.endswith(b"\n") else text + b"\n", True


class _Lines:
    """Some lines of six columns, by the places of the separators in them."""

    def __init__(self, text: bytes, ends: NDArray[np.int32]) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        self._buffer = pa.py_buffer(text)
        self._ends = ends.reshape(-1, _COLUMNS)
        self._starts = np.empty(len(self._ends), dtype=np.int32)  # of lines
        self._starts[0] = 0
        self._starts[1:] = self._ends[:-1, -1] + 1
        same = self._strings(self._starts, self._ends[:, 0])
        encoded = pc.run_end_encode(same)
        self.queries: list[str] = encoded.values.to_pylist()
        self._bounds = np.concatenate(([0], encoded.run_ends.to_numpy())).astype(np.intp)

    @classmethod
    def of(cls, text: bytes) -> _Lines | None:
        """The lines of a text, None where one has not six columns between single separators."""
        try:
            if not text.isascii():
                text.decode()
        except UnicodeDecodeError:
            return None
        signs = np.frombuffer(text, dtype=np.uint8)
        ends = np.flatnonzero(signs <= _BLANK).astype(np.int32)
        if len(ends) % _COLUMNS or not len(ends) or ends[0] == 0 or np.diff(ends).min() < 2:  # noqa: PLR2004  # an empty column
            return None
        separators = signs[ends].reshape(-1, _COLUMNS)
        inner = separators[:, :-1]
        is_plain = (separators[:, -1] == _FEED).all() and (
            (inner == _BLANK) | (inner == _TAB)
        ).all()
        return cls(text, ends) if is_plain else None

    def begins(self, row: int) -> int:
        """Where the lines of a query begin in the text."""
        return int(self._starts[self._bounds[row]])

    def columns(
        self, count: int, wanted: Collection[str] | None, top_k: int
    ) -> RankingColumns | None:
        """The rankings of the first `count` queries, as far as they are wanted and plain."""
        import pyarrow as pa

        last = self._bounds[count]
        ends = self._ends[:last]
        try:
            scores = self._strings(ends[:, 3] + 1, ends[:, 4]).cast(pa.float64()).to_numpy()
        except pa.ArrowInvalid:
            return None
        if not np.isfinite(scores).all():
            return None
        documents = self._strings(ends[:, 1] + 1, ends[:, 2]).dictionary_encode()
        found = RankingColumns(self.queries[:count], self._bounds[: count + 1], documents, scores)
        is_once = len(documents) == len(documents.dictionary)  # each document, over all queries
        if wanted is not None:
            found = found.of_queries(wanted)
        return None if not is_once and _has_twice(found) else _cut(found, top_k)

    def _strings(self, starts: NDArray[np.int32], ends: NDArray[np.int32]) -> Any:
        """Pieces of the text as an array of text."""
        import pyarrow as pa

        if not len(starts):
            return pa.array([], pa.string())
        offsets = np.empty(2 * len(starts), dtype=np.int32)
        offsets[0::2], offsets[1::2] = starts, ends
        # Each second one is what lies between two pieces.
        pieces = pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), self._buffer)
        return pieces.take(pa.array(np.arange(0, len(offsets) - 1, 2, dtype=np.int32)))


def _has_twice(columns: RankingColumns) -> bool:
    """Whether a query has a document a second time."""
    codes = columns.documents.indices.to_numpy()
    rows = np.repeat(np.arange(len(columns.queries)), np.diff(columns.bounds))
    keys = np.sort(rows * len(columns.documents.dictionary) + codes)
    return bool((keys[1:] == keys[:-1]).any())


def _cut(columns: RankingColumns, top_k: int) -> RankingColumns:
    """The best `top_k` lines of each query, as `order` ranks them."""
    if not len(columns.queries) or np.diff(columns.bounds).max() <= top_k:
        return columns
    lines = []
    for row, (start, stop) in enumerate(
        zip(columns.bounds[:-1].tolist(), columns.bounds[1:].tolist(), strict=True)
    ):
        if stop - start <= top_k:
            lines.append(np.arange(start, stop))
            continue
        with np.errstate(over="ignore"):
            single = columns.scores[start:stop].astype(np.float32)
        if (single[1:] < single[:-1]).all():
            lines.append(np.arange(start, start + top_k))
            continue
        ranking = columns.ranking(row)
        places = {document: place for place, document in enumerate(ranking, start)}
        lines.append(
            np.array([places[each] for each in order(ranking, depth=top_k)], dtype=np.intp)
        )
    return columns.taken(range(len(columns.queries)), lines)
