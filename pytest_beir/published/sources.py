"""Where scores come from: a CSV file, a folder or file of MTEB's results, a `beir.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import ScoresFileError
from pytest_beir.files.json_file import read_json
from pytest_beir.published.beir_report import is_beir_report, read_beir_report
from pytest_beir.published.csv_file import COLUMNS, read_csv
from pytest_beir.published.mteb_results import read_mteb_results, read_mteb_task
from pytest_beir.published.score import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_beir.published.csv_file import TableShape

REPORT = "beir.json"


def read_scores(paths: Sequence[Path], shape: TableShape | None = None) -> Reading:
    """The scores of all paths together, in their order; `shape` is that of tables.

    Raises:
        ScoresFileError: A path fits no form, or is malformed.

    """
    readings = [_read(path, shape) for path in paths]
    return Reading(
        tuple(score for reading in readings for score in reading.scores),
        tuple(note for reading in readings for note in reading.notes),
    )


def _read(path: Path, shape: TableShape | None) -> Reading:
    if path.is_dir():
        report = path / REPORT
        if report.is_file():
            return read_beir_report(report, read_json(report, ScoresFileError))
        return read_mteb_results(path)
    if not path.exists():
        raise ScoresFileError(
            f"{path}: there is no such file; give a CSV file ({', '.join(COLUMNS)}), a folder of"
            f" MTEB's results, or a {REPORT}"
        )
    if path.suffix.lower() == ".json":
        content = read_json(path, ScoresFileError)
        is_report = is_beir_report(content)
        return read_beir_report(path, content) if is_report else read_mteb_task(path)
    return read_csv(path, shape)
