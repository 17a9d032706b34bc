"""`pytest-beir baselines diff` and `repair`, and `compare --html`."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from pytest_beir.reports import html

if TYPE_CHECKING:
    from typing import Protocol

    from tests.commands.conftest import Workshop

    class Git(Protocol):
        """Runs git, and expects a status."""

        def __call__(self, *words: str, status: int = 0) -> None: ...


@pytest.fixture
def suite(workshop: Workshop) -> Workshop:
    """One dataset."""
    workshop.dataset("a")
    return workshop


@pytest.fixture
def git(suite: Workshop) -> Git:
    """Git in the workshop's folder, where `main` has a baseline of `a`."""

    def run(*words: str, status: int = 0) -> None:
        identity = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        command = ["git", *identity, *words]
        done = subprocess.run(command, cwd=suite.path, check=False, capture_output=True)
        assert done.returncode == status, done.stderr

    suite.store("a")
    run("init", "-q", "-b", "main")
    run("add", ".")
    run("commit", "-q", "-m", "start")
    return run


def test_a_reviewer_sees_what_moved_and_why(
    suite: Workshop, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    del git
    assert suite.run("baselines", "diff") == 0
    assert capsys.readouterr().out == "no baseline differs from HEAD\n"
    suite.store("a", {f"q{number:02d}": 2 for number in range(12)})
    assert suite.run("baselines", "diff", "main") == 0
    out = capsys.readouterr().out
    assert out.startswith("canned/a: nDCG@10 1.000 → ")
    assert "12 of 40 queries moved" in " ".join(out.split())
    assert "  1.000 → .631  q00" in out
    assert "and 2 between these" in out
    assert suite.run("baselines", "diff", "--json") == 0
    [change] = json.loads(capsys.readouterr().out)
    assert len(change["queries"]["nDCG@10"]) == 12


def test_a_revision_that_is_not_there_is_a_usage_error(
    suite: Workshop, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    del git
    assert suite.run("baselines", "diff", "nowhere") == 4
    assert "git knows no revision 'nowhere'" in capsys.readouterr().err


def test_after_a_conflict_a_whole_side_is_named_and_put_in_place(
    suite: Workshop, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    git("checkout", "-q", "-b", "branch")
    suite.store("a", {"q00": 2})
    git("commit", "-q", "-a", "-m", "one")
    git("checkout", "-q", "main")
    suite.store("a", {"q00": 3})
    git("commit", "-q", "-a", "-m", "other")
    git("merge", "branch", status=1)
    assert suite.run("baselines", "repair") == 1
    out = capsys.readouterr().out
    assert "canned/a: " in out
    assert "whole: ours (nDCG@10 " in out
    assert "theirs (nDCG@10 " in out
    assert suite.run("baselines", "repair", "--take=theirs") == 0
    assert "canned/a: repaired, theirs taken" in capsys.readouterr().out
    assert suite.run("baselines", "repair") == 0
    assert capsys.readouterr().out == "every baseline is whole\n"


def test_only_the_side_that_is_whole_is_offered(
    suite: Workshop, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    del git
    next(suite.path.rglob("a.queries.tsv")).unlink()
    assert suite.run("baselines", "repair") == 1
    out = capsys.readouterr().out
    assert "put it in place with --take=ours\n" in out
    assert "theirs" not in out


def test_without_git_there_is_no_other_revision(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a")
    assert suite.run("baselines", "diff") == 4
    assert "is in no git repository" in capsys.readouterr().err


def test_compare_writes_a_page(suite: Workshop, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    del git
    before = suite.trec("runs/before.trec", "a")
    after = suite.trec("runs/after.trec", "a", {"q00": 2})
    monkeypatch.setattr(html, "is_available", lambda: False)
    words = ("compare", str(before), str(after), "--dataset=a", "--html=out/page.html")
    assert suite.run(*words) == 4
    monkeypatch.undo()
    if not html.is_available():
        pytest.skip("the page needs the extra [report], which is not installed")
    monkeypatch.chdir(suite.path)
    assert suite.run(*words) == 0
    page = (suite.path / "out/page.html").read_text(encoding="utf-8")
    assert "Every query" in page
    assert "The queries that moved most" in page
