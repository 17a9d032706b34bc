"""An evaluation: a verdict, with all that was measured beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_beir.evaluation.evaluate import evaluate

if TYPE_CHECKING:
    from tests.conftest import Lab


def test_an_evaluation_has_all_that_was_measured(lab: Lab) -> None:
    told: dict[str, Any] = {
        "version": "0.9",
        "recorded": {"depth": "200"},
        "libraries": ("bm25s",),
        "varying": ("q01",),
        "same_text": (("q02", "q03"),),
        "notes": ("a note",),
        "resumed": True,
        "checked_against_corpus": False,
        "seconds": 2.5,
    }
    measurement = lab.measurement(**told)
    evaluation = evaluate(measurement, None, lab.rules())
    assert {name: getattr(evaluation, name) for name in told} == told
    assert evaluation.scores is measurement.scores
    assert evaluation.identity is measurement.identity
    assert evaluation.definitions == measurement.definitions
    assert (evaluation.dataset, evaluation.split, evaluation.queries) == ("docs", "test", 40)
    assert (evaluation.trained_on, evaluation.data_warnings) == (None, ())


def test_an_error_still_says_how_many_queries_were_asked_and_are_missing(lab: Lab) -> None:
    scores = replace(lab.measurement().scores, missing=("q01", "q02"))
    evaluation = evaluate(lab.measurement(scores=scores), None, lab.rules())
    assert (evaluation.verdict, evaluation.passed) == ("error", False)
    assert (evaluation.queries, evaluation.missing) == (40, 2)
    allowed = lab.rules(gate={"allow_missing": 2})
    assert evaluate(lab.measurement(scores=scores), None, allowed).missing == 2


def test_what_it_was_trained_on_is_sorted_and_a_name_of_the_suite_is_no_doubt(lab: Lab) -> None:
    trained = frozenset({"scifact", "docs", "arguana", "scifatc"})
    found = evaluate(
        lab.measurement(trained_on=trained, warnings=("the first",)), None, lab.rules()
    )
    assert found.trained_on == ("arguana", "docs", "scifact", "scifatc")
    first, doubt = found.warnings
    assert first == "the first"
    assert "scifatc" in doubt
