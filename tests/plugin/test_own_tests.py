"""A user's own tests with the public fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

OWN = """
import pytest

def test_dataset(beir_dataset):
    assert len(beir_dataset.queries) == 40

def test_result(beir_result):
    assert beir_result.means["nDCG@10"] == 1.0
    assert beir_result.missing == ()

def test_check(beir_check):
    assert beir_check().verdict == "unchanged"

def test_searcher(beir_searcher):
    assert list(beir_searcher({"q07": "any"}, 1)["q07"]) == ["d07"]

@pytest.mark.parametrize("beir_dataset", ["beta"], indirect=True)
def test_one(beir_dataset):
    assert beir_dataset.name == "beta"

@pytest.mark.parametrize("beir_dataset, rank", [("alpha", 1)], indirect=["beir_dataset"])
def test_with_another_parameter(beir_dataset, rank):
    assert beir_dataset.name == "alpha"
"""


def test_the_public_fixtures_work(project: Project) -> None:
    project.store()
    (project.path / "test_own.py").write_text(OWN)
    result = project.run("--beir-report=report")
    assert result.ret == 0, result.stdout.str()
    result.assert_outcomes(passed=2 + 4 * 2 + 2)
    assert project.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}


def test_without_beir_they_are_skipped_with_the_reason(project: Project) -> None:
    (project.path / "test_own.py").write_text(OWN)
    result = project.plain("-rs")
    result.assert_outcomes(skipped=6)
    assert "empty parameter set" not in result.stdout.str()
    result.stdout.fnmatch_lines(["SKIPPED*needs --beir"])


def test_a_failing_test_of_the_scores_alone_keeps_the_baseline_from_being_written(
    project: Project,
) -> None:
    (project.path / "test_own.py").write_text(
        "def test_own(beir_result, beir_dataset):\n    assert beir_dataset.name != 'beta'\n"
    )
    result = project.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "no baseline", "beta": "no baseline"}
    assert sorted(project.baselines()) == ["retriever/alpha.queries.tsv", "retriever/alpha.yaml"]


def test_any_failure_keeps_the_baseline_from_being_written(both: Project) -> None:
    (both.path / "test_own.py").write_text(
        "def test_own(beir_result, beir_dataset):\n    beir_result\n"
        "    assert beir_dataset.name != 'beta'\n"
        "def test_check(beir_check, beir_dataset):\n    beir_check()\n"
        "    assert beir_dataset.name != 'beta'\n"
    )
    result = both.run("--beir-update")
    assert result.ret == 1
    assert sorted(both.baselines()) == ["retriever/alpha.queries.tsv", "retriever/alpha.yaml"]


def test_a_dataset_is_retrieved_once_whoever_asks(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            "        answer = {}",
            "        with open(HERE / 'searches.txt', 'a') as log:\n"
            "            log.write(self.corpus.name + '\\n')\n"
            "        answer = {}",
        )
    )
    (project.path / "test_own.py").write_text(
        "def test_a(beir_result): assert beir_result.qrels\n"
        "def test_b(beir_result): assert beir_result.qrels == beir_result.dataset.qrels != {}\n"
    )
    result = project.run()
    assert "Error" not in result.stdout.str()
    searches = (project.path / "searches.txt").read_text().split()
    assert sorted(searches) == ["alpha", "beta"]


def test_a_dataset_outside_the_suite_is_refused(project: Project) -> None:
    (project.path / "test_own.py").write_text(
        "import pytest\n\n@pytest.mark.parametrize('beir_dataset', ['scifact'], indirect=True)\n"
        "def test_own(beir_dataset): pass\n"
    )
    result = project.run("test_own.py")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*'scifact' is not in the declared suite*"])
