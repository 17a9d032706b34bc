"""Updates: what each run writes into the baselines, and what it refuses to write."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

QUERIES = 300
ONE = "datasets: [{name: alpha, path: data/alpha}]\n"


@pytest.fixture
def large(bare: Project) -> Project:
    """One dataset of 300 queries, all of them answered perfectly, with a baseline."""
    bare.dataset("alpha", queries=QUERIES)
    bare.config(ONE)
    bare.conftest()
    bare.ranks()
    bare.store()
    return bare


def lose(project: Project, queries: int, rank: int = 2) -> None:
    project.drop(queries, rank)


def vectors(project: Project) -> tuple[int, int]:
    """How many queries stand below 1 in the current vector, and in the anchor."""
    rows = project.baselines()["retriever/alpha.queries.tsv"].decode().splitlines()
    table = list(csv.DictReader(rows, delimiter="\t"))
    return tuple(  # type: ignore[return-value]  # two columns
        sum(float(row[column]) < 1 for row in table) for column in ("nDCG@10", "anchor:nDCG@10")
    )


def history(project: Project) -> Any:
    """What the baseline's file for people says."""
    return yaml.safe_load(project.baselines()["retriever/alpha.yaml"])


def test_a_gain_moves_both_vectors(project: Project) -> None:
    project.drop(20)
    project.store()
    project.ranks()
    before = project.baselines()
    result = project.run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["update: *alpha and beta, better than the stale baseline:"])
    assert project.baselines() == before
    result = project.run("--beir-update")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["written: *alpha: improved, nDCG@10 .693 → 1.000*"])
    assert vectors(project) == (0, 0)


def test_a_harmless_change_is_written_on_demand_and_leaves_the_anchor(large: Project) -> None:
    lose(large, 4)
    assert large.run("--beir-update").ret == 0
    assert vectors(large) == (0, 0)
    result = large.run("--beir-accept=neutral", "--beir-reason=another tokenizer")
    assert result.ret == 0
    assert vectors(large) == (4, 0)
    result.stdout.fnmatch_lines(["written: *alpha: neutral, nDCG@10 1.000 → .995*"])
    assert history(large)["accepted"]["reason"] == "another tokenizer"


def test_after_a_rebase_both_vectors_are_tested_at_half_the_level(large: Project) -> None:
    """Four losses in one release and four in the next: neither matters, both together do."""
    lose(large, 4)
    large.before("--beir-accept=neutral", "--beir-reason=another tokenizer")
    lose(large, 8)
    result = large.run("--beir-report=report")
    assert result.ret == 1
    (found,) = large.report()["results"]
    metric = found["metrics"]["nDCG@10"]
    assert metric["alpha"] == pytest.approx(0.05 / 2)
    assert metric["against_anchor"]["alpha"] == pytest.approx(0.05 / 2)
    assert metric["against_anchor"]["p_drop"] == pytest.approx(2**-8)
    assert metric["reason"] == "against anchor"
    result.stdout.fnmatch_lines(
        [
            "FAILED *beir[[]alpha[]] - *nDCG@10 −.010 against the anchor (1.000 → .990)*",
        ]
    )


def test_slow_decline_is_flagged_as_drift(large: Project) -> None:
    lose(large, 4)
    large.before("--beir-accept=neutral", "--beir-reason=another tokenizer")
    # Half the margin of .02 is .01: nine losses of .3691 over 300 queries are .0111.
    large.config(ONE + "gate: {alpha: 0.001}\n")
    lose(large, 9)
    result = large.run("--beir-report=report", "--beir-strict=drift")
    assert result.ret == 1
    (found,) = large.report()["results"]
    assert "drift" in found["flags"]
    assert found["verdict"] == "within tolerance"
    result.stdout.fnmatch_lines(
        ["drift: alpha: nDCG@10 −.011 against the anchor (1.000 → .989), at least half *"]
    )


