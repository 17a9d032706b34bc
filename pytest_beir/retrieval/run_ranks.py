"""Whether the rank column of a run file says the opposite of its scores, as for distances."""

from __future__ import annotations

from contextlib import suppress
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from pytest_beir.errors import RunFileError
from pytest_beir.files.lines import opened_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_COLUMNS = 6
# Bytes that are looked at: the scores of a file are of one kind.
_ENOUGH = 2**23


def reversed_ranks(path: Path) -> int:
    """How many queries have the opposite order in rank and score; 0 where not all of them have it.

    Queries without an order and lines that are not plain are left out, and only the beginning of a
    long file is read: up to the first query whose ranks follow its scores, if there is one.
    """
    contrary = 0
    with suppress(RunFileError), opened_pieces(path, RunFileError, by_content=True) as pieces:
        for _, lines in groupby(_lines(pieces), key=lambda line: line[0]):
            by_rank = sorted((rank, score) for _, rank, score in lines)
            steps = [
                (second[0] > first[0], second[1] - first[1]) for first, second in pairwise(by_rank)
            ]
            if not steps or not all(rises for rises, _ in steps) or not any(by for _, by in steps):
                continue
            if any(by < 0 for _, by in steps):
                return 0
            contrary += 1
    return contrary


def _lines(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, int, float]]:
    read = 0
    for piece in pieces:
        for line in piece.splitlines():
            columns = line.split()
            try:
                if len(columns) == _COLUMNS:
                    yield columns[0], int(columns[3]), float(columns[4])
            except ValueError:
                continue
        read += len(piece)
        if read > _ENOUGH:
            return
