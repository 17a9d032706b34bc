"""A suite that vanishes fails the run, and is named."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin.lost_suites import _reason
from tests.plugin.conftest import RETRIEVER

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

ENDS = {
    "importorskip": "import pytest\npytest.importorskip('a_module_that_is_not_there')\n",
    "skip": "import pytest\npytest.skip('no GPU', allow_module_level=True)\n",
}
BREAKS = {
    "raises": "raise RuntimeError('no index')\n",
    "syntax error": "def (\n",
    "fails": "import pytest\npytest.fail('no server')\n",
    "exits": "import pytest\npytest.exit('no server', returncode=0)\n",
    "sys.exit": "import sys\nsys.exit(0)\n",
}


def suites(project: Project, *folders: str) -> Project:
    project.conftest("")
    for folder in folders:
        project.conftest(RETRIEVER, folder)
        project.ranks(folder=folder)
    project.store()
    return project


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("folder", ["two", "two/inner", "two/deeply/inner"])
def test_a_suite_whose_conftest_skips_is_a_failed_report(
    project: Project, end: str, folder: str
) -> None:
    suites(project, "one", folder)
    project.conftest(ENDS[end] + RETRIEVER, folder)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"FAILED conftest.py::beir-suite?{folder}/conftest.py?*"])
    result.stdout.fnmatch_lines(["BEIR: 2 passed*"])
    assert f"{folder}/conftest.py names a retriever" in project.report()["failures"][0]
    assert "FAILED" in (project.path / "report" / "beir.md").read_text()


def test_a_lost_suite_is_named_with_workers_too(spread: Project) -> None:
    suites(spread, "one", "two")
    spread.conftest(ENDS["skip"] + RETRIEVER, "two")
    result = spread.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-suite?two/conftest.py?*"])
    assert result.stdout.str().count("FAILED conftest.py::beir-suite") == 1


def test_a_conftest_that_skips_and_makes_no_retriever_is_the_users_own_affair(
    project: Project,
) -> None:
    suites(project, "one")
    project.conftest(ENDS["skip"], "two")
    assert project.run().ret == 0


def test_a_suite_under_a_folder_that_skips_is_lost_with_it(project: Project) -> None:
    suites(project, "one", "two/inner")
    project.conftest(ENDS["skip"], "two")
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-suite?two/inner/conftest.py?*"])


def test_a_suite_that_came_with_a_star_is_lost_with_the_file_it_came_from(
    project: Project,
) -> None:
    suites(project, "one")
    project.conftest("from nowhere_to_skip import *\n", "two")
    (project.path / "nowhere_to_skip.py").write_text(ENDS["importorskip"] + RETRIEVER)
    project.pytester.syspathinsert()
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-suite?two/conftest.py?*"])


@pytest.mark.parametrize("end", BREAKS)
def test_a_conftest_that_breaks_is_never_green(project: Project, end: str) -> None:
    suites(project, "one", "two")
    project.conftest(BREAKS[end] + RETRIEVER, "two")
    result = project.run("--beir-report=report")
    assert result.ret in (1, 2, 3)  # pytest calls a SystemExit there its own error
    assert project.report()["status"] in ("failed", "incomplete")
    assert "PASSED" not in (project.path / "report" / "beir.md").read_text()


@pytest.mark.parametrize("end", [*ENDS, "fails", "exits", "sys.exit"])
def test_a_root_conftest_that_ends_pytest_is_a_usage_error(project: Project, end: str) -> None:
    project.conftest({**ENDS, **BREAKS}[end] + RETRIEVER)
    result = project.run()
    assert result.ret == 4
    ours, pytests = "nothing of the suite could run", "ImportError while loading conftest"
    assert (pytests if end == "exits" else ours) in result.stderr.str()


def test_a_plugin_that_skips_and_would_make_a_retriever_is_lost(project: Project) -> None:
    suites(project, "one")
    (project.path / "brings_retriever.py").write_text(ENDS["importorskip"] + RETRIEVER)
    project.pytester.syspathinsert()
    result = project.run("-p", "brings_retriever")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-suite?brings_retriever?*"])


def test_the_reason_of_a_skip_is_its_own_with_the_line() -> None:
    report: Any = SimpleNamespace(longrepr=("/a/conftest.py", 3, "Skipped: not Skipped: here"))
    assert _reason(report) == "skipped: not Skipped: here (conftest.py, line 3)"
    failed: Any = SimpleNamespace(outcome="failed", longrepr="  first\nE   the last  \n")
    assert _reason(failed) == "failed while it was imported: E   the last"
    failed.longrepr = ""
    assert _reason(failed) == "failed while it was imported: no reason given"