def test_what_is_unchanged_but_lost_against_the_anchor_can_be_accepted(large: Project) -> None:
    """The anchor alone moves, the current vector being the same already."""
    lose(large, 8)
    large.config(ONE + "gate: {min_effect: 0.015, margin: 0.04}\n")
    large.run("--beir-accept=neutral", "--beir-reason=another tokenizer")
    assert vectors(large) == (8, 0)
    large.config(ONE)
    assert large.run().ret == 1
    refused = large.run("--beir-update", "--beir-accept=neutral", "--beir-reason=again")
    assert refused.ret == 1
    assert vectors(large) == (8, 0)
    accepted = large.run("--beir-accept=dropped", "--beir-reason=faster by half")
    assert accepted.ret == 0
    assert vectors(large) == (8, 8)
    assert large.run().ret == 0


def test_a_drop_is_written_with_its_reason_alone(project: Project) -> None:
    project.store()
    project.drop(20)
    before = project.baselines()
    assert project.before("--beir-update").ret == 1
    assert project.before("--beir-accept=neutral", "--beir-reason=no").ret == 1
    assert project.baselines() == before
    result = project.run("--beir-accept=dropped", "--beir-reason=a quarter of the memory")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["written: *alpha: dropped, nDCG@10 1.000 → .693*", "BEIR: 0 passed*2 written*"]
    )
    assert vectors(project) == (20, 20)
    assert history(project)["accepted"]["reason"] == "a quarter of the memory"
    assert project.run("--beir-accept=dropped", "--beir-reason=again").ret == 0
    assert history(project)["accepted"]["reason"] == "a quarter of the memory"


def test_what_can_not_be_compared_is_written_as_such_alone(project: Project) -> None:
    project.store()
    with (project.path / "data/alpha/qrels/test.tsv").open("a") as qrels:
        qrels.write("q00\tx05\t1\n")
    before = project.baselines()
    assert project.run("--beir-update").ret == 1
    assert project.run("--beir-accept=neutral,dropped", "--beir-reason=no").ret == 1
    assert project.baselines() == before
    result = project.run("--beir-accept=incomparable", "--beir-reason=one more judgement")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["written: *alpha: incomparable, nDCG@10 *"])
    assert project.run().ret == 0


def test_a_changed_corpus_is_taken_over_and_no_longer_flagged(project: Project) -> None:
    """With equal scores too; else the flag, which may be strict, could never be met."""
    project.store()
    with (project.path / "data/alpha/corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id": "new", "title": "", "text": "a new document"}\n')
    assert project.run("--beir-strict").ret == 1
    accepted = project.run("--beir-accept=incomparable", "--beir-reason=a new document")
    assert accepted.ret == 0
    accepted.stdout.fnmatch_lines(["written: *alpha: incomparable, nDCG@10 1.000 → 1.000*"])
    assert project.run("--beir-strict").ret == 0


def test_a_corpus_that_may_not_change_can_be_accepted(project: Project) -> None:
    project.store()
    project.config((project.path / "beir.yaml").read_text() + "gate: {corpus_change: fail}\n")
    with (project.path / "data/alpha/corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id": "new", "title": "", "text": "a new document"}\n')
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir[[]alpha[]] - *not comparable: the corpus differs*"])
    project.before("--beir-accept=incomparable", "--beir-reason=a new document")
    assert project.run().ret == 0


def test_a_refusal_is_told(project: Project) -> None:
    """nDCG@10 rises while fewer relevant documents are found at all."""
    project.config((project.path / "beir.yaml").read_text() + "gate: {metrics: [nDCG@10]}\n")
    project.ranks({f"q{number:02d}": 15 for number in range(39)})
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(text.replace("others.insert(", "ranks.get(query) == 0 or others.insert("))
    project.ranks({f"q{number:02d}": 0 for number in range(12)})
    before = project.baselines()
    result = project.run("--beir-update")
    result.stdout.fnmatch_lines(
        ["not written: alpha: improved is refused while R@100 has dropped*"]
    )
    assert project.baselines() == before
    assert project.run("--beir-accept=dropped", "--beir-reason=wanted").ret == 0
    assert project.baselines() != before


