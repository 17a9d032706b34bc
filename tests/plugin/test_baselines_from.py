"""`--beir-baselines-from=REV`: a change cannot move its own bar."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def git(project: Project, *words: str) -> None:
    identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    command = ["git", *identity, *words]
    subprocess.run(command, cwd=project.path, check=True, capture_output=True)


@pytest.fixture
def lowered(project: Project) -> Project:
    """A branch that accepts its own drop of alpha; main has the older baselines."""
    git(project, "init", "-q", "-b", "main")
    project.store()
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "start")
    git(project, "checkout", "-q", "-b", "branch")
    project.drop()
    project.before("--beir-accept=dropped", "--beir-reason=half the latency", "-k", "alpha")
    git(project, "commit", "-q", "-a", "-m", "accept")
    return project


def test_a_drop_that_a_change_accepts_for_itself_still_fails(lowered: Project) -> None:
    assert lowered.before("-k", "alpha").ret == 0
    result = lowered.run("--beir-baselines-from=main", "--beir-report=report", "-k", "alpha")
    assert result.ret == 1
    assert lowered.verdicts() == {"alpha": "regressed"}
    result.stdout.fnmatch_lines(
        [
            "beir: config *, baselines *baselines as of main",
            "baseline retriever/alpha is changed here: nDCG@10 1.000 → .693*",
        ]
    )
    first, _, change = (lowered.path / "report/beir.md").read_text().splitlines()[:3]
    assert first == "### This change moves baselines"
    assert change.startswith("- **retriever/alpha**: nDCG@10 1.000 → .693 (20 of 40 queries moved")
    assert change.endswith("; dropped: half the latency")


def test_a_baseline_that_the_revision_does_not_have_is_the_changes_own(project: Project) -> None:
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "start")
    project.store()
    assert project.run("--beir-baselines-from=main").ret == 0


@pytest.mark.parametrize("revision", ["nowhere", "--output=x"])
def test_a_revision_that_is_not_there_is_a_usage_error(project: Project, revision: str) -> None:
    git(project, "init", "-q")
    result = project.run(f"--beir-baselines-from={revision}")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*git knows no revision*fetch-depth: 0*"])


def test_nothing_is_written_beside_it(project: Project) -> None:
    result = project.run("--beir-baselines-from=HEAD", "--beir-update")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-baselines-from only reads*"])
