"""Groups of queries: shown, gated, and refused where no query belongs to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

DATASETS = "datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]\n"


@pytest.fixture
def grouped(project: Project) -> Project:
    """The first ten queries of alpha are about billing, the others about returns."""
    path = project.path / "data/alpha/queries.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        group = "billing" if int(row["_id"][1:]) < 10 else "returns"
        row["metadata"] = {"topic": group}
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    project.store()
    return project


def test_groups_are_shown_and_gate_nothing_by_themselves(grouped: Project) -> None:
    grouped.config(DATASETS + "groups: {field: topic}\n")
    grouped.drop(4, rank=2)
    result = grouped.run("--beir-report=report", "-k", "alpha")
    assert result.ret == 0
    (found,) = grouped.report()["results"]
    (told,) = (each for each in found["explanations"] if each.startswith("groups"))
    assert told == (
        "groups: billing: −.148 (1.000 → .852), 4 of 10 queries worse, 0 better; "
        "returns: .000 (1.000 → 1.000), 0 of 30 queries worse, 0 better"
    )


def test_a_gated_group_fails_its_dataset_by_name(grouped: Project) -> None:
    """Seven losses among ten queries, made up for by gains elsewhere in the dataset."""
    grouped.config(DATASETS + "groups: {field: topic, gate: [billing]}\n")
    grouped.ranks({f"q{number:02d}": 2 for number in range(10, 40)})
    grouped.before("--beir-accept=dropped", "--beir-reason=a start")
    grouped.ranks({f"q{number:02d}": 2 for number in range(7)})
    result = grouped.run("--beir-update", "--beir-report=report", "-k", "alpha")
    assert result.ret == 1
    (found,) = grouped.report()["results"]
    metric = found["metrics"]["nDCG@10"]
    assert (found["verdict"], metric["verdict"]) == ("regressed", "improved")
    # A third of alpha's share: the dataset and its group have a half each of .05/3.
    assert metric["alpha"] == pytest.approx(0.05 / 3 / 2)
    result.stdout.fnmatch_lines(
        [
            "  group   nDCG@10[[]billing[]] −.258 (1.000 → .742), p = .0078, 7 of 10*",
            "not written: alpha: nDCG@10[[]billing[]] regressed*",
            "BEIR: 0 passed, 1 regressed*",
            "FAILED *beir[[]alpha[]] - Failed: nDCG@10[[]billing[]] −.258*",
        ]
    )


def test_a_misspelt_gated_group_fails_a_complete_run(grouped: Project) -> None:
    grouped.config(DATASETS + "groups: {field: topic, gate: [biling]}\n")
    grouped.workers = 2
    result = grouped.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "failed: groups: gate: no query of the suite belongs to 'biling'; did*",
            "FAILED *::beir-groups*",
        ]
    )
    assert grouped.before("-k", "beta").ret == 0


def test_a_field_that_holds_no_group_is_an_error(grouped: Project) -> None:
    path = grouped.path / "data/alpha/queries.jsonl"
    path.write_text(path.read_text().replace('"returns"', '["returns"]', 1))
    grouped.config(DATASETS + "groups: {field: topic}\n")
    result = grouped.run("--beir-report=report")
    assert result.ret == 1
    assert "query 'q10'" in grouped.report()["results"][0]["reason"]


def test_settings_of_a_misspelt_retriever_fail_a_complete_run(project: Project) -> None:
    project.store()
    config = (project.path / "beir.yaml").read_text()
    project.config(config + "retrievers: {retreiver: {gate: {metrics: [R@100]}}}\n")
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir-retrievers*retreiver*did you mean 'retriever'?*"])
    assert project.run("-k", "alpha").ret == 0