def test_another_failed_test_of_the_dataset_keeps_its_baseline(project: Project) -> None:
    (project.path / "test_own.py").write_text(
        "def test_own(beir_result, beir_dataset):\n    assert beir_dataset.name != 'beta'\n"
    )
    result = project.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    assert {name.split(".")[0] for name in project.baselines()} == {"retriever/alpha"}
    result.stdout.fnmatch_lines(["not written: beta: another test of the dataset failed*"])
    assert [each["passed"] for each in project.report()["results"]] == [True, False]


def test_a_run_that_stops_writes_what_has_passed(project: Project) -> None:
    (project.path / "data/beta/qrels/test.tsv").write_text("not a table\n")
    result = project.run("--beir-update", "-x")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["written: *alpha: new, nDCG@10 1.000*"])
    assert {name.split(".")[0] for name in project.baselines()} == {"retriever/alpha"}


def test_pruning_deletes_what_no_suite_names(project: Project) -> None:
    project.store()
    project.config(ONE)
    refused = project.run("--beir-prune", "-k", "nothing")
    assert "retriever/beta.yaml" in project.baselines()
    assert refused.ret == 5
    result = project.run("--beir-prune")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["written: *retriever/beta: deleted, no suite names it"])
    result.stdout.no_fnmatch_line("unused: *")
    assert sorted(project.baselines()) == ["retriever/alpha.queries.tsv", "retriever/alpha.yaml"]


def test_pruning_needs_a_complete_run(project: Project) -> None:
    project.store()
    project.dataset("gamma")
    project.config("datasets: [{name: alpha, path: data/alpha}, {name: gamma, path: data/gamma}]")
    result = project.run("--beir-prune", "--beir-only=alpha")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*--beir-prune deletes nothing in an incomplete run*"])
    assert "retriever/beta.yaml" in project.baselines()


def test_pruning_keeps_what_another_suite_names(project: Project) -> None:
    project.store()
    project.config("suites: {nightly: [alpha=data/alpha, beta=data/beta]}\n")
    assert project.run("--beir-datasets=alpha=data/alpha", "--beir-prune").ret == 0
    assert "retriever/beta.yaml" in project.baselines()


def test_pruning_is_refused_where_the_config_names_nothing(project: Project) -> None:
    project.store()
    project.config("metrics: [nDCG@10]\n")
    result = project.run("--beir-datasets=alpha=data/alpha", "--beir-prune")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-prune*neither 'datasets:' nor 'suites:'*"])
    assert "retriever/beta.yaml" in project.baselines()


def test_what_only_recovers_leaves_the_anchor_alone(large: Project) -> None:
    """Better than the current vector, but no better than the anchor: C moves, A stays."""
    large.config(ONE + "gate: {alpha: 0.03}\n")
    lose(large, 5)
    large.run("--beir-accept=neutral", "--beir-reason=another tokenizer")
    assert vectors(large) == (5, 0)
    large.config(ONE)
    large.ranks()
    result = large.run("--beir-update")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["written: *alpha: improved, nDCG@10 .994 → 1.000*"])
    assert vectors(large) == (0, 0)
    assert history(large)["accepted"]["category"] == "improved"
    assert history(large)["metrics"]["nDCG@10"]["anchor"]["category"] == "new"


def test_what_nobody_can_tell_is_written_as_dropped_alone(large: Project) -> None:
    lose(large, 6, rank=8)
    large.config(ONE + "gate: {alpha: 0.001}\n")
    before = large.baselines()
    for accepted in ("neutral", "incomparable"):
        large.run("--beir-update", f"--beir-accept={accepted}", "--beir-reason=x")
        assert large.baselines() == before
    large.run("--beir-accept=dropped", "--beir-reason=x", "--beir-report=report")
    assert large.verdicts() == {"alpha": "inconclusive"}
    assert vectors(large) == (6, 6)
