"""A gate that measured nothing is never green."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_nothing_found_is_a_usage_error(both: Project) -> None:
    both.conftest("")
    result = both.run()
    assert result.ret == 4
    result.stdout.fnmatch_lines(["*no test of the suite was collected*"])


def test_a_conftest_outside_the_named_paths_is_named(both: Project) -> None:
    (both.path / "tests").mkdir()
    (both.path / "tests" / "test_own.py").write_text("def test_own(): pass\n")
    result = both.run("tests/")
    assert result.ret == 4
    result.stdout.fnmatch_lines(["*conftest.py defines a retriever*"])


def test_beir_in_addopts_with_named_paths_is_one_yellow_line(both: Project) -> None:
    (both.path / "tox.ini").write_text("[pytest]\naddopts = --beir\n")
    (both.path / "tests").mkdir()
    (both.path / "tests" / "test_own.py").write_text("def test_own(): pass\n")
    result = both.plain("tests/")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*--beir is set, but nothing under the named paths is a suite*"])


def test_a_skip_inside_the_retriever_is_not_green(both: Project) -> None:
    both.conftest(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    pytest.importorskip('a_module_that_is_not_there')\n"
    )
    result = both.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir-verdict*none of 2 tests*"])
    result.stdout.fnmatch_lines(["did not run*alpha and beta: skipped: could not import*"])


def test_everything_deselected_is_pytests_own_status(both: Project) -> None:
    result = both.run("-k", "gamma")
    assert result.ret == 5
    result.stdout.fnmatch_lines(["*0 of 2 datasets ran*"])


def test_a_skipped_dataset_is_named(both: Project) -> None:
    both.store()
    text = (both.path / "conftest.py").read_text()
    both.conftest(
        text
        + "\n@pytest.fixture(autouse=True)\ndef _skip(request):\n"
        + "    if 'beta' in request.node.name:\n        pytest.skip('no time')\n"
    )
    result = both.run("--beir-report=report")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*did not run*beta*no time*"])
    assert both.verdicts() == {"alpha": "unchanged"}
    assert both.report()["did_not_run"][0]["dataset"] == "beta"


def test_an_xfailed_regression_counts_as_not_run(both: Project) -> None:
    both.store()
    both.drop(20)
    text = (both.path / "conftest.py").read_text()
    both.conftest(
        text
        + "\ndef pytest_collection_modifyitems(items):\n"
        + "    for item in items:\n        item.add_marker(pytest.mark.xfail)\n"
    )
    result = both.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*did not run*xfailed*"])


def test_a_retriever_that_raises_in_its_fixture_is_an_error(both: Project) -> None:
    both.conftest(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef retriever():\n"
        "    raise RuntimeError('no such model')\n"
    )
    result = both.run("--beir-report=report")
    assert result.ret == 1
    assert both.verdicts() == {"alpha": "error", "beta": "error"}
    assert "no such model" in both.report()["results"][0]["reason"]


def test_a_worker_that_dies_loses_its_dataset_by_name(both: Project) -> None:
    if not both.workers:
        pytest.skip("a crash of the only process is the end of the run")
    both.store()
    text = (both.path / "conftest.py").read_text()
    both.conftest(
        text.replace(
            "        answer = {}",
            "        if self.corpus.name == 'beta':\n"
            "            import os\n            os._exit(3)\n"
            "        answer = {}",
        )
    )
    result = both.run("--beir-report=report")
    assert result.ret == 1
    assert both.verdicts() == {"alpha": "unchanged"}
    result.stdout.fnmatch_lines(["*did not run*beta*"])
