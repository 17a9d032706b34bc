"""`<dataset>.queries.tsv`: the scores per query, one line each.

Columns: `query-id`, the recorded metrics, `Judged@10`, `anchor:METRIC` for each but the latter,
`top10` (a JSON list of ids) and `judged` (a JSON list of [rank, id]).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from json.encoder import encode_basestring
from json.scanner import make_scanner
from math import isfinite
from operator import lt
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pytest_beir.errors import BaselineError
from pytest_beir.scoring.scorer import DEPTH, JUDGED, TOP, Scores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Baseline

ID = "query-id"
ANCHOR = "anchor:"
TOP10 = "top10"
JUDGED_RANKS = "judged"
_SCAN = make_scanner(cast("Any", json.JSONDecoder()))
_BREAKS = re.compile(r"[\t\n\r]")
_SIGNS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_CONFLICT = re.compile(rf"^(?:{'|'.join(map(re.escape, _SIGNS))})(?: .*)?\r?$", re.MULTILINE)


_Rows: TypeAlias = (
    "tuple[list[dict[str, float]], dict[str, tuple[str, ...]],"
    " dict[str, tuple[tuple[int, str], ...]]]"
)


@dataclass(frozen=True)
class QueriesTable:
    """The parsed file; see `Baseline` for the columns."""

    scores: Scores
    anchor: Mapping[str, Mapping[str, float]]
    sha256: str


def conflict_line(text: str) -> int | None:
    """The line of the first marker that an unresolved merge left in `text`, if there is one."""
    if not any(sign in text for sign in _SIGNS):  # nearly always, and ten times as fast
        return None
    found = _CONFLICT.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else None


def render(baseline: Baseline) -> str:
    """The file's text.

    Raises:
        BaselineError: An id or a score is one that no file may hold.

    """
    metrics = baseline.metrics
    header = (ID, *metrics, JUDGED, *(ANCHOR + m for m in metrics), TOP10, JUDGED_RANKS)
    queries = sorted(baseline.current[JUDGED])
    for query in queries:
        if not query or _BREAKS.search(query):
            raise BaselineError(
                f"the query id {query!r} is empty or holds a tab or line end, and no baseline can"
                " store it: rename the query"
            )
    vectors = [baseline.current[metric] for metric in (*metrics, JUDGED)]
    vectors += [baseline.anchor[metric] for metric in metrics]
    columns = [[float(vector[query]) for query in queries] for vector in vectors]
    for query, scores in zip(queries, zip(*columns, strict=True), strict=True):
        if not all(map(isfinite, scores)):
            raise BaselineError(f"query {query!r} has a score that is not finite: {[*scores]}")
    # As json.dumps(…, ensure_ascii=False) writes them.
    quote, top10, judged = encode_basestring, baseline.scores.top10, baseline.scores.judged
    firsts = [f"[{', '.join(map(quote, top10[query]))}]" for query in queries]
    ranks = [
        f"[{', '.join([f'[{rank}, {quote(document)}]' for rank, document in judged[query]])}]"
        for query in queries
    ]
    rows = zip(queries, *(map(repr, column) for column in columns), firsts, ranks, strict=True)
    text = "\n".join(["\t".join(header), *map("\t".join, rows)]) + "\n"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        wrong = text[max(0, error.start - 20) : error.end]
        raise BaselineError(f"an id is not valid Unicode, at {wrong!r}: rename it") from None
    return text


def digest(text: str) -> str:
    """SHA-256 (hex) of a table's text; line ends as git may convert them change nothing."""
    return sha256(_plain(text).encode("utf-8")).hexdigest()


def parse(text: str) -> QueriesTable:
    """The table in `text`, CRLF and a byte order mark tolerated.

    Raises:
        BaselineError: A line is malformed; it is named.

    """
    text = _plain(text)
    conflict = conflict_line(text)
    if conflict:
        raise BaselineError("a merge conflict is not resolved here", line=conflict)
    lines = text.split("\n")
    if lines.pop():
        raise BaselineError("the last line has no end: the file is cut off", line=len(lines) + 1)
    if not lines:
        raise BaselineError("the file is empty", line=1)
    metrics = _metrics(lines[0].split("\t"))
    width = 2 * len(metrics) + 4
    scores, top10, judged = _plain_rows(lines[1:], width) or _rows(lines[1:], width)
    names = (*metrics, JUDGED)
    return QueriesTable(
        Scores(
            dict(zip(names, scores[: len(names)], strict=True)),
            top10,
            judged,
            # What was answered has a first document.
            missing=tuple(query for query, ids in top10.items() if not ids),
            unjudged_queries=(),
        ),
        dict(zip(metrics, scores[len(names) :], strict=True)),
        digest(text),
    )


