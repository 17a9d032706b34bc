"""Averages of a run: withheld with a reason, or tested, and failing by themselves."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.average_set import average_set_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.plugin.conftest import Project

ID = average_set_id("nDCG@10", ["alpha@test", "beta@test"])
FORUMS = """
android english gaming gis mathematica physics programmers stats tex unix webmasters wordpress
""".split()  # noqa: SIM905  # twelve short words


def suite_of(*names: str, **paths: str) -> str:
    return (
        f"datasets: [{', '.join(f'{{name: {n}, path: data/{paths.get(n, n)}}}' for n in names)}]\n"
    )


def skip_beta(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text
        + "\n@pytest.fixture(autouse=True)\ndef _skip(request):\n"
        + "    if 'beta' in request.node.name:\n        pytest.skip('no time')\n"
    )


def break_beta(project: Project) -> None:
    (project.path / "data/beta/qrels/test.tsv").write_text("not a table\n")


def add_gamma(project: Project) -> None:
    project.dataset("gamma")
    project.config(suite_of("alpha", "beta", "gamma"))


def judge_beta_anew(project: Project) -> None:
    with (project.path / "data/beta/qrels/test.tsv").open("a") as qrels:
        qrels.write("q00\tx00\t1\n")


def nothing(project: Project) -> None:
    pass


@pytest.mark.parametrize(
    ("cause", "arguments", "reason"),
    [
        (skip_beta, [], "beta did not run"),
        (break_beta, [], "beta ended in an error"),
        (add_gamma, [], "gamma has no comparable baseline"),
        (judge_beta_anew, [], "beta has no comparable baseline"),
        (nothing, ["-k", "alpha"], "beta was left out"),
        (nothing, ["--beir-only=alpha"], "beta was left out"),
    ],
    ids=["skipped", "error", "no-baseline", "not-comparable", "deselected", "only"],
)
def test_an_average_is_withheld_and_says_why(
    project: Project, cause: Callable[[Project], None], arguments: list[str], reason: str
) -> None:
    project.store()
    cause(project)
    result = project.run("--beir-report=report", *arguments)
    average = project.report()["averages"][0]
    assert average["withheld"] == reason
    assert (average["now"], average["baseline"], average["verdict"]) == (None, None, None)
    said = " ".join(" ".join(result.outlines).split())
    assert f"datasets: {reason} " in said
    assert f": {reason}\n" in (project.path / "report" / "beir.md").read_text()


def test_msmarco_is_averaged_on_its_own_split_alone(project: Project) -> None:
    project.config(
        "datasets: [{name: alpha, path: data/alpha}, {name: msmarco, path: data/beta, split: test}]"
    )
    project.store()
    project.run("--beir-report=report")
    average = project.report()["averages"][0]
    assert average["withheld"] == "msmarco is averaged on its dev split only"
    assert average["set"]["members"] == ["alpha@test", "msmarco@test"]


def test_the_set_and_its_id_stand_beside_every_average(project: Project) -> None:
    project.store()
    result = project.run("--beir-report=report")
    assert result.ret == 0
    first = project.report()["averages"][0]
    assert first["set"] == {"name": None, "members": ["alpha@test", "beta@test"], "id": ID}
    assert (first["now"], first["verdict"]) == (pytest.approx(1.0), "unchanged")
    result.stdout.fnmatch_lines(["average: nDCG@10 over 2 datasets: 1.000 → 1.000*"])
    told = (project.path / "report" / "beir.md").read_text()
    assert f"alpha@<!-- -->test, beta@<!-- -->test (its ids: nDCG@10 {ID}" in told or ID in told


def test_a_loss_that_no_dataset_shows_fails_by_the_average(project: Project) -> None:
    names = [f"part{number}" for number in range(6)]
    for name in names:
        project.dataset(name)
    project.config(suite_of(*names))
    project.store()
    project.drop(3, rank=2)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert set(project.verdicts().values()) == {"inconclusive"}
    result.assert_outcomes(passed=6, failed=2)
    # 3 of 40 queries fall from 1 to 1/log2(3) = .6309, in each: 18 losses, p = 2^-18.
    result.stdout.fnmatch_lines(
        [
            "nDCG@10 over 6 *: 1.000 → .972, −.028, *: regressed; only single datasets are *",
            "accept: the average, if the spread loss is wanted:",
            "BEIR: 0 passed*1 regressed average*",
            "FAILED conftest.py::beir-average[[]retriever-nDCG@10[]] - *",
        ]
    )
    average = project.report()["averages"][0]
    assert average["p_drop"] == pytest.approx(2**-18)
    accepted = project.run("--beir-accept=dropped", "--beir-reason=a smaller model")
    assert accepted.ret == 0
    accepted.stdout.fnmatch_lines(["*but passes: accepted with*", "written: part0: dropped*"])
    assert project.run().ret == 0


def test_a_small_loss_in_each_of_eighteen_datasets_fails_by_the_diffuse_test(
    project: Project,
) -> None:
    names = [f"part{number:02}" for number in range(18)]
    for name in names:
        project.dataset(name)
    project.config(suite_of(*names))
    project.store()
    project.drop(1, rank=2)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert set(project.verdicts().values()) == {"inconclusive"}
    # 1 of 40 queries falls from 1 to .6309 in each: 18 losses and no gain, p = 2^-18.
    result.stdout.fnmatch_lines(
        [
            "nDCG@10 fell in 18 of 18 datasets, p = 4e-6, *, regressed; only single datasets are *",
            "FAILED conftest.py::beir-diffuse[[]retriever-nDCG@10[]] - *",
        ]
    )
    [loss] = project.report()["diffuse"]
    assert (loss["fell"], loss["datasets"]) == (18, 18)
    assert loss["p_drop"] == pytest.approx(2**-18)


def test_an_average_fails_while_part_of_the_loss_is_not_accepted(project: Project) -> None:
    """Accepting the drop of one dataset of two leaves the average where it was."""
    project.store()
    (project.path / "test_own.py").write_text(
        "def test_own(beir_result): assert beir_result.dataset.name != 'beta'\n"
    )
    project.drop(20)
    result = project.run("--beir-accept=dropped", "--beir-reason=a smaller model")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["not written: beta: another test of the dataset failed", "FAILED *average*"]
    )
    assert b"a smaller model" in project.baselines()["retriever/alpha.yaml"]
    assert b"a smaller model" not in project.baselines()["retriever/beta.yaml"]


def test_cqadupstack_is_one_test_over_its_twelve_forums(project: Project) -> None:
    for forum in FORUMS:
        project.dataset(forum, queries=8, folder="data/forums")
    project.config(suite_of("cqadupstack", "alpha", cqadupstack="forums"))
    project.run("--beir-update")
    table = project.baselines()["retriever/cqadupstack.queries.tsv"].decode().splitlines()
    assert len(table) == 1 + 12 * 8
    assert table[1].startswith("android/q00\t")
    project.drop(3, rank=2)
    result = project.run("--beir-report=report")
    result.stdout.fnmatch_lines(["FAILED *::beir[[]cqadupstack[]] - *36 of 96 queries worse*"])
    (found,) = (each for each in project.report()["results"] if each["dataset"] == "cqadupstack")
    loss = 1 - 0.63092975
    assert found["metrics"]["nDCG@10"]["delta"] == pytest.approx(-3 / 8 * loss, abs=1e-4)
    average = project.report()["averages"][0]
    # One member of two, whatever the number of its queries.
    assert average["delta"] == pytest.approx(-(3 / 8 + 3 / 40) / 2 * loss, abs=1e-4)
    assert average["set"]["members"] == ["alpha@test", "cqadupstack@test"]


def test_forums_that_are_lacking_are_named(project: Project) -> None:
    for forum in FORUMS:
        project.dataset(forum, queries=4, folder="data/forums")
    shutil.rmtree(project.path / "data/forums/tex")
    shutil.rmtree(project.path / "data/forums/unix")
    project.config(suite_of("cqadupstack", "alpha", cqadupstack="forums"))
    result = project.run("--beir-report=report")
    assert result.ret == 1
    (found, _) = project.report()["results"]
    assert found["verdict"] == "error"
    assert "lacks tex, unix; cqadupstack is scored over all of its 12" in found["reason"]


PAIR = """
class Worse(Canned):
    def search(self, queries, top_k):
        answer = super().search(queries, top_k)
        if (HERE / "worse").exists():
            for query in sorted(answer)[:20]:
                answer[query]["d" + query[1:]] = 96.5
        return answer


