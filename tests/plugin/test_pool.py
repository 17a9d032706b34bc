"""Unjudged documents: flagged where they may explain a drop, and listed to be judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.inspection.checks import check_folder

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

DATASETS = "datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]\n"


def judge_negatives(project: Project) -> None:
    """Nine documents are judged not relevant, the ones that the baseline shows."""
    for name in ("alpha", "beta"):
        path = project.path / f"data/{name}/qrels/test.tsv"
        rows = [f"q{q:02d}\tx{x:02d}\t0\n" for q in range(40) for x in range(9)]
        path.write_text(path.read_text() + "".join(rows))


def show_others(project: Project) -> None:
    """The retriever now shows documents that nobody has judged, three of them on top."""
    text = (project.path / "conftest.py").read_text()
    turned = text.replace("for number in range(20)]", "for number in [*range(10, 20), *range(10)]]")
    project.conftest(turned)
    project.drop(30, rank=4)


@pytest.fixture
def pooled(project: Project) -> Project:
    judge_negatives(project)
    project.store()
    show_others(project)
    return project


def test_a_drop_that_unjudged_documents_may_explain_is_flagged(pooled: Project) -> None:
    result = pooled.run("--beir-report=report")
    assert result.ret == 1
    (found, _) = pooled.report()["results"]
    assert (found["verdict"], found["passed"]) == ("regressed", False)
    assert "pool-suspect" in found["flags"]
    assert found["judged"] == {"now": pytest.approx(0.1), "baseline": pytest.approx(1.0)}
    told = next(each for each in found["explanations"] if each.startswith("pool"))
    # .44 of a fall of .9; the condensed rankings are equal.
    assert told.startswith(
        "pool: judged@10 −.900, which alone may cost .396; among judged documents .000"
    )
    result.stdout.fnmatch_lines(["  pool    judged@10 −.900*", "  flag    pool-suspect: *"])


def test_it_passes_as_cannot_tell_where_the_flag_is_to_say_so(pooled: Project) -> None:
    pooled.config(DATASETS + "gate: {pool_suspect: flag}\n")
    result = pooled.run("--beir-report=report")
    assert result.ret == 0
    assert [each["passed"] for each in pooled.report()["results"]] == [True, True]
    result.stdout.fnmatch_lines(
        [
            "*passes, since unjudged documents may*",
            "* regressed, but passes: unjudged documents may explain*",
            "BEIR: 0 passed, 0 regressed, 0 improved, 2 cannot tell*",
        ]
    )
    assert (
        pooled.report()["averages"][0]["excused"] == "unjudged documents may explain alpha and beta"
    )


def test_a_drop_of_another_dataset_still_fails_the_average(project: Project) -> None:
    judge_negatives(project)
    project.store()
    project.config(DATASETS + "gate: {pool_suspect: flag}\n")
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            'others.insert(ranks.get(query, 1) - 1, "d" + query[1:])',
            'if self.corpus.name == "alpha":\n'
            "                others = others[10:] + others[:10]\n"
            '            others.insert(ranks.get(query, 1) - 1, "d" + query[1:])',
        )
    )
    project.drop(30, rank=4)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert [each["passed"] for each in project.report()["results"]] == [True, False]
    assert project.report()["averages"][0]["excused"] is None


def test_where_only_relevant_documents_are_listed_nothing_can_be_verified(project: Project) -> None:
    project.store()
    show_others(project)
    project.config(DATASETS + "gate: {pool_suspect: flag}\n")
    result = project.run("--beir-report=report")
    assert result.ret == 1
    (found, _) = project.report()["results"]
    assert "pool-unverifiable" in found["flags"]
    result.stdout.fnmatch_lines(["  flag    pool-unverifiable: *", "FAILED *beir[[]alpha[]]*"])


def test_what_is_to_be_judged_can_be_added_when_it_is(project: Project) -> None:
    judge_negatives(project)
    project.store()
    show_others(project)
    project.run("--beir-report=report")
    (found, _) = project.report()["results"]
    path = project.path / "report/to-judge/retriever/alpha.tsv"
    header, *rows = path.read_text().splitlines()
    assert header == "query-id\tcorpus-id\tscore"
    assert rows == [f"{each['query']}\t{each['document']}\t" for each in found["to_judge"]]
    assert rows[0] == "q00\tx10\t"
    folder, cache = project.path / "data/alpha", project.path / "cache"
    blank = check_folder(folder, cache, path)
    assert not blank.errors
    assert blank.addition is not None
    assert (blank.addition.judged, blank.addition.pending) == (0, len(rows))
    path.write_text("\n".join([header, *(f"{row}1" for row in rows)]) + "\n")
    filled = check_folder(folder, cache, path)
    assert not filled.errors
    assert filled.addition is not None
    assert (filled.addition.judged, filled.addition.pending) == (len(rows), 0)
    with (folder / "qrels/test.tsv").open("a") as qrels:
        qrels.write("\n".join(path.read_text().splitlines()[1:]) + "\n")
    assert project.run("-k", "alpha", "--beir-report=report").ret == 1
    assert project.report()["results"][0]["verdict"] == "not comparable"
