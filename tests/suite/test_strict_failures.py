"""What of a run a strict flag fails, and what a configuration gates that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.config import Config
from pytest_beir.datasets.average_set import AverageSet
from pytest_beir.evaluation.result import Evaluation
from pytest_beir.suite.averages import Average
from pytest_beir.suite.run import DidNotRun, RetrieverFamily, SuiteRun
from pytest_beir.suite.strict_failures import complaints, unmatched_settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

EVERY = frozenset({"did-not-run", "average-withheld", "unused-baseline", "suspect"})


def run_of(*evaluations: Evaluation, **given: Any) -> SuiteRun:
    families = tuple(
        RetrieverFamily(name, "1", 1, 1.0, 0.05)
        for name in dict.fromkeys(each.retriever for each in evaluations)
    )
    return SuiteRun(
        suite_id="5e1f0c0ffee0",
        declared=("docs",),
        selected=("docs",),
        retrievers=families,
        evaluations=evaluations,
        **given,
    )


def evaluation(retriever: str = "bm25", **given: Any) -> Evaluation:
    fields: dict[str, Any] = {"verdict": "unchanged", "reason": "", "passed": True} | given
    return Evaluation(retriever=retriever, dataset="docs", split="test", **fields)


def average(metric: str, withheld: str | None, retriever: str = "bm25", **given: Any) -> Average:
    members = AverageSet(name="", metric=metric, members=("docs@test",))
    return Average(
        retriever=retriever, metric=metric, set=members, gated=True, withheld=withheld, **given
    )


def told(run: SuiteRun, *strict: str) -> list[tuple[str, str]]:
    return [(each.subject, each.reason) for each in complaints(run, frozenset(strict) or EVERY)]


def test_a_flag_with_a_metric_is_declared_by_its_first_word() -> None:
    flagged = evaluation(flags=("suspect:R@100", "resumed"))
    run = run_of(flagged)
    [complaint] = complaints(run, frozenset({"suspect", "did-not-run"}))
    assert (complaint.flag, complaint.name) == ("suspect", "suspect:R@100")
    assert complaint.subject == "bm25-docs-suspect:R@100"
    assert complaint.evaluation is flagged
    assert complaints(run, frozenset()) == ()


def test_what_did_not_run_is_a_complaint_unless_it_was_left_out_on_purpose() -> None:
    run = run_of(
        evaluation(),
        did_not_run=(
            DidNotRun("bm25", "left", "deselected by -k", on_purpose=True),
            DidNotRun("bm25", "lost", "a worker died", on_purpose=False),
        ),
    )
    assert told(run) == [("bm25-lost-did-not-run", "lost: a worker died")]
    assert told(run, "unused-baseline") == []


def test_averages_that_one_reason_withholds_are_one_complaint() -> None:
    run = run_of(
        evaluation(),
        averages=(
            average("nDCG@10", "docs ended in an error"),
            average("R@100", "docs ended in an error"),
            average("P@5", "another reason"),
            average("nDCG@10", "docs ended in an error", retriever="bge"),
            average("RR@10", None),
            average("MAP@100", "deselected by -k", on_purpose=True),
            average("F1@5", "a dataset was trained on", label="zero-shot"),
        ),
    )
    assert told(run) == [
        (
            "bm25-nDCG@10-average-withheld",
            "nDCG@10 and R@100 over the suite: docs ended in an error",
        ),
        ("bm25-P@5-average-withheld", "P@5 over the suite: another reason"),
        ("bge-nDCG@10-average-withheld", "nDCG@10 over the suite: docs ended in an error"),
    ]


def test_a_baseline_that_no_suite_names_is_a_complaint_with_two_remedies() -> None:
    [(subject, reason)] = told(run_of(evaluation(), unused_baselines=(("bm25", "old"),)))
    assert subject == "bm25-old-unused-baseline"
    assert reason == (
        "bm25/old is stored, but the suite does not name it: declare it, or delete it with "
        "--beir-prune"
    )


GROUPS = Config.model_validate({"groups": {"field": "kind", "gate": ["biling"]}})
SETTINGS = Config.model_validate({"retrievers": {"bm52": {"gate": {"alpha": 0.1}}}})


@pytest.mark.parametrize(
    ("evaluations", "given", "is_said"),
    [
        ([evaluation()], {}, True),
        ([], {}, False),
        # An incomplete run may lack what the settings name.
        ([evaluation()], {"did_not_run": (DidNotRun("bm25", "x", "?", on_purpose=True),)}, False),
    ],
)
@pytest.mark.parametrize("config", [GROUPS, SETTINGS], ids=["groups", "retrievers"])
def test_settings_of_what_is_not_there_fail_a_complete_run_alone(
    config: Config, evaluations: Sequence[Evaluation], given: dict[str, Any], is_said: bool
) -> None:
    assert bool(unmatched_settings(run_of(*evaluations, **given), config, ())) is is_said


def test_a_group_that_might_be_in_what_ended_in_an_error_is_no_failure() -> None:
    [failure] = unmatched_settings(run_of(evaluation()), GROUPS, ())
    assert failure.text.startswith("groups: gate: no query of the suite belongs to 'biling'")
    failed = evaluation("bge", verdict="error", passed=False)
    assert unmatched_settings(run_of(evaluation(), failed), GROUPS, ()) == ()


def test_settings_of_a_retriever_are_a_slip_only_if_another_one_may_be_meant() -> None:
    [failure] = unmatched_settings(run_of(evaluation()), SETTINGS, ())
    assert "retrievers: bm52: no retriever of this run is called that" in failure.text
    assert "did you mean 'bm25'?" in failure.text
    assert unmatched_settings(run_of(evaluation("dense")), SETTINGS, ()) == ()
    # One that has baselines is tested elsewhere; a name with settings of its own is not meant.
    assert unmatched_settings(run_of(evaluation()), SETTINGS, ("bm52",)) == ()
    both = Config.model_validate({"retrievers": {"bm52": {}, "bm25": {}}})
    assert unmatched_settings(run_of(evaluation()), both, ()) == ()
    assert unmatched_settings(run_of(evaluation("bm52")), SETTINGS, ()) == ()
