"""What keeps datasets from an average, and what their average is where nothing does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines.update import Update
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.result import failed
from pytest_beir.gate.noise import Noise
from pytest_beir.suite.retriever_results import RetrieverResults

if TYPE_CHECKING:
    from pytest_beir.evaluation.result import Evaluation
    from tests.conftest import Lab

NAMES = ("alpha", "beta")


class Results:
    """Evaluations of two datasets, both unchanged unless a test says otherwise."""

    def __init__(self, lab: Lab, late: int = 0, permitted: tuple[str, ...] = ()) -> None:
        self.lab = lab
        self.rules = lab.rules(*NAMES, permitted=permitted)
        self.baselines: dict[str, Any] = {
            name: lab.baseline(lab.measurement(name=name)) for name in NAMES
        }
        self.evaluations: dict[str, Evaluation] = {}
        for name in NAMES:
            self.measure(name, late)

    def measure(self, name: str, late: int, **given: Any) -> None:
        now = self.lab.measurement(self.lab.late(late), name, **given)
        self.evaluations[name] = evaluate(now, self.baselines.get(name), self.rules)

    def results(self, **absent: bool) -> RetrieverResults:
        return RetrieverResults(self.evaluations, absent, self.baselines, self.rules)

    def obstacles(self, *names: str, metric: str = "nDCG@10", **absent: bool) -> Any:
        found = self.results(**absent).obstacles(metric, names or NAMES)
        return [(each.text, each.on_purpose) for each in found]


def test_datasets_that_compare_have_no_obstacle(lab: Lab) -> None:
    assert Results(lab).obstacles() == []
    assert Results(lab).obstacles(metric="P@5") == [
        ("alpha and beta have no comparable baseline", False)
    ]


def test_what_did_not_run_is_told_apart_from_what_was_left_out(lab: Lab) -> None:
    made = Results(lab)
    names = ("alpha", "beta", "gamma", "delta", "epsilon")
    assert made.obstacles(*names, gamma=True, delta=True) == [
        ("epsilon did not run", False),
        ("gamma and delta were left out", True),
    ]
    assert made.obstacles("alpha", "gamma", gamma=True) == [("gamma was left out", True)]


def test_an_error_and_a_missing_baseline_are_obstacles(lab: Lab) -> None:
    made = Results(lab)
    made.evaluations["alpha"] = failed("bm25", "alpha", "test", "search() raised")
    assert made.obstacles() == [("alpha ended in an error", False)]
    made.baselines["beta"] = None
    made.measure("beta", 0)
    assert made.obstacles() == [
        ("alpha ended in an error", False),
        ("beta has no comparable baseline", False),
    ]


def test_baselines_that_this_run_writes_are_an_obstacle_on_purpose(lab: Lab) -> None:
    made = Results(lab, permitted=("new",))
    made.baselines["beta"] = None
    made.measure("beta", 0)
    assert made.obstacles() == [("beta had no comparable baseline before this run", True)]
    made.baselines["alpha"] = None  # and this one is not written
    assert made.obstacles() == [("alpha and beta have no comparable baseline", False)]


def test_other_judgements_are_no_comparable_baseline(lab: Lab) -> None:
    made = Results(lab)
    stored = made.baselines["alpha"]
    prints = replace(stored.identity.fingerprints, qrels="others")
    made.baselines["alpha"] = replace(
        stored, identity=replace(stored.identity, fingerprints=prints)
    )
    assert made.obstacles() == [("alpha has no comparable baseline", False)]


def test_msmarco_is_averaged_on_its_official_split_alone(lab: Lab) -> None:
    made = Results(lab)
    for split, expected in (
        ("test", [("msmarco is averaged on its dev split only", False)]),
        ("dev", []),
    ):
        made.evaluations["alpha"] = replace(
            made.evaluations["alpha"], dataset="msmarco", split=split
        )
        made.baselines["msmarco"] = made.baselines["alpha"]
        assert made.obstacles() == expected


def test_the_mean_of_datasets_is_tested_and_those_that_fell_are_counted(lab: Lab) -> None:
    made = Results(lab)
    made.measure("beta", 20)
    found = made.results().test("nDCG@10", NAMES, gated=True)
    # Half of beta's queries find their document at rank 5: 1 / log2(6).
    beta = (1.0 + 0.3868528) / 2
    assert found.result.baseline == 1.0
    assert found.result.now == pytest.approx((1.0 + beta) / 2)
    assert (found.result.verdict, found.excused, found.fell) == ("regressed", None, 1)
    recorded = made.results().test("nDCG@10", NAMES, gated=False)
    assert (recorded.result.verdict, recorded.result.now) == (None, found.result.now)


def test_noise_of_members_adds_up_as_of_independent_ones(lab: Lab) -> None:
    made = Results(lab)
    made.measure("beta", 4)
    drop = 4 / 40 * (1 - 0.3868528) / 2
    # The bound of each member is 1.645 √2 sd; the average's half the root of their squares' sum.
    for name, sd in zip(NAMES, (3.0, 4.0), strict=True):
        for scale, expected in ((1.01, "noise"), (0.99, None)):
            unit = drop * 2 / (1.6448536 * 2**0.5 * 5.0) * scale
            other = 7.0 - sd
            made.evaluations |= {
                each: replace(
                    made.evaluations[each],
                    noise=(
                        Noise("nDCG@10", 3, 40, unit * (sd if each == name else other), {}),
                        Noise("R@100", 3, 40, 9.0, {}),
                    ),
                )
                for each in NAMES
            }
            comparison = made.results().test("nDCG@10", NAMES, gated=True).result.current
            assert comparison is not None
            assert (comparison.reason == "noise") == (expected == "noise")


def test_a_regression_that_vanishes_with_what_is_accepted_is_excused(lab: Lab) -> None:
    made = Results(lab, late=20, permitted=("dropped",))
    found = made.results().test("nDCG@10", NAMES, gated=True)
    assert (found.result.verdict, found.excused) == ("regressed", "accepted with alpha and beta")
    # With one of the two accepted, the other's drop remains.
    made.evaluations["beta"] = replace(made.evaluations["beta"], update=None, passed=False)
    assert made.results().test("nDCG@10", NAMES, gated=True).excused is None


def test_a_drop_against_the_anchor_alone_is_excused_by_what_moves_the_anchor(lab: Lab) -> None:
    made = Results(lab)
    for name in NAMES:
        low, high = lab.measurement(lab.late(20), name), lab.measurement(name=name)
        made.baselines[name] = lab.baseline(low, high)
        made.measure(name, 20)
    found = made.results().test("nDCG@10", NAMES, gated=True)
    assert found.result.regressed_against == ("anchor",)
    assert (found.excused, found.fell) == (None, 2)
    for moves, excused in ((False, None), (True, "accepted with alpha and beta")):
        update = Update("dropped", current=True, anchor=moves)
        made.evaluations |= {n: replace(made.evaluations[n], update=update) for n in NAMES}
        assert made.results().test("nDCG@10", NAMES, gated=True).excused == excused


def test_a_regression_that_unjudged_documents_may_explain_is_excused(lab: Lab) -> None:
    made = Results(lab, late=20)
    made.rules = lab.rules(*NAMES, gate={"pool_suspect": "flag"})
    for name in NAMES:
        made.measure(name, 20, pool_flag="pool-suspect")
    assert [each.is_excused for each in made.evaluations.values()] == [True, True]
    found = made.results().test("nDCG@10", NAMES, gated=True)
    assert found.excused == "unjudged documents may explain alpha and beta"
