"""A table with a header, as CSV, TSV or parquet: ranx, PyTerrier, data frames."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RunFileError
from pytest_beir.files.parquet import parquet_lines
from pytest_beir.retrieval.run_forms.form import Run, RunForm, add

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

# Compared in lower case, with `-` for `_`.
_QUERIES = ("query-id", "q-id", "qid", "queryid", "query", "topic")
_DOCUMENTS = ("doc-id", "docid", "document-id", "docno", "corpus-id", "pid", "document")
_SCORES = ("score", "sim", "similarity")
_RANKS = ("rank", "position")


def _recognises(path: Path, first: bytes) -> bool:
    if path.suffix == ".parquet":
        return True
    names = _header(first)
    return _name(names, _QUERIES) is not None and _name(names, _DOCUMENTS) is not None


def _header(first: bytes) -> list[str]:
    line = first.decode("utf-8", "replace")
    try:
        return next(csv.reader([line], delimiter=_delimiter(line)), [])
    except csv.Error:  # a carriage return within the line
        return []


def _delimiter(line: str) -> str:
    return max("\t,;", key=line.count)


def _name(names: Iterable[str], known: Iterable[str]) -> str | None:
    by_plain = {name.strip().lower().replace("_", "-"): name for name in names}
    return next((by_plain[each] for each in known if each in by_plain), None)


def _read(path: Path, content: bytes) -> Run:
    run: Run = {}
    columns: tuple[str, str, str, bool] | None = None
    for number, row in _rows(path, content):
        place = f"{path}:{number}"
        columns = columns or _columns(place, row)
        query, document, value, is_rank = columns
        score = row[value]
        if is_rank:
            score = f"-{score}"
        if row[query] in (None, "") or row[document] in (None, ""):
            raise RunFileError(f"{place}: a row without a query's or a document's id")
        add(run, place, str(row[query]), str(row[document]), score)
    return run


def _columns(place: str, row: Mapping[str, Any]) -> tuple[str, str, str, bool]:
    query, document, score, rank = (
        _name(row, known) for known in (_QUERIES, _DOCUMENTS, _SCORES, _RANKS)
    )
    value = score or rank
    if query is None or document is None or value is None:
        raise RunFileError(
            f"{place}: a table of rankings has columns for the query's id, the document's id, and"
            f" a score or rank; there are: {', '.join(map(str, row))}"
        )
    return query, document, value, score is None


def _rows(path: Path, content: bytes) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if path.suffix == ".parquet":
        for number, line in enumerate(parquet_lines(path, RunFileError), 1):
            yield number, json.loads(line)
        return
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = content.count(b"\n", 0, error.start) + 1
        raise RunFileError(f"{path}:{bad}: not UTF-8; save the file as UTF-8") from None
    delimiter = _delimiter(text.partition("\n")[0])
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            if None in row or None in row.values():
                raise RunFileError(
                    f"{path}:{reader.line_num}: not as many cells as the header has columns"
                )
            yield reader.line_num, row
    except csv.Error as error:
        raise RunFileError(f"is not CSV: {error}", file=path, line=reader.line_num) from None


TABLE = RunForm(
    describes="a table with a header (CSV, TSV, parquet) of query, document, and score or rank",
    recognises=_recognises,
    read=_read,
)
