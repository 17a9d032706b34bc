"""Judgements read many lines at a time, where every line is plain; nothing is said about faults.

Plain is what BEIR's files are: three columns separated by tabs, whole grades, ids that are not
empty, each pair once. Whoever asked reads the rest line by line, which finds the line of a fault.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from pytest_beir.files.lines import BYTE_ORDER_MARK, opened_pieces

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Qrels = dict[str, dict[str, int]]

GRADE = re.compile(r"[+-]?[0-9]{1,9}")
# Three columns, and the mark that stands for the line's end.
_WIDTH = 4
_END = "\x00"


def plain_qrels(file: Path, is_header: Callable[[list[str]], bool]) -> Qrels | None:
    """{query id: {document id: grade}} in the order of the file; None where a line is not plain.

    Raises:
        DatasetError: the file cannot be read at all.

    """
    qrels: Qrels = {}
    grades: dict[str, int] = {}
    is_first = True
    with opened_pieces(file) as pieces:
        for piece in pieces:
            try:
                text = (piece.removeprefix(BYTE_ORDER_MARK) if is_first else piece).decode()
            except UnicodeDecodeError:
                return None
            if is_first:
                is_first = False
                first, _, rest = text.partition("\n")
                if is_header(first.removesuffix("\r").split("\t")):
                    text = rest
            if text and not _add_all(qrels, text, grades):
                return None
    return qrels


def _add_all(qrels: Qrels, text: str, grades: dict[str, int]) -> bool:
    """Take in some whole lines, unless one is not plain; `grades` are those met so far."""
    lines = text.count("\n") + (not text.endswith("\n"))
    cells = [*text.removesuffix("\n").replace("\n", f"\t{_END}\t").split("\t"), _END]
    # Each fourth cell is a line's end, and there are no others: each line has three columns.
    if len(cells) != lines * _WIDTH or cells[_WIDTH - 1 :: _WIDTH] != [_END] * lines:
        return False
    queries, documents, written = cells[0::_WIDTH], cells[1::_WIDTH], cells[2::_WIDTH]
    new = set(written) - grades.keys()
    is_odd = "" in queries or "" in documents or _END in text or "\r" in text
    if is_odd or not all(map(GRADE.fullmatch, new)):
        return False
    grades.update((grade, int(grade)) for grade in new)
    start = 0
    for query, same in groupby(queries):
        stop = start + sum(1 for _ in same)
        judged = qrels.setdefault(query, {})
        expected = len(judged) + stop - start
        judged.update(
            zip(documents[start:stop], map(grades.__getitem__, written[start:stop]), strict=True)
        )
        if len(judged) != expected:
            return False
        start = stop
    return True
