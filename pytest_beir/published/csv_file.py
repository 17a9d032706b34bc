"""Scores from a CSV file: a row for each score, or a row for each model and a column a dataset."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_beir.datasets.dataset_names import dataset_name, is_known, official_split
from pytest_beir.errors import ScoresFileError
from pytest_beir.files.content import read_text
from pytest_beir.published.score import Reading, Score, listed, metric_name, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

COLUMNS = ("model", "dataset", "split", "metric", "value")
REVISION = "revision"
_SHOWN = 10
_WHY = {
    "split": "two splits of a dataset are two datasets",
    "metric": "two metrics cannot be averaged",
}
_NOTHING = ("", "-", "–", "—", "n/a", "na", "nan", "none", "null")
_LINK = re.compile(r"\[(?P<text>[^\[\]]+)\]\([^()]*\)")  # how leaderboards export a model's name


@dataclass(frozen=True)
class TableShape:
    """How a table of scores is written: `wide` has a column for each dataset, all by `metric`."""

    wide: bool = False
    percent: bool = False
    metric: str = "nDCG@10"


def read_csv(path: Path, shape: TableShape | None = None) -> Reading:
    """The scores of a file; a model is its name, with `@revision` where that column is filled.

    Other columns are ignored, in a wide table with a note.

    Raises:
        ScoresFileError: It lists the first problems by file and line: missing columns, ragged
            rows, empty cells, values that are not numbers between 0 and 1 (or 0 and 100).

    """
    shape = shape or TableShape()
    header, rows = _rows(path)
    columns, notes = _datasets(path, header) if shape.wide else ({}, ())
    if not shape.wide:
        _check_header(path, header)
    scores: list[Score] = []
    problems: list[str] = []
    for line, row in rows:
        place = f"{path}:{line}"
        try:
            read = (
                _wide(columns, row, place, shape)
                if shape.wide
                else [_score(header, row, place, shape)]
            )
            scores.extend(read)
        except ValueError as error:
            problems.append(f"{place}: {error}")
    _refuse(problems)
    if not scores:
        raise ScoresFileError(f"{path}: holds no score below its header")
    return Reading(tuple(scores), notes)


def _rows(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header, and (line, cells) of every row that is not blank."""
    text = read_text(path, ScoresFileError)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    try:
        header = [name.strip() for name in next(reader, [])]
        rows = [(reader.line_num, [*map(str.strip, row)]) for row in reader if row]
    except csv.Error as error:
        raise ScoresFileError(f"is not CSV: {error}", file=path, line=reader.line_num) from None
    folded = [name.casefold() for name in header if name]
    twice = sorted({name for name in folded if folded.count(name) > 1})
    if twice:
        raise ScoresFileError(f"{path}:1: the column {twice[0]!r} is there twice")
    return header, rows


def _check_header(path: Path, written: Sequence[str]) -> None:
    header = [name.casefold() for name in written]
    missing = [name for name in COLUMNS if name not in header]
    if not missing:
        return
    datasets = [name for name in written if is_known(dataset_name(name.partition("@")[0]))]
    if len(datasets) > 1:
        raise ScoresFileError(
            f"{path}:1: no column {', '.join(map(repr, missing))}, but one each for"
            f" {listed(datasets, 3)}: read it as a wide table with --wide (and --percent, if values"
            " go to 100)"
        )
    why = "".join(f"; {_WHY[name]}" for name in missing if name in _WHY)
    raise ScoresFileError(
        f"{path}:1: no column {', '.join(map(repr, missing))}{why}; the first line must name"
        f" {', '.join(COLUMNS)}, separated by commas (it is: {', '.join(header) or 'empty'})"
    )


def _score(header: Sequence[str], row: Sequence[str], place: str, shape: TableShape) -> Score:
    _check_width(header, row)
    cells = dict(zip((name.casefold() for name in header), row, strict=True))
    empty = [name for name in COLUMNS if not cells[name]]
    if empty:
        raise ValueError(f"no {' and no '.join(empty)}; fill it in, or leave the row out")
    revision = cells.get(REVISION)
    return Score(
        model=f"{cells['model']}@{revision}" if revision else cells["model"],
        dataset=dataset_name(cells["dataset"]),
        split=cells["split"],
        metric=metric_name(cells["metric"]),
        value=_value(cells["value"], shape),
        place=place,
    )


def _check_width(header: Sequence[str], row: Sequence[str]) -> None:
    if len(row) != len(header):
        raise ValueError(f"{len(row)} cells where the header has {len(header)}")


def _datasets(
    path: Path, header: Sequence[str]
) -> tuple[dict[int, tuple[str, str]], tuple[str, ...]]:
    """{column: (dataset, split)} of a wide table; the first column is the model's."""
    columns: dict[int, tuple[str, str]] = {}
    unused = []
    for place, name in enumerate(header[1:], 1):
        written, _, split = name.partition("@")
        dataset = dataset_name(written)
        if split or is_known(dataset):
            columns[place] = dataset, split or official_split(dataset) or "test"
        elif name:
            unused.append(name)
    if not columns:
        raise ScoresFileError(
            f"{path}:1: no column is named for a known dataset (there are: {listed(header)}); name"
            " one of your own with its split: docs@test"
        )
    note = f"{path.name}: columns that are not known datasets are not used: {listed(unused)}"
    return columns, (note,) if unused else ()


def _wide(
    columns: dict[int, tuple[str, str]], row: Sequence[str], place: str, shape: TableShape
) -> Iterator[Score]:
    if len(row) <= max(columns):
        raise ValueError(f"{len(row)} cells, too few for the header")
    model = _LINK.sub(lambda link: link["text"], row[0])
    if not model:
        raise ValueError("no model in the first column")
    for column, (dataset, split) in columns.items():
        if row[column].casefold() not in _NOTHING:
            value = _value(row[column], shape)
            yield Score(model, dataset, split, shape.metric, value, place)


def _value(written: str, shape: TableShape) -> float:
    if not shape.percent or "_" in written:  # which only Python reads as a part of a number
        return share(written)
    try:
        # In decimals, so that 56.1 % is .561 to the last digit.
        return share(str(Decimal(written.removesuffix("%").strip()) / 100))
    except ArithmeticError:  # not a number, or one beyond all bounds
        return share(written)


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        more = len(problems) - _SHOWN
        text = "\n".join(problems[:_SHOWN]) + (f"\nand {more} more" if more > 0 else "")
        raise ScoresFileError(text)
