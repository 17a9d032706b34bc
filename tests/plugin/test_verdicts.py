"""What a run says of a retriever: from the first baseline to a regression."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_a_first_run_fails_with_the_score_and_the_command(project: Project) -> None:
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no baseline: nDCG@10 1.000*", "*--beir-update*"])
    assert not (project.path / "baselines").exists()


def test_an_update_writes_what_is_new_and_passes(project: Project) -> None:
    result = project.run("--beir-update")
    assert result.ret == 0
    assert sorted(project.baselines()) == [
        "retriever/alpha.queries.tsv",
        "retriever/alpha.yaml",
        "retriever/beta.queries.tsv",
        "retriever/beta.yaml",
    ]


def test_equal_scores_are_unchanged_and_rewrite_nothing(project: Project) -> None:
    project.store()
    before = project.baselines()
    result = project.run("--beir-update", "--beir-report=report")
    assert result.ret == 0
    assert project.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}
    assert project.baselines() == before


def test_a_significant_drop_fails_in_one_line_with_the_numbers(project: Project) -> None:
    project.store()
    project.drop(20, rank=5)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "regressed", "beta": "regressed"}
    # Twenty of forty queries fall from 1 to 1/log2(6) = .3869.
    line = "nDCG@10 −.307 (1.000 → .693), p < 1e-6, 20 of 40 queries worse"
    result.stdout.fnmatch_lines([f"FAILED *::beir[[]alpha[]] - *{line}*"])


def test_a_drop_of_one_query_of_many_is_no_regression(project: Project) -> None:
    project.store()
    project.drop(1, rank=2)
    result = project.run("--beir-report=report")
    assert result.ret == 0
    assert set(project.verdicts().values()) <= {"within tolerance", "inconclusive"}
