"""A run in a sentence and in counts: nothing that failed is counted as passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.evaluation.check import Check
from pytest_beir.reports.tally import counts, headline, tally_style
from pytest_beir.suite.averages import DiffuseLoss
from pytest_beir.suite.run import Complaint, DidNotRun

if TYPE_CHECKING:
    from pytest_beir.evaluation.result import Evaluation
    from tests.reports.conftest import Factory

FLOOR = Check(kind="floor", limit=0.6, now=0.5, place="beir.yaml", metric="nDCG@10")
PIN = Check(kind="pin", limit=3, now=None, place="pinned.tsv:1", query="q1", document="d1")


def _alike(make: Factory, name: str, *missed: Check, strict: tuple[str, ...] = ()) -> Evaluation:
    metric = make.metric(0.5, 0.5, "unchanged", 1.0)
    return make.evaluation(
        name, "unchanged", metric, checks=missed, passed=not missed, strict_failures=strict
    )


def test_a_dataset_that_misses_its_floor_has_not_passed(make: Factory) -> None:
    run = make.run(_alike(make, "low", FLOOR), _alike(make, "fine"))
    assert counts(run) == "1 passed, 0 regressed, 0 improved, 0 cannot tell, 1 missed a floor"
    assert headline(run) == "FAILED: low missed a floor."


def test_a_dataset_that_loses_a_pinned_query_has_not_passed(make: Factory) -> None:
    run = make.run(_alike(make, "lost", PIN), _alike(make, "low", FLOOR), _alike(make, "fine"))
    assert counts(run) == (
        "1 passed, 0 regressed, 0 improved, 0 cannot tell, 1 missed a pinned query, 1 missed a "
        "floor"
    )
    assert headline(run) == "FAILED: low missed a floor; lost missed a pinned query."


def test_a_dataset_that_a_strict_flag_fails_has_not_passed(make: Factory) -> None:
    run = make.run(_alike(make, "docs", strict=("contaminated",)))
    assert counts(run) == (
        "0 passed, 0 regressed, 0 improved, 0 cannot tell, 1 failed by strict flags"
    )


def test_what_is_inconclusive_is_called_so_and_a_likely_drop_is_named(make: Factory) -> None:
    metric = make.metric(0.5, 0.45, "inconclusive", 0.03, reason="undecided")
    small = make.evaluation("small", "inconclusive", metric)
    likely = make.evaluation("likely", "inconclusive", metric, flags=("likely-drop",))
    assert headline(make.run(small)) == "PASSED, but small is inconclusive."
    assert headline(make.run(likely)) == "PASSED, but likely is inconclusive (a likely drop)."
    assert headline(make.run(small, likely)) == (
        "PASSED, but small and likely are inconclusive (likely: a likely drop)."
    )


def test_a_dataset_that_fails_as_inconclusive_says_so(make: Factory) -> None:
    metric = make.metric(0.5, 0.45, "inconclusive", 0.03, reason="undecided")
    failing = make.evaluation("docs", "inconclusive", metric, passed=False)
    assert headline(make.run(failing)) == "FAILED: docs is inconclusive, which fails."


def test_a_diffuse_loss_is_no_news_where_each_that_fell_regressed(make: Factory) -> None:
    fell = make.evaluation("fell", "regressed", make.metric(0.652, 0.611, "regressed", 0.0004))
    same = make.evaluation("same", "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
    slipped = make.evaluation(
        "slipped", "within tolerance", make.metric(0.5, 0.499, "within tolerance", 0.3)
    )
    result = make.metric(0.58, 0.56, "regressed", 0.0001)
    loss = DiffuseLoss("bm25", "nDCG@10", datasets=2, fell=1, result=result)
    assert headline(make.run(fell, same, diffuse=(loss,))) == "FAILED: fell regressed."
    spread = DiffuseLoss("bm25", "nDCG@10", datasets=2, fell=2, result=result)
    assert headline(make.run(fell, slipped, diffuse=(spread,))) == (
        "FAILED: fell regressed; nDCG@10 fell over all datasets together (2 of 2)."
    )


def test_counts_name_each_kind_of_loss_and_each_strict_flag_of_the_run_once(make: Factory) -> None:
    docs = _alike(make, "docs")
    complaints = (
        Complaint("bm25", "did-not-run", "did-not-run"),
        Complaint("bge", "did-not-run", "did-not-run"),
        Complaint("bm25 docs", "suspect", "suspect:R@100", evaluation=docs),
    )
    run = make.run(docs, complaints=complaints)
    assert counts(run) == ("1 passed, 0 regressed, 0 improved, 0 cannot tell, strict: did-not-run")
    evaluation = make.evaluation("docs", "error", passed=False)
    assert counts(make.run(evaluation)).endswith("0 cannot tell, 1 error")
    several = make.run(evaluation, make.evaluation("more", "error", passed=False))
    assert counts(several).endswith("0 cannot tell, 2 errors")


def test_datasets_that_should_have_run_are_named_and_those_left_out_on_purpose_are_not(
    make: Factory,
) -> None:
    absent = [DidNotRun("bm25", f"d{n}", "a worker died", on_purpose=False) for n in range(2)]
    chosen = DidNotRun("bm25", "left", "deselected by -k", on_purpose=True)
    declared = ("docs", "d0", "d1", "left")
    run = make.run(_alike(make, "docs"), did_not_run=(*absent, chosen), declared=declared)
    assert counts(run).endswith(", 2 of 4 datasets did not run (d0, d1)")
    assert tally_style(run) == "yellow"
    assert headline(run) == "PASSED, but 2 datasets did not run."
    fine = make.run(_alike(make, "docs"), did_not_run=(chosen,), declared=declared)
    assert "did not run" not in counts(fine)
    assert tally_style(fine) == "green"
    assert headline(fine) == "PASSED: 1 of 4 datasets, none of them worse."
