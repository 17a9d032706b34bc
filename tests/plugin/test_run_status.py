"""The report says how the run ended, and while it goes on that it does."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin.run_status import exit_code
from tests.plugin.conftest import RETRIEVER

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def searching(action: str, dataset: str = "beta") -> str:
    """A conftest whose retriever does something while it searches a dataset."""
    return RETRIEVER.replace(
        "        answer = {}",
        f"        answer = {{}}\n        if self.corpus.name == '{dataset}':\n            {action}",
    )


def told(project: Project) -> tuple[str, str]:
    """The status of `beir.json`, and the first words of `beir.md` after its heading."""
    page = (project.path / "report" / "beir.md").read_text().replace("\\", "")
    words = ("RUNNING", "PASSED", "FAILED", "INCOMPLETE", "NOTHING RAN")
    first = min((word for word in words if word in page), key=page.index, default="")
    return project.report()["status"], first


def alone(project: Project) -> int:
    """The status of a run in a process of its own, which a signal may end."""
    return project.apart("--beir", "--beir-report=report").ret


def interrupted(project: Project) -> None:
    """A run that is interrupted, which pytester passes on when it has ended."""
    with pytest.raises(KeyboardInterrupt):
        project.run("--beir-report=report")


def test_a_run_that_passes_says_so(project: Project) -> None:
    project.store()
    assert project.run("--beir-report=report").ret == 0
    assert told(project) == ("passed", "PASSED")
    assert project.report()["exit_status"] == 0


def test_a_killed_run_leaves_running_and_never_an_older_passed(project: Project) -> None:
    project.store()
    project.before("--beir-report=report")
    project.conftest(searching("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
    assert alone(project) == -signal.SIGKILL
    assert told(project) == ("running", "RUNNING")
    assert "1 of 2 datasets so far" in (project.path / "report" / "beir.md").read_text().replace(
        "\\", ""
    )


def test_a_run_killed_before_its_first_result_leaves_running(project: Project) -> None:
    project.store()
    project.before("--beir-report=report")
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    project.conftest(searching(kill, "alpha"))
    assert alone(project) == -signal.SIGKILL
    assert told(project) == ("running", "RUNNING")
    assert project.verdicts() == {}


def test_an_interrupt_is_said_and_never_passes(project: Project) -> None:
    project.store()
    project.conftest(searching("raise KeyboardInterrupt"))
    interrupted(project)
    assert told(project) == ("failed", "FAILED")
    assert "the run was interrupted" in (project.path / "report" / "beir.md").read_text().replace(
        "\\", ""
    )
    assert project.report()["exit_status"] == 2


def test_an_interrupt_after_a_regression_is_failed(project: Project) -> None:
    project.store()
    project.drop()
    project.conftest(searching("raise KeyboardInterrupt"))
    interrupted(project)
    assert told(project) == ("failed", "FAILED")


@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_a_run_that_stops_at_its_first_failure_is_failed(project: Project, option: str) -> None:
    project.store()
    project.drop()
    result = project.run(option, "--beir-report=report")
    assert result.ret in (1, 2)
    assert told(project) == ("failed", "FAILED")
    assert project.verdicts() == {"alpha": "regressed"}
    assert project.report()["did_not_run"][0]["dataset"] == "beta"


def test_a_collection_error_elsewhere_is_in_the_report(project: Project) -> None:
    project.store()
    (project.path / "own_test.py").write_text("import a_module_that_is_not_there\n")
    result = project.run("--beir-report=report")
    assert result.ret == 2
    assert told(project) == ("failed", "FAILED")
    assert "own_test.py could not be collected" in (
        project.path / "report" / "beir.md"
    ).read_text().replace("\\", "")


def test_a_failed_test_beside_the_suite_is_in_the_report(project: Project) -> None:
    project.store()
    (project.path / "own_test.py").write_text("def test_own(): assert False\n")
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert told(project) == ("failed", "FAILED")
    assert "own_test.py" in (project.path / "report" / "beir.md").read_text().replace("\\", "")


def test_a_suite_that_is_skipped_as_a_whole_is_failed(project: Project) -> None:
    project.store()
    project.conftest(RETRIEVER.replace("    return Canned()", "    pytest.skip('no GPU')"))
    assert project.run("--beir-report=report").ret == 1
    assert told(project) == ("failed", "FAILED")


def test_a_run_that_selects_nothing_did_not_pass(project: Project) -> None:
    project.store()
    assert project.run("-k", "gamma", "--beir-report=report").ret == 5
    status, first = told(project)
    assert status == "incomplete"
    assert first != "PASSED"


def test_a_suite_that_is_not_found_did_not_pass(project: Project) -> None:
    project.conftest("")
    assert project.run("--beir-report=report").ret == 4
    assert told(project)[0] == "incomplete"


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (SystemExit(), 0),
        (SystemExit(3), 3),
        (SystemExit("text"), "text"),
        (pytest.exit.Exception("enough"), None),
        (pytest.exit.Exception("enough", 0), 0),
    ],
)
def test_the_status_that_an_exception_ends_the_process_with(end: BaseException, code: Any) -> None:
    assert exit_code(end) == code
    assert (exit_code(end) is None) is (code is None)


def test_an_exit_without_a_status_is_0_for_python_and_none_for_pytest() -> None:
    assert exit_code(SystemExit()) == 0
    assert exit_code(SystemExit(3)) == 3
    assert exit_code(pytest.exit.Exception("no status")) is None
    assert exit_code(pytest.exit.Exception("a status", returncode=2)) == 2
    assert exit_code(KeyboardInterrupt()) is None
