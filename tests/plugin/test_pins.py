"""Pinned queries: they fail by name, whatever the statistics say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

CONFIG = """
datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]
pinned: pinned.tsv
"""
HEADER = "dataset\tquery\tdocument\trank\n"


def pin(project: Project, *rows: str) -> None:
    project.config(CONFIG)
    text = HEADER + "".join(row.replace(" ", "\t") + "\n" for row in rows)
    (project.path / "pinned.tsv").write_text(text)


def test_a_lost_pin_fails_its_dataset_by_name(project: Project) -> None:
    project.store()
    pin(project, "alpha q03 d03 3", "beta q05 d05 1")
    assert project.before().ret == 0
    project.ranks({"q03": 4})
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "inconclusive", "beta": "inconclusive"}
    assert [each["passed"] for each in project.report()["results"]] == [False, True]
    result.stdout.fnmatch_lines(
        [
            "  check   pinned query 'q03': document 'd03' stands at 4, must be at rank*",
            "BEIR: 0 passed*1 missed a pinned query*",
            "FAILED *beir[[]alpha[]] - Failed: pinned query 'q03': document 'd03' stands at 4, *",
        ]
    )


def test_no_baseline_is_written_over_a_lost_pin(project: Project) -> None:
    pin(project, "alpha q03 d03 3")
    project.ranks({"q03": 4})
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["not written: alpha: a pinned query is lost"])
    assert {name.split(".")[0] for name in project.baselines()} == {"retriever/beta"}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("alpha q99 d03 3", "pinned.tsv:2: alpha does not judge the query 'q99'*"),
        ("alpha q03 d99 3", "pinned.tsv:2: alpha has no document 'd99'*"),
    ],
)
def test_a_pin_that_can_not_hold_is_an_error_with_its_line(
    project: Project, row: str, said: str
) -> None:
    project.store()
    pin(project, row)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "error", "beta": "unchanged"}
    result.stdout.fnmatch_lines([f"error: *{said}"])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("gamma q03 d03 3", "*pinned.tsv:2: no dataset is called 'gamma'*"),
        ("alpha q03 d03 0", "*pinned.tsv:2: the rank is '0'*"),
    ],
)
def test_a_malformed_pin_is_a_usage_error(project: Project, row: str, said: str) -> None:
    pin(project, row)
    result = project.run()
    assert result.ret == 4
    result.stderr.fnmatch_lines([said])
