"""`--beir-conformance`: behaviours of the retriever beside its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_behaviours_are_tests_of_their_own_beside_the_suite(project: Project) -> None:
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            "        answer = {}",
            "        answer = {}\n        assert all(queries.values()), 'empty query'",
        )
    )
    result = project.run("--beir-conformance", "-q")
    failed = [line for line in result.outlines if line.startswith("FAILED conftest.py")]
    assert len(failed) == 1
    assert "beir_conformance[odd-queries]" in failed[0]
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["passed"] >= 7
    result.stdout.fnmatch_lines(["*empty: *AssertionError: empty query*"])
    assert result.ret == 1


def test_without_the_option_no_behaviour_is_collected(project: Project) -> None:
    result = project.plain("--beir", "--collect-only", "-q")
    result.stdout.no_fnmatch_line("*conformance*")


def test_the_option_without_the_suite_is_a_usage_error(project: Project) -> None:
    assert project.plain("--beir-conformance").ret == 4
