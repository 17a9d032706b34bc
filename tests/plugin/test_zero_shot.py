"""Zero-shot: what a retriever was trained on marks its datasets, and has an average apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

NAMED = """
datasets:
  - {name: fever, path: data/fever}
  - {name: climate-fever, path: data/climate-fever}
  - {name: scifact, path: data/scifact}
  - {name: docs, path: data/docs}
"""


@pytest.fixture
def named(bare: Project) -> Project:
    """Small datasets under names that the catalogue knows, and one of the user's own."""
    for name in ("fever", "climate-fever", "scifact", "docs"):
        bare.dataset(name)
    bare.config(NAMED)
    bare.conftest()
    bare.ranks()
    bare.run("--beir-update")
    return bare


def statuses(project: Project) -> dict[str, str]:
    return {each["dataset"]: each["zero_shot"] for each in project.report()["results"]}


def test_unknown_is_not_clean(named: Project) -> None:
    result = named.run("-v", "--beir-report=report", "--beir-strict=contaminated")
    assert result.ret == 0
    assert set(statuses(named).values()) == {"unknown"}
    result.stdout.fnmatch_lines(["zero-shot: not established: nDCG@10*"])
    labels = [each["label"] for each in named.report()["averages"]]
    assert labels == [None, None, "zero-shot average, not established"]


def declare(project: Project, where: str, names: list[str]) -> None:
    if where == "config":
        project.config(NAMED + f"retrievers: {{retriever: {{trained_on: {names}}}}}\n")
    else:
        text = (project.path / "conftest.py").read_text()
        project.conftest(
            text.replace("    def index", f"    trained_on = {names}\n\n    def index")
        )


@pytest.mark.parametrize("where", ["config", "attribute"])
def test_training_contaminates_what_is_related(named: Project, where: str) -> None:
    declare(named, where, ["fever"])
    result = named.run("--beir-report=report", "--beir-strict=contaminated")
    assert statuses(named) == {
        "fever": "contaminated",
        "climate-fever": "contaminated",
        "scifact": "clean",
        "docs": "clean",
    }
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "contaminated: fever: the retriever was trained on it",
            "contaminated: climate-fever: has the corpus of fever, which *",
            "zero-shot: nDCG@10 over 2 datasets: *",
        ]
    )
    average = named.report()["averages"][-1]
    assert (average["label"], average["gated"]) == ("zero-shot average", False)
    assert average["set"]["members"] == ["docs@test", "scifact@test"]
    assert average["note"] == "without climate-fever (contaminated) and fever (contaminated)"


def test_where_all_is_clean_one_average_says_so(named: Project) -> None:
    declare(named, "attribute", [])
    named.run("--beir-report=report")
    averages = named.report()["averages"]
    assert [each["label"] for each in averages] == [None, None]
    assert {each["note"] for each in averages} == {"all of it zero-shot"}


def test_what_the_user_declares_is_no_doubtful_name(named: Project) -> None:
    declare(named, "config", ["docs", "fevr"])
    result = named.run("-k", "docs")
    shown = " ".join(" ".join(result.outlines).split())
    assert "trained_on names 'fevr', which the catalogue does not know" in shown
    assert "trained_on names 'docs'" not in shown
