"""Strict flags: each fails in a report of its own, and only where it is declared to."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

DATASETS = "datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]\n"
LARGE_FAMILY = DATASETS + "gate: {alpha: 0.001}\n"


def likely_drop(project: Project) -> None:
    """Five of forty queries lose: p = 1/32, and Δ lies beyond the margin."""
    project.config(LARGE_FAMILY)
    project.drop(5)


def average_withheld(project: Project) -> None:
    project.dataset("gamma")
    project.config(DATASETS.replace("]", ", {name: gamma, path: data/gamma}]"))


def unused_baseline(project: Project) -> None:
    project.config("datasets: [{name: alpha, path: data/alpha}]\n")


def stale_baseline(project: Project) -> None:
    project.drop(20)
    project.run("--beir-accept=dropped", "--beir-reason=to be improved upon")
    project.ranks()


def contaminated(project: Project) -> None:
    project.config(DATASETS + "retrievers: {retriever: {trained_on: [alpha]}}\n")


def did_not_run(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text
        + "\n@pytest.fixture(autouse=True)\ndef _skip(request):\n"
        + "    if 'beta' in request.node.name:\n        pytest.skip('no time')\n"
    )


def corpus_changed(project: Project) -> None:
    with (project.path / "data/alpha/corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id": "new", "title": "", "text": "a new document"}\n')


def inconclusive(project: Project) -> None:
    project.config(LARGE_FAMILY)
    project.ranks({"q00": 2})


def suspect(project: Project) -> None:
    """R@100 is recorded, not gated: seven relevant documents are no longer found."""
    project.config(LARGE_FAMILY)
    text = (project.path / "conftest.py").read_text()
    project.conftest(text.replace("others.insert(", "ranks.get(query) == 0 or others.insert("))
    project.drop(7, rank=0)


def drift(project: Project) -> None:
    """Half the margin is lost to the anchor, in a change that was accepted as neutral."""
    shutil.rmtree(project.path / "data/alpha")
    project.dataset("alpha", queries=300)
    project.before("--beir-update", "--beir-accept=incomparable", "--beir-reason=more queries")
    lower = {f"q{number}": 2 for number in range(100, 103)}
    project.ranks(lower)
    project.run("--beir-accept=neutral", "--beir-reason=another tokenizer", "-k", "alpha")
    project.ranks({**lower, "q110": 15, "q111": 15, "q112": 15})


def differs_from_catalogue(project: Project) -> None:
    project.config("datasets: [{name: scifact, path: data/alpha}, {name: beta, path: data/beta}]\n")
    project.run("--beir-update")


FLAGS = {
    "likely-drop": (likely_drop, "alpha: nDCG@10 −.077 (1.000 → .923), p = .0312"),
    "average-withheld": (
        average_withheld,
        "nDCG@10 and R@100 over the suite: gamma has no comparable baseline",
    ),
    "unused-baseline": (unused_baseline, "retriever/beta is stored"),
    "stale-baseline": (stale_baseline, "alpha: nDCG@10 +.307 (.693 → 1.000)*--beir-update"),
    "contaminated": (contaminated, "alpha: the retriever was trained on it"),
    "did-not-run": (did_not_run, "beta: skipped: no time"),
    "corpus-changed": (corpus_changed, "alpha: the documents differ from those"),
    "inconclusive": (inconclusive, "alpha: nDCG@10 −.009*inconclusive"),
    "suspect": (suspect, "alpha: R@100 −.175 (1.000 → .825), p = .0078, 7 of 40 queries worse"),
    "drift": (drift, "alpha: nDCG@10 −.014 against the anchor (1.000 → .986)"),
    "differs-from-catalogue": (
        differs_from_catalogue,
        "scifact: differs from the catalogue: 40 judged queries instead of 300",
    ),
}


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_that_is_declared_fails_in_a_report_of_its_own(project: Project, flag: str) -> None:
    cause, told = FLAGS[flag]
    project.store()
    cause(project)
    result = project.run(f"--beir-strict={flag}")
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"{flag}*{told}*", f"FAILED *::beir-strict[[]*{flag}*[]]*"])
    others = ",".join(each for each in FLAGS if each != flag)
    assert f"-{flag}" not in project.run(f"--beir-strict={others}").stdout.str()


def test_without_a_value_the_default_list_fails(project: Project) -> None:
    project.store()
    contaminated(project)
    drift(project)
    assert "beir-strict[" not in project.run().stdout.str()
    result = project.run("--beir-strict")
    failed = [line.split(" - ")[0] for line in result.outlines if line.startswith("FAILED ")]
    assert failed == ["FAILED conftest.py::beir-strict[retriever-alpha-contaminated]"]


def test_the_config_declares_them_and_the_command_line_overrules(project: Project) -> None:
    project.store()
    drift(project)
    project.config(DATASETS + "strict: [default, drift]\n")
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir-strict[[]retriever-alpha-drift[]]*"])
    assert project.run("--beir-strict=contaminated").ret == 0


@pytest.mark.parametrize("arguments", [["-k", "alpha"], ["--beir-only=alpha"]])
def test_what_is_deselected_on_purpose_is_no_flag(project: Project, arguments: list[str]) -> None:
    project.store()
    result = project.run("--beir-strict", *arguments)
    assert result.ret == 0, result.stdout.str()
    result.stdout.fnmatch_lines(["no average: *", "did not run: beta: deselected*"])


def test_a_complaint_is_in_every_report(project: Project) -> None:
    project.store()
    did_not_run(project)
    result = project.run("--beir-strict", "--beir-report=report", "--junitxml=junit.xml")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["strict: did-not-run: beta: skipped: no time", "BEIR: 1 passed*"])
    lines = project.report()["complaints"]
    assert lines == [
        "did-not-run: beta: skipped: no time",
        "average-withheld: nDCG@10 and R@100 over the suite: beta did not run",
    ]
    markdown = (project.path / "report" / "beir.md").read_text()
    assert markdown.startswith("## ❌ BEIR FAILED: strict flags: did-not-run")
    assert "- **strict**: did-not-run: beta: skipped: no time" in markdown
    tree = ET.parse(project.path / "junit.xml")  # noqa: S314  # our own run has written it
    failures = {case.get("name"): case.find("failure") for case in tree.iter("testcase")}
    assert failures["beir-strict[retriever-beta-did-not-run]"] is not None


def test_the_same_flag_never_has_two_reports_of_one_name(project: Project) -> None:
    project.store()
    average_withheld(project)
    lines = project.run("--beir-strict").outlines
    failed = [line.split(" - ")[0] for line in lines if line.startswith("FAILED ")]
    assert len(failed) == len(set(failed)) == 2


def test_a_retriever_that_is_trained_on_everything_owes_no_zero_shot_average(
    project: Project,
) -> None:
    project.store()
    project.config(DATASETS + "retrievers: {retriever: {trained_on: [alpha, beta]}}\n")
    result = project.run("-v", "--beir-strict=average-withheld")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["no zero-shot: *"])


PAIR = """
@pytest.fixture(scope="session", params=["first", "second"])
def retriever(request):
    return Canned()
"""


def _two_retrievers(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(text[: text.rindex("@pytest.fixture")] + PAIR)
    project.store()


def test_a_selection_that_differs_by_retriever_is_on_purpose(project: Project) -> None:
    _two_retrievers(project)
    result = project.run("--beir-strict", "--beir-report=report", "-k", "first-alpha or second")
    assert result.ret == 0, result.stdout.str()
    (missing,) = project.report()["did_not_run"]
    assert (missing["retriever"], missing["dataset"]) == ("first", "beta")
    assert (missing["reason"], missing["on_purpose"]) == ("deselected", True)


def test_a_retriever_that_was_never_reached_is_named(project: Project) -> None:
    _two_retrievers(project)
    project.drop(20)
    project.run("-x", "--beir-report=report")
    lost = {(each["retriever"], each["dataset"]) for each in project.report()["did_not_run"]}
    assert lost == {("first", "beta"), ("second", "alpha"), ("second", "beta")}
