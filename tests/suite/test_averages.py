"""The averages of a suite: over all of it, and over what is zero-shot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.suite.averages import averages_of, diffuse_losses_of
from pytest_beir.suite.retriever_results import RetrieverResults

if TYPE_CHECKING:
    from pytest_beir.suite.averages import Average
    from tests.conftest import Lab

NAMES = ("scifact", "nfcorpus", "fiqa")


def averages(
    lab: Lab,
    trained_on: frozenset[str] | None,
    *,
    names: tuple[str, ...] = NAMES,
    late: int = 0,
    absent: dict[str, bool] | None = None,
    metrics: tuple[str, ...] = ("nDCG@10",),
) -> tuple[Average, ...]:
    """Those of a run in which each dataset after the first has `late` more late queries."""
    left = absent or {}
    rules = lab.rules(*names)
    evaluations, baselines = {}, {}
    for place, name in enumerate(name for name in names if name not in left):
        ranks = lab.late(late * place)
        baselines[name] = lab.baseline(lab.measurement(ranks, name))
        evaluations[name] = evaluate(
            lab.measurement(ranks, name, trained_on=trained_on), baselines[name], rules
        )
    results = RetrieverResults(evaluations, left, baselines, rules)
    return averages_of("bm25", [DeclaredDataset(name) for name in names], results, metrics)


def test_one_dataset_has_no_average(lab: Lab) -> None:
    assert averages(lab, None, names=("scifact",)) == ()
    assert len(averages(lab, frozenset(), names=("scifact", "fiqa"))) == 1


def test_each_recorded_metric_has_one_and_only_the_gated_is_tested(lab: Lab) -> None:
    found = averages(lab, frozenset(), metrics=("nDCG@10", "R@100"), late=5)
    assert [(each.metric, each.gated, each.verdict) for each in found] == [
        ("nDCG@10", True, "unchanged"),
        ("R@100", False, None),
    ]
    # 0, 5 and 10 of 40 queries find their document at rank 5: 1 / log2(6).
    means = [1 - late / 40 * (1 - 0.3868528) for late in (0, 5, 10)]
    assert found[0].now == pytest.approx(sum(means) / 3)
    assert found[0].set.members == ("fiqa@test", "nfcorpus@test", "scifact@test")


def test_a_suite_that_is_all_zero_shot_says_so_and_has_one_average(lab: Lab) -> None:
    (whole,) = averages(lab, frozenset({"nq"}))
    assert (whole.note, whole.label, whole.established) == ("all of it zero-shot", None, True)


def test_what_the_retriever_was_trained_on_leaves_the_zero_shot_average(lab: Lab) -> None:
    whole, clean = averages(lab, frozenset({"nfcorpus"}), late=5)
    assert (whole.note, whole.label) == (None, None)
    assert (clean.label, clean.established) == ("zero-shot average", True)
    assert clean.note == "without nfcorpus (contaminated)"
    assert clean.set.members == ("fiqa@test", "scifact@test")
    assert (clean.gated, clean.verdict) == (False, None)
    means = [1 - late / 40 * (1 - 0.3868528) for late in (0, 10)]
    assert clean.now == pytest.approx(sum(means) / 2)


def test_where_nobody_says_what_it_was_trained_on_nothing_is_established(lab: Lab) -> None:
    _, clean = averages(lab, None)
    assert clean.established is False
    assert clean.note == "not known whether clean: fiqa@test, nfcorpus@test, scifact@test"
    assert clean.set.members == ("fiqa@test", "nfcorpus@test", "scifact@test")


def test_without_any_clean_dataset_the_zero_shot_average_is_withheld(lab: Lab) -> None:
    _, clean = averages(lab, frozenset(NAMES))
    assert clean.withheld == "no dataset of the set is zero-shot"
    assert (clean.set.members, clean.result) == ((), None)
    assert clean.note is not None
    assert clean.note.startswith("no dataset of the set is zero-shot; without ")


def test_an_average_is_withheld_on_purpose_only_if_everything_was_left_out_so(lab: Lab) -> None:
    (both, *_) = averages(lab, frozenset(), absent={"scifact": True, "fiqa": False})
    assert both.withheld == "fiqa did not run; scifact was left out"
    assert both.on_purpose is False
    (meant, *_) = averages(lab, frozenset(), absent={"scifact": True, "fiqa": True})
    assert meant.withheld == "scifact and fiqa were left out"
    assert (meant.on_purpose, meant.result) == (True, None)


def test_a_small_loss_in_every_dataset_is_one_for_all_together(lab: Lab) -> None:
    names = ("scifact", "nfcorpus", "fiqa", "arguana")
    rules = lab.rules(*names)
    baselines = {name: lab.baseline(lab.measurement(name=name)) for name in names}
    evaluations = {
        name: evaluate(
            lab.measurement(lab.late(4 if name != "arguana" else 0), name), baselines[name], rules
        )
        for name in names
    }
    results = RetrieverResults(evaluations, {}, baselines, rules)
    suite = [DeclaredDataset(name) for name in names]
    (loss,) = diffuse_losses_of("bm25", suite, results)
    assert (loss.metric, loss.datasets, loss.fell) == ("nDCG@10", 4, 3)
    assert loss.result is not None
    del evaluations["fiqa"]
    (withheld,) = diffuse_losses_of("bm25", suite, results)
    assert (withheld.withheld, withheld.result, withheld.fell) == ("fiqa did not run", None, 0)
    assert (
        diffuse_losses_of("bm25", suite[:3], RetrieverResults({}, {}, {}, lab.rules(*names[:3])))
        == ()
    )
