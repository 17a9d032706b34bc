"""A red is confirmed by a second search before it fails anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.judge import judge

if TYPE_CHECKING:
    from tests.conftest import Lab


def test_a_drop_that_both_searches_show_is_regressed(lab: Lab) -> None:
    again = lab.measurement(lab.late(18, first=4)).scores
    judged = judge(
        lab.measurement(lab.late(20), second=again), lab.baseline(lab.measurement()), lab.rules()
    )
    assert (judged.verdict, judged.passed, judged.confirmed) == ("regressed", False, True)


def test_a_drop_that_one_search_shows_is_inconclusive_with_its_own_scores(lab: Lab) -> None:
    now = lab.measurement(lab.late(20), second=lab.measurement().scores)
    judged = judge(now, lab.baseline(lab.measurement()), lab.rules())
    assert (judged.verdict, judged.reason) == ("inconclusive", "not confirmed")
    assert (judged.passed, judged.confirmed) == (True, False)
    metric = judged.metrics["nDCG@10"]
    assert (metric.verdict, metric.reason) == ("inconclusive", "not confirmed")
    assert metric.now == now.means["nDCG@10"]
    assert "suspect:nDCG@10" in judged.flags


@pytest.mark.parametrize("permitted", [("new", "improved"), ("neutral",)])
def test_an_unconfirmed_drop_is_written_by_dropped_alone(
    lab: Lab, permitted: tuple[str, ...]
) -> None:
    now = lab.measurement(lab.late(20), second=lab.measurement().scores)
    stored = lab.baseline(lab.measurement())
    assert judge(now, stored, lab.rules(permitted=permitted)).update is None
    assert judge(now, stored, lab.rules(permitted=("dropped",))).update is not None


def test_a_second_search_is_looked_at_only_for_a_red(lab: Lab) -> None:
    second = lab.measurement(lab.late(20)).scores
    judged = judge(lab.measurement(second=second), lab.baseline(lab.measurement()), lab.rules())
    assert (judged.verdict, judged.confirmed) == ("unchanged", None)
    evaluation = evaluate(
        lab.measurement(second=second), lab.baseline(lab.measurement()), lab.rules()
    )
    assert evaluation.second is None


def test_what_the_second_search_does_not_answer_contradicts_nothing(lab: Lab) -> None:
    from dataclasses import replace

    again = replace(lab.measurement().scores, missing=("q00",))
    judged = judge(
        lab.measurement(lab.late(20), second=again), lab.baseline(lab.measurement()), lab.rules()
    )
    assert (judged.verdict, judged.confirmed) == ("regressed", True)


def test_a_gated_group_is_confirmed_with_its_dataset(lab: Lab) -> None:
    queries = [f"q{number:02d}" for number in range(40)]
    groups = {"odd": tuple(queries[1::2])}
    before = lab.measurement(dict.fromkeys(queries[::2], 3))
    fallen = dict.fromkeys(groups["odd"][:12], 3)
    rules = lab.rules(groups={"field": "group", "gate": ["odd"]})
    second = lab.measurement().scores
    judged = judge(
        lab.measurement(fallen, groups=groups, second=second), lab.baseline(before), rules
    )
    assert (judged.verdict, judged.reason) == ("inconclusive", "not confirmed")
    assert [group.verdict for group in judged.gated_groups] == ["inconclusive"]
    again = lab.measurement(fallen, groups=groups, second=lab.measurement(fallen).scores)
    assert judge(again, lab.baseline(before), rules).reason == "nDCG@10[odd] regressed"
