"""Scores from a CSV file with the columns model, dataset, split, metric, value."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from pytest_beir.datasets.dataset_names import dataset_name
from pytest_beir.errors import ScoresFileError
from pytest_beir.published.score import Reading, Score, metric_name, share

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COLUMNS = ("model", "dataset", "split", "metric", "value")
REVISION = "revision"
_SHOWN = 10
_WHY = {
    "split": "two splits of a dataset are two datasets",
    "metric": "two metrics cannot be averaged",
}


def read_csv(path: Path) -> Reading:
    """The scores of a file; a model is its name, with `@revision` where that column is filled.

    Other columns are ignored. Raises ScoresFileError that lists the first problems by file and
    line: missing columns, ragged rows, empty cells, values that are no number between 0 and 1.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = [name.strip().casefold() for name in next(rows, [])]
            _check_header(path, header)
            scores: list[Score] = []
            problems: list[str] = []
            for row in rows:
                if row:
                    place = f"{path}:{rows.line_num}"
                    try:
                        scores.append(_score(header, row, place))
                    except ValueError as error:
                        problems.append(f"{place}: {error}")
    except UnicodeDecodeError as error:
        raise ScoresFileError(f"{path}: is not UTF-8 ({error.reason}); save it as UTF-8") from None
    except csv.Error as error:
        raise ScoresFileError(f"{path}:{rows.line_num}: is not CSV: {error}") from None
    except OSError as error:
        raise ScoresFileError(f"{path}: cannot be read: {error.strerror or error}") from None
    _refuse(problems)
    if not scores:
        raise ScoresFileError(f"{path}: holds no score below its header")
    return Reading(tuple(scores))


def _check_header(path: Path, header: Sequence[str]) -> None:
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        why = "".join(f"; {_WHY[name]}" for name in missing if name in _WHY)
        raise ScoresFileError(
            f"{path}:1: no column {', '.join(map(repr, missing))}{why}; the first line must name"
            f" {', '.join(COLUMNS)}, separated by commas (it is: {', '.join(header) or 'empty'})"
        )
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise ScoresFileError(f"{path}:1: the column {twice[0]!r} stands twice")


def _score(header: Sequence[str], row: Sequence[str], place: str) -> Score:
    if len(row) != len(header):
        raise ValueError(f"{len(row)} cells where the header has {len(header)}")
    cells = dict(zip(header, map(str.strip, row), strict=True))
    empty = [name for name in COLUMNS if not cells[name]]
    if empty:
        raise ValueError(f"no {' and no '.join(empty)}; fill it in, or leave the row out")
    revision = cells.get(REVISION)
    return Score(
        model=f"{cells['model']}@{revision}" if revision else cells["model"],
        dataset=dataset_name(cells["dataset"]),
        split=cells["split"],
        metric=metric_name(cells["metric"]),
        value=share(cells["value"]),
        place=place,
    )


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        more = len(problems) - _SHOWN
        text = "\n".join(problems[:_SHOWN]) + (f"\nand {more} more" if more > 0 else "")
        raise ScoresFileError(text)
