"""Unusual ways to lay out a project and to call pytest in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_without_a_terminal_the_verdict_is_the_exit_status(project: Project) -> None:
    assert project.run("-p", "no:terminal", "--beir-update").ret == 0
    project.drop(20)
    assert project.run("-p", "no:terminal", "--beir-report=report").ret == 1
    assert project.verdicts() == {"alpha": "regressed", "beta": "regressed"}


@pytest.mark.parametrize(
    "option", ["--setup-plan", "--setup-only", "--collect-only", "--fixtures", "--markers"]
)
def test_what_only_shows_is_neither_green_nor_red(project: Project, option: str) -> None:
    result = project.run(option, "--beir-report=report")
    assert result.ret == 0
    assert "FAILED" not in result.stdout.str()
    assert not (project.path / "report").exists()


def test_showing_the_cache_is_no_empty_gate(project: Project) -> None:
    result = project.run("--cache-show")
    assert result.ret == 0
    assert "no test of the suite" not in result.stdout.str()


def test_what_is_said_of_an_empty_gate_fits_the_terminal(project: Project) -> None:
    project.conftest("", "a_folder_with_a_long_name/and_another_one")
    (project.path / "conftest.py").unlink()
    result = project.run("a_folder_with_a_long_name", COLUMNS="80")
    assert result.ret == 4
    lines = result.outlines[result.outlines.index(f"{' beir ':=^80}") :]
    assert lines[1].startswith("no test of the suite was collected")
    assert max(map(len, lines)) <= 80


def test_a_conftest_that_cannot_be_collected_is_the_reason_given(project: Project) -> None:
    project.conftest(
        "import pytest\n\n@pytest.fixture(params=[{}], ids=lambda value: value.nothing)\n"
        "def retriever(request): ...\n"
    )
    result = project.run()
    assert result.ret == 2
    result.stdout.fnmatch_lines(["ERROR conftest.py - ValueError: *id of parameter 'retriever'*"])
    assert "no test of the suite" not in result.stdout.str()


@pytest.mark.parametrize("folder", ["checks", "src/shop/evaluation"])
@pytest.mark.parametrize("mode", ["prepend", "append", "importlib"])
def test_every_import_mode_finds_a_suite_in_a_package(
    project: Project, folder: str, mode: str
) -> None:
    text = (project.path / "conftest.py").read_text()
    (project.path / "conftest.py").unlink()
    home = project.conftest(text, folder).parent
    project.ranks(folder=folder)
    for package in [home, *home.parents]:
        if package == project.path:
            break
        (package / "__init__.py").touch()
    result = project.run(f"--import-mode={mode}", "--beir-update")
    assert result.ret == 0
    assert {name.split("/")[0] for name in project.baselines()} == {folder.replace("/", "%2F")}
    one = project.run(f"--import-mode={mode}", f"{folder}/conftest.py::beir[beta]")
    one.assert_outcomes(passed=1)


def test_a_retriever_that_is_no_fixture_is_told_what_it_lacks(project: Project) -> None:
    project.conftest("def retriever():\n    return object()\n")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = " ".join(result.stdout.str().split())
    assert "in conftest.py `retriever` is a plain function; put @pytest.fixture" in told


def test_a_project_above_is_named_where_the_folder_is_taken_for_the_root(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project.path / "sub"
    folder.mkdir()
    for file in (project.path / "tox.ini", project.path / "beir.yaml"):
        file.unlink()
    monkeypatch.chdir(folder)
    result = project.run("--rootdir", str(folder))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "".join(result.stdout.str().split())
    assert "definesaretriever;runpytestin" in told
