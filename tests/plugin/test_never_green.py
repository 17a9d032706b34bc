"""A gate that measured nothing is never green."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_nothing_found_is_a_usage_error(both: Project) -> None:
    both.conftest("")
    result = both.run()
    assert result.ret == 4
    result.stdout.fnmatch_lines(["*no test of the suite was collected*"])


def test_a_conftest_outside_the_named_paths_is_named(project: Project) -> None:
    (project.path / "tests").mkdir()
    (project.path / "tests" / "test_own.py").write_text("def test_own(): pass\n")
    result = project.run("tests/")
    assert result.ret == 4
    result.stdout.fnmatch_lines(["*conftest.py defines a retriever*"])


def test_beir_in_addopts_with_named_paths_is_one_yellow_line(project: Project) -> None:
    (project.path / "tox.ini").write_text("[pytest]\naddopts = --beir\n")
    (project.path / "tests").mkdir()
    (project.path / "tests" / "test_own.py").write_text("def test_own(): pass\n")
    result = project.plain("tests/")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*--beir is set, but nothing under the named paths is a suite*"])


def test_a_skip_inside_the_retriever_is_not_green(project: Project) -> None:
    project.conftest(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    pytest.importorskip('a_module_that_is_not_there')\n"
    )
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir-verdict*none of 2 tests*"])
    result.stdout.fnmatch_lines(["did not run*alpha and beta: skipped: could not import*"])


def test_everything_deselected_is_pytests_own_status(project: Project) -> None:
    result = project.run("-k", "gamma")
    assert result.ret == 5
    result.stdout.fnmatch_lines(["*0 of 2 datasets ran*"])


def test_a_skipped_dataset_is_named(project: Project) -> None:
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text
        + "\n@pytest.fixture(autouse=True)\ndef _skip(request):\n"
        + "    if 'beta' in request.node.name:\n        pytest.skip('no time')\n"
    )
    result = project.run("--beir-report=report")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*did not run*beta*no time*"])
    assert project.verdicts() == {"alpha": "unchanged"}
    assert project.report()["did_not_run"][0]["dataset"] == "beta"


def test_an_xfailed_regression_counts_as_not_run(project: Project) -> None:
    project.store()
    project.drop(20)
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text
        + "\ndef pytest_collection_modifyitems(items):\n"
        + "    for item in items:\n        item.add_marker(pytest.mark.xfail)\n"
    )
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*did not run*xfailed*"])


def test_a_retriever_that_raises_in_its_fixture_is_an_error(project: Project) -> None:
    project.conftest(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    raise RuntimeError('no such model')\n"
    )
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "error", "beta": "error"}
    assert "no such model" in project.report()["results"][0]["reason"]


def test_a_worker_that_dies_loses_its_dataset_by_name(spread: Project) -> None:
    spread.store()
    text = (spread.path / "conftest.py").read_text()
    spread.conftest(
        text.replace(
            "        answer = {}",
            "        if self.corpus.name == 'beta':\n"
            "            import os\n            os._exit(0)\n"
            "        answer = {}",
        )
    )
    result = spread.run("--beir-report=report")
    assert result.ret == 1
    assert spread.verdicts() == {"alpha": "unchanged"}
    result.stdout.fnmatch_lines(["*did not run*beta*"])
    assert spread.report()["status"] == "failed"
    assert "FAILED" in (spread.path / "report" / "beir.md").read_text()
