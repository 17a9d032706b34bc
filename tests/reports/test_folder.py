"""What a report's folder holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ReportError
from pytest_beir.reports import folder
from pytest_beir.reports.story import compose

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.suite.run import SuiteRun


def test_every_form_of_the_report_is_written(realistic_run: SuiteRun, tmp_path: Path) -> None:
    story = compose(realistic_run)
    folder.write(story, tmp_path)
    names = {name for renderer in folder.RENDERERS for name in renderer.files(story)}
    assert {file.name for file in tmp_path.iterdir()} == names
    assert {"beir.json", "beir.md"} <= names


def test_a_folder_that_cannot_be_written_is_named(realistic_run: SuiteRun, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ReportError, match=re.escape(str(tmp_path / "file"))):
        folder.write(compose(realistic_run), tmp_path / "file")


def test_half_a_surrogate_pair_is_written_as_json_writes_it(tmp_path: Path) -> None:
    folder.write_files({"sub/note.txt": "half \ud800"}, tmp_path)
    assert (tmp_path / "sub" / "note.txt").read_bytes() == b"half \\ud800"
