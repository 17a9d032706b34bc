"""A run put together from evaluations: averages, what fails beside verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declared_dataset import DeclaredDataset, suite_id
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.suite.assembly import assemble
from pytest_beir.suite.run import DidNotRun

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.suite.run import SuiteRun
    from tests.conftest import Lab

SUITE = ("alpha", "beta")


def run_of(
    lab: Lab,
    measured: dict[str, tuple[Measurement, Baseline | None]],
    *,
    permitted: tuple[str, ...] = (),
    **given: Any,
) -> SuiteRun:
    rules = lab.rules(*SUITE, permitted=permitted)
    return assemble(
        suite=[DeclaredDataset(name) for name in SUITE],
        selected=SUITE,
        config=Config.model_validate(given.pop("settings", {})),
        evaluations=[evaluate(now, stored, rules) for now, stored in measured.values()],
        did_not_run=given.pop("did_not_run", ()),
        stored=lambda _, dataset: measured[dataset][1],
        **given,
    )


def both(lab: Lab, late: int) -> dict[str, tuple[Measurement, Baseline | None]]:
    return {
        name: (lab.measurement(lab.late(late), name), lab.baseline(lab.measurement(name=name)))
        for name in SUITE
    }


def test_evaluations_stand_in_the_order_of_the_suite(lab: Lab) -> None:
    measured = dict(reversed(both(lab, 0).items()))
    run = run_of(lab, measured)
    assert [each.dataset for each in run.evaluations] == list(SUITE)
    assert (run.declared, run.selected) == (SUITE, SUITE)


def test_the_average_of_a_whole_suite_is_the_mean_of_means_and_fails_with_it(lab: Lab) -> None:
    run = run_of(lab, both(lab, 10))
    average = next(each for each in run.averages if each.gated)
    assert average.now == (sum(e.metrics["nDCG@10"].now for e in run.evaluations)) / 2
    assert average.result is not None
    assert average.result.baseline == 1.0
    assert (average.verdict, average.fails) == ("regressed", True)


def test_an_average_is_withheld_with_every_reason(lab: Lab) -> None:
    measured = both(lab, 0)
    del measured["beta"]
    absent = DidNotRun("bm25", "beta", "skipped", on_purpose=False)
    run = run_of(lab, measured, did_not_run=[absent], strict=frozenset({"average-withheld"}))
    average = next(each for each in run.averages if each.gated)
    assert (average.withheld, average.now, average.fails) == ("beta did not run", None, False)
    (complaint,) = run.complaints
    # One complaint for both metrics, called after the first.
    assert complaint.subject == "bm25-nDCG@10-average-withheld"
    assert "nDCG@10 and R@100" in complaint.reason


def test_an_accepted_drop_excuses_the_average_that_it_lowers(lab: Lab) -> None:
    run = run_of(lab, both(lab, 20), permitted=("dropped",))
    average = next(each for each in run.averages if each.gated)
    assert (average.verdict, average.fails) == ("regressed", False)
    assert average.excused == "accepted with alpha and beta"


def test_what_was_left_out_on_purpose_is_no_complaint(lab: Lab) -> None:
    measured = both(lab, 0)
    del measured["beta"]
    for on_purpose, complaints in ((True, 0), (False, 1)):
        absent = DidNotRun("bm25", "beta", "deselected", on_purpose=on_purpose)
        run = run_of(lab, measured, did_not_run=[absent], strict=frozenset({"did-not-run"}))
        assert len(run.complaints) == complaints


def test_settings_of_a_misspelt_retriever_are_named(lab: Lab) -> None:
    settings: dict[str, Any] = {"retrievers": {"bm26": {"trained_on": []}}}
    run = run_of(lab, both(lab, 0), settings=settings, known_retrievers=set())
    (wrong,) = run.failures
    assert "did you mean 'bm25'" in wrong.text
    assert run_of(lab, both(lab, 0), settings=settings, known_retrievers={"bm26"}).failures == ()
    assert run_of(lab, both(lab, 0), settings=settings).failures == ()


def test_a_retriever_is_what_the_first_of_its_datasets_that_knows_says(lab: Lab) -> None:
    measured = both(lab, 0)
    alpha, beta = (now for now, _ in measured.values())
    stored = measured["alpha"][1]
    told = {
        "alpha": (replace(alpha, version=None), stored),
        "beta": (replace(beta, version="7", trained_on=frozenset({"quora"})), measured["beta"][1]),
    }
    (family,) = run_of(lab, told).retrievers
    assert (family.name, family.version, family.trained_on) == ("bm25", "7", ("quora",))
    # Two datasets and their average share the level.
    assert (family.family, family.weights, family.alpha) == (3, 3.0, 0.05)
    (unknown,) = run_of(lab, measured).retrievers
    assert unknown.trained_on is None


def test_a_run_has_what_it_was_told_and_what_its_suite_is_made_of(lab: Lab) -> None:
    run = run_of(
        lab,
        both(lab, 0),
        unused=(("bm25", "old"),),
        command="pytest --beir docs",
        environment={"python": "3.11"},
        strict=frozenset({"unused-baseline"}),
    )
    assert run.unused_baselines == (("bm25", "old"),)
    assert (run.command, run.environment) == ("pytest --beir docs", {"python": "3.11"})
    assert [each.flag for each in run.complaints] == ["unused-baseline"]
    assert [each.name for each in run.suite] == list(SUITE) == list(run.selected)
    assert run.gate_settings == Config().gate_settings()
    assert run.suite_id == suite_id(run.suite, run.gate_settings)