@pytest.fixture(scope="session", params=["first", "second"])
def retriever(request):
    return Canned() if request.param == "first" else Worse()
"""


def test_two_retrievers_have_families_averages_and_updates_of_their_own(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(text[: text.rindex("@pytest.fixture")] + PAIR)
    written = project.run("--beir-update", "-k", "first")
    assert written.ret == 0
    assert project.run("--beir-update").ret == 0
    (project.path / "worse").touch()
    result = project.run("--beir-report=report")
    report = project.report()
    assert [(each["name"], each["family"]) for each in report["retrievers"]] == [
        ("first", 3),
        ("second", 3),
    ]
    averages = {each["retriever"]: each["verdict"] for each in report["averages"] if each["gated"]}
    assert averages == {"first": "unchanged", "second": "regressed"}
    result.stdout.fnmatch_lines(
        ["accept: second alpha and second beta, if*", "FAILED *beir-average[[]second-*"]
    )
    before = project.baselines()
    project.workers = 2
    accepted = project.run("--beir-accept=dropped", "--beir-reason=a smaller model")
    assert accepted.ret == 0
    accepted.stdout.fnmatch_lines(["written: *second alpha: dropped, nDCG@10 1.000 → .715*"])
    after = project.baselines()
    assert {name for name in after if before[name] != after[name]} == {
        f"second/{name}"
        for name in ("alpha.queries.tsv", "alpha.yaml", "beta.queries.tsv", "beta.yaml")
    }
