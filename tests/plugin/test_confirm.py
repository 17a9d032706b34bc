"""A red is searched once more before it fails anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

# Bad in its first search of each dataset, good in every other one.
SHAKY = """
import pytest

class Shaky:
    def __init__(self):
        self.searches = {}

    def index(self, corpus):
        self.name_of_corpus = corpus.name

    def search(self, queries, top_k):
        times = self.searches[self.name_of_corpus] = self.searches.get(self.name_of_corpus, 0) + 1
        print("searched", self.name_of_corpus, times)
        rank = BAD if times == 1 else 1
        return {q: {"x00": 1.0, "d" + q[1:]: 2.0 if rank == 1 else 0.5} for q in queries}

@pytest.fixture(scope="session")
def retriever():
    return Shaky()
"""
ONE_BY_ONE = """
import pytest

calls = 0

@pytest.fixture(scope="session")
def retriever():
    def search(query, k):
        global calls
        calls += 1
        print("call", calls)
        return ["x00"]
    return search
"""


ALPHA = "datasets: [{name: alpha, path: data/alpha}]\n"


def shaky(project: Project) -> None:
    project.config(ALPHA)
    project.conftest(SHAKY.replace("BAD", "1"))
    project.store()
    project.conftest(SHAKY.replace("BAD", "2"))


def test_a_drop_that_a_second_search_does_not_show_fails_nothing(project: Project) -> None:
    shaky(project)
    result = project.run("--beir-report=report")
    assert result.ret == 0
    assert set(project.verdicts().values()) == {"inconclusive"}
    (alpha,) = project.report()["results"]
    assert (alpha["reason"], alpha["confirmed"]) == ("not confirmed", False)
    second = (project.path / "report/scores/retriever/alpha.confirm.tsv").read_text().splitlines()
    assert second[0].startswith("query-id\tnDCG@10\tR@100\tJudged@10")
    assert second[1].startswith("q00\t1.0\t1.0\t")
    text = " ".join(str(result.stdout).split())
    assert "not confirmed: a second search did not regress" in text


def test_without_confirmation_the_first_search_decides(project: Project) -> None:
    shaky(project)
    project.config(ALPHA + "gate: {confirm: false}\n")
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert set(project.verdicts().values()) == {"regressed"}
    assert {each["confirmed"] for each in project.report()["results"]} == {None}
    assert not list((project.path / "report/scores").rglob("*.confirm.tsv"))


@pytest.mark.parametrize(("confirm", "calls"), [("true", 40), ("always", 80)])
def test_searches_that_may_cost_money_are_repeated_only_where_that_is_asked_for(
    project: Project, confirm: str, calls: int
) -> None:
    project.store()
    project.conftest(ONE_BY_ONE)
    project.config(f"{ALPHA}gate: {{confirm: {confirm}}}\n")
    result = project.run("-s")
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"*call {calls}*"])
    result.stdout.no_fnmatch_line(f"*call {calls + 1}*")
