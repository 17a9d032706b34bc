"""A run file read a block at a time: many lines by few calls, and nothing said about faults.

A file of a million lines is read several times as fast as line by line. What is not plain (a
line without six columns, a score that is not a number, a document twice, bytes that are not
UTF-8) ends the fast reading: whoever asked then reads line by line, which finds file and line.
"""

from __future__ import annotations

from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Six columns and the mark that stands for the line's end.
_WIDTH = 7
_END = b"\x00"

Ranking = dict[str, float]


def plain_run(
    pieces: Iterable[bytes],
    wanted: Collection[str] | None,
    cut: Callable[[Ranking], Ranking] | None = None,
) -> dict[str, Ranking] | None:
    """{query id: {document id: score}} in the order of the file, None where a line is not plain.

    `pieces` are the file's, each of whole lines. `wanted` are the queries to keep (None keeps all).
    `cut` shortens the ranking of a query once all its lines were read; a query whose lines are
    apart is not plain then, since a document that was cut off could come again unseen.
    """
    run: dict[str, Ranking] = {}
    finished: set[str] = set()
    last: str | None = None
    mark = _BYTE_ORDER_MARK
    for piece in pieces:
        block = piece.removeprefix(mark)
        mark = b""
        columns = _columns(block)
        if columns is None:
            return None
        queries, documents, scores = columns
        start = 0
        for query, lines in groupby(queries):
            stop = start + sum(1 for _ in lines)
            part = slice(start, stop)
            start = stop
            if wanted is not None and query not in wanted:
                continue
            if cut is not None and query != last:
                if query in finished:
                    return None
                if last is not None:
                    run[last] = cut(run[last])
                    finished.add(last)
                last = query
            ranking = run.setdefault(query, {})
            expected = len(ranking) + part.stop - part.start
            ranking.update(zip(documents[part], scores[part], strict=True))
            if len(ranking) != expected:
                return None
    if cut is not None and last is not None:
        run[last] = cut(run[last])
    return run


def _columns(block: bytes) -> tuple[list[str], list[str], list[float]] | None:
    """The queries, documents and scores of whole lines, None where one of them is not plain."""
    if _END in block or (b"\t" in block and b" " in block):
        return None
    tokens = block.replace(b"\n", b" \x00 ").split()
    if not block.endswith(b"\n"):
        tokens.append(_END)
    # Each seventh word is a line's end, and there are no others: each line has six columns.
    if len(tokens) % _WIDTH or tokens[_WIDTH - 1 :: _WIDTH] != [_END] * block.count(
        b"\n", 0, -1
    ) + [_END]:
        return None
    try:
        queries, documents = (
            b"\n".join(tokens[column::_WIDTH]).decode("utf-8").split("\n") for column in (0, 2)
        )
        numbers = b"\n".join(tokens[4::_WIDTH]).decode("ascii").split("\n")
        if b"_" in block and any("_" in number for number in numbers):  # only Python reads 1_0
            return None
        scores = list(map(float, numbers))
    except ValueError:
        return None
    return (queries, documents, scores) if isfinite(sum(scores)) else None
