"""`beir.json`: a run for machines, the same text whatever order its datasets ran in.

`python -m pytest_beir.reports.json` prints the JSON Schema.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_beir.errors import ReportError
from pytest_beir.files.json_file import read_json
from pytest_beir.reports.report import Report
from pytest_beir.reports.report_of_run import first_complaint, report_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_beir.reports.story import Story

__all__ = ["NAME", "Report", "files", "read", "render", "schema"]

NAME = "beir.json"
_FORMAT = 1


def render(report: Report) -> str:
    """The text of the file: UTF-8, indented, without NaN, a line break at its end."""
    content = report.model_dump(mode="json")
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def files(story: Story) -> Mapping[str, str]:
    """{file name: content} of this report.

    Raises:
        ReportError: a number is not finite.

    """
    return {NAME: render(story.report or report_of(story.run))}


def read(path: Path) -> Report:
    """The report in a `beir.json`, or in the folder that holds one.

    Raises:
        ReportError: It is missing or malformed; names the file, the place in it, and what mends it.

    """
    file = path / NAME if path.is_dir() else path
    remedy = "make it again with `pytest --beir --beir-report=DIR`"
    try:
        content = read_json(file, ReportError)
    except ReportError as error:
        error.remedy = remedy
        raise
    if isinstance(content, dict) and content.get("format", _FORMAT) != _FORMAT:
        raise ReportError(
            f"{file}: format {content['format']!r}, where only {_FORMAT} is known; "
            "read it with the version of pytest-beir that wrote it"
        )
    try:
        return Report.model_validate(content)
    except ValidationError as error:
        raise ReportError(f"{file}: {first_complaint(error)}; {remedy}") from error


def schema() -> str:
    """The JSON Schema of `beir.json`, as published in the documentation."""
    content = Report.model_json_schema(mode="serialization")
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema())
