"""Colours: what fails is red, what passes is never red."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines.update import Update
from pytest_beir.evaluation.check import Check
from pytest_beir.reports import wording
from pytest_beir.reports.wording import (
    deciding,
    doubt,
    evidence,
    explanation,
    is_large_drop,
    is_unsure,
    is_worth_reading,
    metric_style,
    moved,
    one_line,
    shift,
    side,
    style,
    update_line,
    verdict_word,
)

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


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("verdict", "passed", "updated", "word"),
    [
        ("regressed", True, True, "written"),
        ("no baseline", True, True, "written"),
        ("not comparable", True, True, "written"),
        ("regressed", True, False, "regressed"),
        ("regressed", False, True, "regressed"),  # a floor fails it all the same
        ("improved", True, True, "improved"),
    ],
)
def test_only_what_would_fail_and_was_written_is_called_written(
    make: Factory, verdict: str, passed: bool, updated: bool, word: str
) -> None:
    update = Update("dropped", current=True, anchor=True) if updated else None
    assert verdict_word(make.evaluation("docs", verdict, passed=passed, update=update)) == word


def test_the_side_of_a_difference_decides_which_p_and_which_queries_are_told(
    make: Factory,
) -> None:
    rose = make.metric(0.5, 0.52, "improved", 0.98, p_gain=0.02, worse=3, better=9)
    assert rose.current is not None
    assert side(rose.current) == 0.02
    assert plain(evidence(rose)) == (
        "nDCG@10 +.020 (.500 → .520), p = .0200, 9 of 300 queries better"
    )
    assert plain(moved(rose)).endswith(", 9 of 300 queries better, 3 worse")
    same = make.metric(0.5, 0.5, "unchanged", 0.7, p_gain=0.6, worse=3, better=9)
    assert same.current is not None
    assert side(same.current) == 0.7
    assert plain(moved(same)).endswith(", 3 of 300 queries worse, 9 better")
    new = make.metric(None, 0.5, "no baseline")
    assert shift(new) == evidence(new) == moved(new) == "nDCG@10 .500"


def test_a_drop_that_the_anchor_alone_shows_is_told_against_it(make: Factory) -> None:
    older = make.comparison(-0.05, 0.0002)
    given: dict[str, Any] = {"anchor": 0.55, "against_anchor": older}
    fell = make.metric(0.5, 0.5, "regressed", 0.4, regressed_against=("anchor",), **given)
    assert wording.tested(fell) == (older, 0.55, "anchor")
    assert plain(shift(fell)) == "nDCG@10 −.050 against the anchor (.550 → .500)"
    both = make.metric(0.5, 0.4, "regressed", regressed_against=("current", "anchor"), **given)
    assert wording.tested(both) == (both.current, 0.5, "current")


def test_a_failed_test_tells_the_metrics_that_fell_and_not_the_others(make: Factory) -> None:
    fell = make.metric(0.5, 0.4, "regressed", 0.0004)
    rose = make.metric(0.5, 0.6, "improved", metric="P@5")
    line = one_line(make.evaluation("docs", "regressed", rose, fell))
    assert line == "nDCG@10 −.100 (.500 → .400), p = .0004, 35 of 300 queries worse"
    excused = make.evaluation("docs", "regressed", fell, passed=True, flags=("pool-suspect",))
    assert one_line(excused).endswith("; passes, since unjudged documents may explain it")
    group = replace(fell, metric="nDCG@10[billing]")
    calm = make.metric(0.5, 0.5, "unchanged", 1.0)
    grouped = make.evaluation("docs", "regressed", calm, gated_groups=(group,))
    first, second = one_line(grouped).split("; ")
    assert first.startswith("nDCG@10[billing] −.100")
    assert second.startswith("nDCG@10 .000")


@pytest.mark.parametrize(
    ("verdict", "command", "line"),
    [
        ("error", "pytest", "error: why"),
        (
            "not comparable",
            "pytest",
            "not comparable: why; renew it: pytest --beir-accept=incomparable --beir-reason=TEXT",
        ),
        ("not comparable", "", "not comparable: why"),
        ("no baseline", "pytest", "no baseline: nDCG@10 .500; store it: pytest --beir-update"),
        ("no baseline", "", "no baseline: nDCG@10 .500"),
    ],
)
def test_the_remedy_is_what_was_run_with_an_option_more(
    make: Factory, verdict: str, command: str, line: str
) -> None:
    metric = make.metric(None, 0.5, verdict)
    assert one_line(make.evaluation("docs", verdict, metric, reason="why"), command) == line


def test_a_floor_of_a_drop_that_is_written_says_what_is_left_to_change(make: Factory) -> None:
    floor = Check(kind="floor", limit=0.6, now=0.5, place="the floor", metric="nDCG@10")
    pinned = Check(kind="pin", limit=3, now=9, place="pins:2", query="q", document="d")
    fell = make.metric(0.7, 0.5, "regressed")
    missed = make.evaluation("docs", "regressed", fell, checks=(floor, pinned), passed=False)
    assert "; the baseline is written" not in one_line(missed)
    written = replace(missed, update=Update("dropped", current=True, anchor=True))
    first, second, third, *_ = one_line(written).split("; ")
    assert (first, second) == (
        "floor: nDCG@10 is 0.5000, below 0.6 (the floor)",
        "the baseline is written, now change the floor",
    )
    assert (
        third == "pinned query 'q': document 'd' stands at 9, must be at rank 3 or better (pins:2)"
    )
    assert update_line(None, written, "dropped") == (
        "docs: dropped, nDCG@10 .500; the next run fails unless you change the floor and pins:2"
    )


@pytest.mark.parametrize(
    ("reason", "given", "text"),
    [
        ("underpowered", {"queries_needed": 1234}, "1,234 queries would exclude a drop of .02"),
        (
            "underpowered",
            {"queries_needed": None, "margin_bound": -0.031},
            "a drop of .02 is not excluded (bound −.031)",
        ),
        (
            "undecided",
            {"margin_bound": -0.031},
            "a drop of .02 would show, but is not excluded (bound −.031)",
        ),
        ("noise", {}, "repeating the retriever moves the score as much"),
        ("not confirmed", {}, "a second search did not regress"),
        # Half to the eighth is .0039, and the level of one test .0045.
        (
            "too few changed queries",
            {"changed": 7},
            "7 of 300 queries changed, and at least 8 must for a drop to be significant",
        ),
        (
            "too few queries",
            {"changed": 7, "n": 12},
            (
                "under 100, no drop can be excluded; 7 of 12 queries changed, and at least 8 must "
                "for a drop to be significant"
            ),
        ),
        ("too few queries", {"changed": 8, "n": 12}, "under 100, no drop can be excluded"),
    ],
)
def test_each_doubt_has_its_numbers(
    make: Factory, reason: str, given: dict[str, Any], text: str
) -> None:
    metric = make.metric(0.5, 0.48, "inconclusive", 0.03, reason=reason, **given)
    assert metric.current is not None
    assert explanation(metric, metric.current) == f"{reason}: {text}"
    assert doubt(make.evaluation("docs", "inconclusive", metric)) == f"{reason}: {text}"


def test_of_several_gated_metrics_each_doubt_has_its_name(make: Factory) -> None:
    one = make.metric(0.5, 0.48, "inconclusive", reason="noise")
    sure = make.metric(0.5, 0.5, "unchanged", metric="P@5")
    assert doubt(make.evaluation("docs", "inconclusive", one, sure)) == (
        "nDCG@10 noise: repeating the retriever moves the score as much"
    )
    assert doubt(make.evaluation("docs", "inconclusive", sure, reason="why")) == "why"


def test_the_metric_with_the_datasets_verdict_decides_else_the_first_gated_one(
    make: Factory,
) -> None:
    recorded = make.metric(0.5, 0.4)
    calm = make.metric(0.5, 0.5, "unchanged", metric="P@5")
    fell = make.metric(0.5, 0.4, "regressed")
    assert deciding(make.evaluation("docs", "regressed", recorded, calm, fell)) is fell
    assert deciding(make.evaluation("docs", "not comparable", recorded, calm, fell)) is calm
    assert deciding(make.evaluation("docs", "unchanged", recorded)) is recorded
    assert deciding(make.evaluation("docs", "error")) is None


def test_a_drop_as_large_as_the_margin_is_large(make: Factory) -> None:
    assert is_large_drop(make.metric(0.5, 0.48, "inconclusive", effect=-0.02))
    assert is_large_drop(make.metric(0.5, 0.48, "inconclusive", effect=-0.02 + 5e-10))
    assert not is_large_drop(make.metric(0.5, 0.48, "inconclusive", effect=-0.02 + 2e-9))
    assert not is_large_drop(make.metric(0.5, 0.52, "inconclusive", effect=0.02))
    assert not is_large_drop(make.metric(None, 0.5, "no baseline"))


def test_a_drop_that_passes_is_worth_reading_and_a_gain_is_not(make: Factory) -> None:
    fell, rose = make.metric(0.5, 0.48, "inconclusive"), make.metric(0.5, 0.52, "inconclusive")
    assert is_worth_reading(make.evaluation("docs", "inconclusive", fell))
    assert not is_worth_reading(make.evaluation("docs", "inconclusive", rose))
    level = make.metric(0.5, 0.5, "inconclusive")
    assert not is_worth_reading(make.evaluation("docs", "inconclusive", level))
    small = make.metric(0.5, 0.499, "within tolerance")
    tolerated = make.evaluation("docs", "within tolerance", small)
    assert not is_worth_reading(tolerated)
    assert is_worth_reading(replace(tolerated, strict_failures=("suspect",)))
    update = Update("neutral", current=True, anchor=False)
    assert not is_worth_reading(make.evaluation("docs", "inconclusive", fell, update=update))
    assert not is_worth_reading(make.evaluation("docs", "error"))


def test_what_is_inconclusive_or_excused_is_unsure(make: Factory) -> None:
    assert is_unsure(make.evaluation("docs", "inconclusive"))
    excused = make.evaluation("docs", "regressed", passed=True, flags=("pool-suspect",))
    assert is_unsure(excused)
    assert not is_unsure(replace(excused, passed=False))
    assert not is_unsure(make.evaluation("docs", "improved"))
