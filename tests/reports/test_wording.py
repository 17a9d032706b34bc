"""Colours: what fails is red, what passes is never red."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines.update import Update
from pytest_beir.reports.wording import metric_style, style

if TYPE_CHECKING:
    from tests.reports.conftest import Factory


@pytest.mark.parametrize(
    ("verdict", "passed", "colour"),
    [
        ("regressed", False, "red"),
        ("regressed", True, "yellow"),  # excused
        ("inconclusive", False, "red"),
        ("inconclusive", True, "yellow"),
        ("unchanged", True, "plain"),
        ("unchanged", False, "red"),  # a floor is missed
        ("improved", True, "green"),
        ("error", False, "red"),
    ],
)
def test_a_dataset_is_red_if_and_only_if_it_fails(
    make: Factory, verdict: str, passed: bool, colour: str
) -> None:
    assert style(make.evaluation("docs", verdict, passed=passed)) == colour


def test_what_is_written_is_green(make: Factory) -> None:
    update = Update("dropped", current=True, anchor=True)
    assert style(make.evaluation("docs", "regressed", passed=True, update=update)) == "green"


def test_a_metric_that_does_not_decide_has_its_own_colour(make: Factory) -> None:
    fell = make.metric(0.5, 0.4, "regressed")
    rose = make.metric(0.5, 0.6, "improved", metric="R@100")
    unsure = make.metric(0.5, 0.49, "inconclusive", metric="P@5")
    recorded = make.metric(0.5, 0.5)
    failing = make.evaluation("docs", "regressed", fell, rose, unsure)
    assert metric_style(failing, fell) == "red"
    assert metric_style(failing, rose) == "green"
    assert metric_style(failing, unsure) == "yellow"
    assert metric_style(failing, recorded) == "plain"
    excused = make.evaluation("docs", "regressed", fell, passed=True)
    assert metric_style(excused, fell) == "yellow"
