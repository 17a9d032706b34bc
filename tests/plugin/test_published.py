"""Published averages beside a run's own, and the report's form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir.reports import json as report_json

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "beir.schema.json"
DATASETS = "datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]\n"
CLAIMS = """
average:
  compare_to:
    - {name: theirs, members: [alpha@test, beta@test], value: 0.9}
    - {name: SPLADE-v3, set: public-13, value: 0.518}
    - {name: somewhere, value: 0.5}
"""


def test_a_published_average_is_subtracted_from_its_own_set_alone(project: Project) -> None:
    project.store()
    project.config(DATASETS + CLAIMS)
    result = project.run("--beir-report=report")
    assert result.ret == 0
    theirs, splade, somewhere = project.report()["compare_to"]
    assert theirs["status"] == "compared"
    assert theirs["difference"] == pytest.approx(0.1)
    assert (splade["status"], splade["difference"]) == ("another set", None)
    assert (somewhere["status"], somewhere["value"], somewhere["set"]) == ("refused", None, None)
    result.stdout.fnmatch_lines(
        [
            "published: theirs: nDCG@10 .9000 over 2 datasets*",
            "published: SPLADE-v3: nDCG@10 .5180 over public-13*",
            "published: somewhere: refused: *",
        ]
    )


def test_it_is_not_subtracted_from_an_average_that_is_withheld(project: Project) -> None:
    project.store()
    project.config(DATASETS + CLAIMS)
    project.run("--beir-only=alpha", "--beir-report=report")
    theirs = project.report()["compare_to"][0]
    assert (theirs["status"], theirs["reason"]) == ("withheld", "our own average is withheld")


@pytest.fixture
def full(project: Project) -> Project:
    """A report with everything in it: pool flags, noise, claims, complaints, what did not run."""
    for name in ("alpha", "beta"):
        path = project.path / f"data/{name}/qrels/test.tsv"
        rows = [f"q{q:02d}\tx{x:02d}\t0\n" for q in range(40) for x in range(9)]
        path.write_text(path.read_text() + "".join(rows))
    project.store()
    project.dataset("gamma")
    project.config(DATASETS.replace("]", ", {name: gamma, path: data/gamma}]") + CLAIMS)
    text = (project.path / "conftest.py").read_text()
    project.conftest(text.replace("range(20)]", "[*range(10, 20), *range(10)]]"))
    project.drop(30, rank=4)
    project.workers = 2
    arguments = ("--beir-report=report", "--beir-strict", "--beir-repeat=2", "-k", "not beta")
    project.scenes.play(project, *arguments)
    return project


def test_a_report_is_read_back_whole(full: Project) -> None:
    report = full.report()
    first = report["results"][0]
    assert {each.partition(":")[0] for each in first["explanations"]} == {
        "cause",
        "pool",
        "repeated",
        "searched again",
    }
    assert all([first["to_judge"], report["did_not_run"], report["compare_to"]])
    read = report_json.read(full.path / "report")
    assert json.loads(report_json.render(read)) == report


def test_a_report_follows_the_published_schema(full: Project) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = json.loads(SCHEMA.read_text())
    jsonschema.validate(full.report(), schema)
    broken = full.report() | {"results": [{"dataset": "alpha"}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)
