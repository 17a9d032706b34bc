"""Reports beside the folder: GitHub's pages, a hook of the user, sections of tests that passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_on_github_actions_failures_stand_at_the_fixture_and_the_job_has_a_summary(
    project: Project,
) -> None:
    project.store()
    project.drop()
    summary = project.path / "summary.md"
    result = project.run(
        GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary), GITHUB_WORKSPACE=str(project.path)
    )
    lines = [line for line in result.outlines if line.startswith("::error ")]
    assert len(lines) == 3
    fixture = (project.path / "conftest.py").read_text().splitlines().index("def retriever():") + 1
    assert lines[0].startswith("::error file=conftest.py,line=")
    assert abs(int(lines[0].split("line=")[1].split(",")[0]) - fixture) <= 1
    assert ",title=BEIR alpha::nDCG@10 −.307" in lines[0]
    assert summary.read_text(encoding="utf-8").startswith("## ❌ BEIR FAILED: alpha and beta reg")


def test_elsewhere_there_are_no_workflow_commands(project: Project) -> None:
    result = project.run()
    assert not [line for line in result.outlines if line.startswith("::")]


HOOK = """

def pytest_beir_report(story, folder):
    with (HERE / "told.txt").open("a") as stream:
        stream.write(f"{folder.name if folder else None}: {story.headline}")
"""


def test_a_hook_of_the_user_is_given_the_story_once(both: Project) -> None:
    both.conftest((both.path / "conftest.py").read_text() + HOOK)
    assert both.run("--beir-report=report").ret == 1
    told = (both.path / "told.txt").read_text()
    assert told == "report: FAILED: nothing to compare with, no dataset has a baseline yet."


def test_a_drop_that_is_not_certain_shows_its_queries_under_r_p(project: Project) -> None:
    project.store()
    project.drop(3)
    result = project.run("-rP", "-k", "alpha")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["*= PASSES =*", "*- beir -*", "The 3 queries that lost most (nDCG@10)"]
    )
    assert "queries that lost most (nDCG" not in project.run("-k", "alpha").stdout.str()


def test_a_hook_that_fails_is_named_and_fails_the_run_and_nothing_else(project: Project) -> None:
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text + "\n\ndef pytest_beir_report(story):\n    raise ValueError('no network')\n"
    )
    result = project.run("--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["BEIR: 2 passed*", "beir: pytest_beir_report raised ValueError: no network"]
    )
    assert set(project.verdicts().values()) == {"unchanged"}


def test_v_puts_the_verdict_behind_pytests_own_word(project: Project) -> None:
    project.store()
    result = project.run("-v")
    result.stdout.fnmatch_lines(["*PASSED (nDCG@10 .000: unchanged)*"])
    assert "unchangedPASSED" not in result.stdout.str()
