"""`--beir-runs` and `--beir-resume`: a run that broke off goes on where it was."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from pytest_beir.retrieval.run_files import read_run

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

CONFIG = """
datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]
query_batch: 10
"""
WATCHED = """
        with open(HERE / "searches.txt", "a") as log:
            log.write(f"{self.corpus.name} {sorted(queries)[0]} {len(queries)}\\n")
        if (HERE / "broken").exists() and self.corpus.name == "beta" and "q20" in queries:
            raise OSError("the server is gone")
        answer = {}"""


@pytest.fixture
def watched(project: Project) -> Project:
    """A retriever of version 1 that logs its batches, and fails at beta's third if told to."""
    project.config(CONFIG)
    text = (project.path / "conftest.py").read_text()
    text = text.replace("\n        answer = {}", WATCHED)
    project.conftest(text.replace("    def index", '    version = "1"\n\n    def index'))
    project.store()
    searches(project)
    return project


def searches(project: Project) -> list[str]:
    """The batches that were searched since the last look."""
    path = project.path / "searches.txt"
    found = sorted(path.read_text().splitlines()) if path.exists() else []
    path.unlink(missing_ok=True)
    return found


def break_off(project: Project, *, confirming: int = 0) -> None:
    """Four batches of alpha, `confirming` ones because it is red, and three of beta."""
    (project.path / "broken").touch()
    assert project.before("--beir-runs=runs").ret == 1
    (project.path / "broken").unlink()
    assert len(searches(project)) == 4 + confirming + 3


def test_a_run_goes_on_from_the_first_unanswered_batch(watched: Project) -> None:
    watched.drop(12, rank=3)
    watched.before("--beir-report=whole")
    searches(watched)
    break_off(watched, confirming=4)
    watched.workers = 2
    result = watched.run("--beir-runs=runs", "--beir-resume", "--beir-report=report")
    assert searches(watched) == ["beta q20 10", "beta q30 10"]
    resumed, whole = watched.report(), watched.report("whole")
    for found, other in zip(resumed["results"], whole["results"], strict=True):
        assert "resumed" in found["flags"]
        assert found["metrics"] == other["metrics"]
    assert [each["notes"] for each in resumed["results"]] == [
        ["40 of 40 queries from saved rankings"],
        ["20 of 40 queries from saved rankings"],
    ]
    result.stdout.fnmatch_lines(["*flag *resumed: rankings were taken*", "note: *beta: 20 of 40*"])


def test_another_version_retrieves_again_and_says_so(watched: Project) -> None:
    watched.before("--beir-runs=runs")
    searches(watched)
    text = (watched.path / "conftest.py").read_text()
    watched.conftest(text.replace('version = "1"', 'version = "2"'))
    result = watched.run("--beir-runs=runs", "--beir-resume", "--beir-report=report")
    assert result.ret == 0
    assert len(searches(watched)) == 8
    assert not any("resumed" in each["flags"] for each in watched.report()["results"])
    result.stdout.fnmatch_lines(["warning: alpha: 40 queries retrieved again:*"])
    assert "version was '1', is '2'" in " ".join(" ".join(result.outlines).split())


def test_what_was_resumed_without_a_known_commit_updates_no_baseline(watched: Project) -> None:
    break_off(watched)
    before = watched.baselines()
    watched.ranks({f"q{number:02d}": 5 for number in range(20, 40)})
    arguments = ["--beir-runs=runs", "--beir-resume", "--beir-accept=dropped", "--beir-reason=x"]
    result = watched.run(*arguments)
    assert result.ret == 1
    assert watched.baselines() == before
    result.stdout.fnmatch_lines(
        ["not written: beta: its rankings were resumed, and made by other*"]
    )


def test_what_was_resumed_by_the_same_code_may_update_a_baseline(watched: Project) -> None:
    for command in (["init", "-q"], ["add", "conftest.py"], ["commit", "-qm", "Begin"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *command], cwd=watched.path, check=True)  # noqa: S607
    break_off(watched)
    before = watched.baselines()
    watched.ranks({f"q{number:02d}": 5 for number in range(20, 40)})
    arguments = ["--beir-runs=runs", "--beir-resume", "--beir-accept=dropped", "--beir-reason=x"]
    result = watched.run(*arguments, "--beir-report=report")
    assert watched.baselines() != before
    results = {each["dataset"]: each["flags"] for each in watched.report()["results"]}
    assert "resumed" in results["beta"]
    assert "resumed-other-code" not in results["beta"]
    result.stdout.no_fnmatch_line("*made by other*")


def test_without_a_version_nothing_is_resumed(project: Project) -> None:
    project.store()
    project.before("--beir-runs=runs")
    result = project.run("--beir-runs=runs", "--beir-resume", "--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "error", "beta": "error"}
    result.stdout.fnmatch_lines(["error: the retriever 'retriever' declares no `version`*"])


def test_saved_rankings_can_be_read_as_run_files(watched: Project) -> None:
    watched.run("--beir-runs=runs")
    home = watched.path / "runs/retriever"
    run = read_run(home / "alpha.trec")
    assert len(run) == 40
    assert next(iter(run["q07"])) == "d07"
    manifest = json.loads((home / "alpha.manifest.json").read_text())
    assert (manifest["complete"], manifest["version"], manifest["top_k"]) == (True, "1", 100)
    watched.conftest(
        "import pytest\nfrom pytest_beir import RunFiles\n\n"
        "@pytest.fixture(scope='session')\ndef retriever():\n"
        "    return RunFiles('runs/retriever/{dataset}.trec')\n"
    )
    watched.before("--beir-report=report")
    assert watched.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}
