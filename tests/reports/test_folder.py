"""What a report's folder holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store
from pytest_beir.errors import ReportError
from pytest_beir.reports import folder, html
from pytest_beir.reports.story import compose

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.suite.run import SuiteRun
    from tests.conftest import Lab
    from tests.reports.conftest import Factory


def test_every_form_of_the_report_is_written(realistic_run: SuiteRun, tmp_path: Path) -> None:
    story = compose(realistic_run)
    folder.write(story, tmp_path)
    names = {name for renderer in folder.RENDERERS for name in renderer.files(story)}
    assert {file.name for file in tmp_path.iterdir()} == names
    assert {"beir.json", "beir.md"} <= names


def test_a_report_in_the_place_of_an_older_one_has_its_own_scores_alone(
    make: Factory, lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "is_available", lambda: False)
    home = tmp_path / "report"
    for number, name in enumerate(("older", "newer", "newest")):
        run = make.run(make.evaluation(name, "unchanged", make.metric(0.5, 0.5, "unchanged")))
        scores = lab.baseline(lab.measurement(name=name))
        folder.replace(compose(run), home, scores=[scores] if number < 2 else ())
        stored = [key.dataset for key in store.stored(home / folder.SCORES)]
        assert stored == ([name] if number < 2 else [])
        assert f'"{name}"' in (home / "beir.json").read_text()
        assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_folder_that_cannot_be_written_is_named(realistic_run: SuiteRun, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ReportError, match=re.escape(str(tmp_path / "file"))):
        folder.write(compose(realistic_run), tmp_path / "file")


def test_half_a_surrogate_pair_is_written_as_json_writes_it(tmp_path: Path) -> None:
    folder.write_files({"sub/note.txt": "half \ud800"}, tmp_path)
    assert (tmp_path / "sub" / "note.txt").read_bytes() == b"half \\ud800"
