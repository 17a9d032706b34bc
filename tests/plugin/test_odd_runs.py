"""Runs that are cut short, files that cannot be written, and two runs at once."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

REFUSING = Path("/proc/sys")


def test_one_baseline_that_cannot_be_written_keeps_no_other_back(project: Project) -> None:
    home = project.path / "baselines" / "retriever"
    (home / "alpha.yaml").mkdir(parents=True)
    (home / "alpha.yaml" / "full").touch()
    assert project.run("--beir-update", "--beir-report=report").ret == 1
    assert project.verdicts() == {"alpha": "error", "beta": "no baseline"}
    assert (home / "beta.yaml").is_file()


@pytest.mark.skipif(not REFUSING.is_dir(), reason="no folder here that refuses every file")
def test_a_baseline_that_the_disk_refuses_is_named_and_the_others_are_written(
    project: Project,
) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace('(scope="session")', "(params=['one', 'two'])").replace(
            "def retriever()", "def retriever(request)"
        )
    )
    home = project.path / "baselines"
    home.mkdir()
    (home / "one").symlink_to(REFUSING)
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["beir: *one/alpha.yaml: cannot be written*"])
    result.stdout.fnmatch_lines(["beir: *one/beta.yaml: cannot be written*"])
    result.stdout.fnmatch_lines(["BEIR: 0 passed*2 written*"])
    written = {path.name for path in (home / "two").iterdir()}
    assert written == {"alpha.queries.tsv", "alpha.yaml", "beta.queries.tsv", "beta.yaml"}


@pytest.mark.parametrize(
    "option",
    ["--beir-report=", "--beir-baselines=", "--beir-runs=", "--beir-cache=", "--beir-config="],
)
def test_an_empty_folder_is_a_usage_error(project: Project, option: str) -> None:
    result = project.run(option)
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*is empty: name one*"])
    assert not (project.path / "beir.json").exists()


def test_an_empty_list_of_flags_is_a_usage_error(project: Project) -> None:
    assert project.run("--beir-strict=").ret == 4


def test_a_report_folder_that_cannot_be_made_fails_the_run_and_keeps_its_verdicts(
    project: Project,
) -> None:
    project.store()
    result = project.run("--beir-report=beir.yaml/report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["BEIR: 2 passed*", "*beir.json: cannot be written*"])


def test_rankings_that_cannot_be_saved_are_named_without_a_traceback(project: Project) -> None:
    result = project.run("--beir-runs=beir.yaml/runs")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*beir.yaml/runs/retriever/alpha.trec: cannot be saved*"])
    assert "Traceback" not in result.stdout.str()


def _started(project: Project, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        project.alone("--beir", *arguments),
        cwd=project.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _wait_for(process: subprocess.Popen[bytes], *files: Path) -> None:
    while not all(file.exists() for file in files):
        assert process.poll() is None  # it ends by itself, though late
        time.sleep(0.05)


def test_a_run_that_is_stopped_before_any_result_leaves_no_older_report(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.before("--beir-update", "--beir-report=report")
    text = (project.path / "conftest.py").read_text()
    project.conftest(text.replace("        answer = {}", "        raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):  # pytester passes it on after the run
        project.run("--beir-report=report")
    assert project.report()["exit_status"] == 2
    assert project.verdicts() == {}
    assert "no test of the suite was collected" not in capsys.readouterr().out


def test_a_killed_run_leaves_whole_files_that_claim_nothing(project: Project) -> None:
    project.store()
    before = project.baselines()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            "        answer = {}",
            "        if self.corpus.name == 'beta':\n"
            "            (HERE / 'waiting').touch()\n"
            "            import time\n            time.sleep(60)\n"
            "        answer = {}",
        )
    )
    process = _started(project, "--beir-update", "--beir-report=report")
    scores = project.path / "report" / "scores" / "retriever" / "alpha.yaml"
    _wait_for(process, project.path / "waiting", scores)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert project.verdicts() == {"alpha": "unchanged"}
    reasons = {each["dataset"]: each["reason"] for each in project.report()["did_not_run"]}
    assert reasons == {"beta": "its test was not finished (stopped or crashed)"}
    assert project.baselines() == before


def test_two_runs_at_once_write_the_same_whole_files(project: Project) -> None:
    options = ["--beir-update", "--beir-report=report", "--beir-runs=runs", "--beir-cache=cache"]
    processes = [_started(project, *options) for _ in range(2)]
    outputs = [process.communicate()[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert project.run("--beir-report=after").ret == 0
    assert project.verdicts("after") == {"alpha": "unchanged", "beta": "unchanged"}