def _plain_rows(lines: list[str], width: int) -> _Rows | None:
    """The rows of a table without a fault, a column at a time; None where there is one."""
    if {line.count("\t") for line in lines} != {width - 1}:
        return None
    cells = "\t".join(lines).split("\t")
    queries = cells[0::width]
    if not all(map(lt, ["", *queries], queries)):
        return None
    try:
        columns = [list(map(float, cells[place::width])) for place in range(1, width - 2)]
        lists = [list(map(_json_value, cells[place::width])) for place in (-2 % width, -1 % width)]
    except (ValueError, RecursionError):
        return None
    top10, judged = lists
    if {*map(type, top10), *map(type, judged)} != {list}:
        return None
    pairs = list(chain.from_iterable(judged))
    if (
        not all(all(map(isfinite, column)) for column in columns)
        or max(map(len, top10)) > TOP
        or not {*map(type, chain.from_iterable(top10))} <= {str}
        or not {*map(type, pairs)} <= {list}
        or not {*map(len, pairs)} <= {2}
        or not {(type(rank), type(document)) for rank, document in pairs} <= {(int, str)}
        or not all(1 <= rank <= DEPTH for rank, _ in pairs)
    ):
        return None
    return (
        [dict(zip(queries, column, strict=True)) for column in columns],
        dict(zip(queries, map(tuple, top10), strict=True)),
        {q: tuple(map(tuple, each)) for q, each in zip(queries, judged, strict=True)},
    )


def _json_value(field: str) -> Any:
    """What json.loads gives for a field that begins and ends with its value."""
    try:
        value, end = _SCAN(field, 0)
    except StopIteration:
        raise ValueError(field) from None
    if end != len(field):
        raise ValueError(field)
    return value


def _rows(lines: list[str], width: int) -> _Rows:
    """The rows of a table one by one, which finds the line of a fault."""
    scores: list[dict[str, float]] = [{} for _ in range(width - 3)]
    top10: dict[str, tuple[str, ...]] = {}
    judged: dict[str, tuple[tuple[int, str], ...]] = {}
    previous = ""
    for number, line in enumerate(lines, 2):
        fields = line.split("\t")
        if len(fields) != width:
            raise BaselineError(f"{len(fields)} columns where the header has {width}", line=number)
        query = fields[0]
        if query in top10:
            raise BaselineError(f"the query {query!r} is given twice", line=number)
        if query <= previous:
            raise BaselineError(
                f"the query {query!r} is out of order, after {previous!r}", line=number
            )
        previous = query
        for column, field in zip(scores, fields[1:-2], strict=True):
            column[query] = _score(field, query, number)
        top10[query] = _ids(fields[-2], query, number)
        judged[query] = _ranks(fields[-1], query, number)
    return scores, top10, judged


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _metrics(header: list[str]) -> tuple[str, ...]:
    metrics = tuple(header[1 : header.index(JUDGED)]) if JUDGED in header else ()
    expected = [ID, *metrics, JUDGED, *(ANCHOR + metric for metric in metrics), TOP10, JUDGED_RANKS]
    if header != expected or not metrics or len(set(metrics)) != len(metrics):
        raise BaselineError(
            f"the header is not {ID}, the metrics, {JUDGED}, {ANCHOR}METRIC for each metric,"
            f" {TOP10}, {JUDGED_RANKS}, separated by tabs",
            line=1,
        )
    return metrics


def _score(field: str, query: str, line: int) -> float:
    try:
        value = float(field)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise BaselineError(f"query {query!r}: {field!r} is not a finite number", line=line)
    return value


def _json(field: str, query: str, line: int, column: str) -> list[Any]:
    try:
        value = json.loads(field)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, list):
        raise BaselineError(f"query {query!r}: the column {column} is not a JSON list", line=line)
    return value


def _ids(field: str, query: str, line: int) -> tuple[str, ...]:
    ids = _json(field, query, line, TOP10)
    if len(ids) > TOP or not all(isinstance(each, str) for each in ids):
        raise BaselineError(f"query {query!r}: {TOP10} is not a list of at most ten ids", line=line)
    return tuple(ids)


def _ranks(field: str, query: str, line: int) -> tuple[tuple[int, str], ...]:
    ranks = []
    for pair in _json(field, query, line, JUDGED_RANKS):
        match pair:
            case [int() as rank, str() as document] if rank is not True and 1 <= rank <= DEPTH:
                ranks.append((rank, document))
            case _:
                raise BaselineError(
                    f"query {query!r}: {pair!r} in {JUDGED_RANKS} is not [rank, document id]",
                    line=line,
                )
    return tuple(ranks)
