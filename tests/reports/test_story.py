"""The story of a run: what it explains to its reader, and which hints hold where."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir.explanation.worst_queries import QueryLoss
from pytest_beir.reports import markdown
from pytest_beir.reports.next_steps import accepting
from pytest_beir.reports.remark import COMPARE, MERGE, REPORTED_RUN, TEST_RUN, Hints
from pytest_beir.reports.story import compose
from pytest_beir.reports.terminal import summary

if TYPE_CHECKING:
    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory

LOSSES = (QueryLoss("q1", "a question", 1.0, 0.0, ()),)


@pytest.fixture
def mixed(make: Factory) -> SuiteRun:
    """A regression, a drop that passes, an error, a flag of the pool, a known warning."""
    fell = make.metric(0.652, 0.611, "regressed", 0.0004)
    unsure = make.metric(0.5, 0.45, "inconclusive", 0.03, reason="undecided")
    alike = make.metric(0.5, 0.5, "unchanged", 1.0)
    return make.run(
        make.evaluation("fell", "regressed", fell, losses=LOSSES, flags=("pool-suspect",)),
        make.evaluation("unsure", "inconclusive", unsure, losses=LOSSES),
        make.evaluation("broken", "error", reason="search() raised OSError: gone", raised=True),
        make.evaluation("short", "error", reason="run.trec:3: no score"),
        make.evaluation("same", "unchanged", alike, warnings=("twins",), data_warnings=("twins",)),
    )


def _told(run: SuiteRun, hints: Hints) -> str:
    lines = summary(compose(run, hints=hints), width=200)
    return "\n".join(line.text for line in lines)


def test_a_run_of_tests_points_to_its_tests_and_options(mixed: SuiteRun) -> None:
    text = _told(mixed, TEST_RUN)
    assert "read the queries that lost most, in the section of the failed test" in text
    assert "read the queries that lost most: -v or -rP shows them" in text
    assert "fix the cause and run again; the section of the failed test has the traceback" in text
    assert "fix what the line above names and run again\n" in text
    assert "1 warning on the data, known since the baseline: -v shows them" in text
    assert "(--beir-report=DIR lists them in DIR/to-judge)" in text


def test_a_run_with_a_report_points_into_it(mixed: SuiteRun) -> None:
    text = _told(mixed, REPORTED_RUN)
    assert "judge those in the new top ten (to-judge/ of the report lists them)" in text


@pytest.mark.parametrize("hints", [COMPARE, MERGE], ids=["compare", "merge"])
def test_a_command_says_nothing_of_tests_or_of_options_that_it_has_not(
    mixed: SuiteRun, hints: Hints
) -> None:
    text = _told(replace(mixed, command=""), hints)
    for wrong in ("failed test", "-rP", "-v ", "(-v)", "run again\n", "--beir-"):
        assert wrong not in text
    assert "fix the cause and " in text
    assert "1 warning on the data, known since the baseline\n" in text


def test_a_comparison_names_the_option_that_lists_queries(mixed: SuiteRun) -> None:
    text = _told(replace(mixed, command=""), COMPARE)
    assert "read the queries that lost most, listed above" in text
    assert "read the queries that lost most: --worst=20 lists them" in text


def test_a_comment_points_to_what_is_folded_in_it(mixed: SuiteRun) -> None:
    text = markdown.render(compose(mixed))
    assert "to do: read the queries that lost most, folded below" in text
    assert "failed test has the traceback" in text
    assert "-rP" not in text


def test_a_merged_report_offers_to_accept_its_own_scores(make: Factory) -> None:
    fell = make.metric(0.652, 0.611, "regressed", 0.0004)
    new = make.metric(None, 0.5, "no baseline")
    run = make.run(
        make.evaluation("fell", "regressed", fell), make.evaluation("new", "no baseline", new)
    )
    steps = compose(replace(run, command=""), remedy=accepting(Path("my report"))).steps
    assert [step.command for step in steps] == [
        "pytest-beir accept 'my report' --only=new --reason=TEXT",
        "pytest-beir accept 'my report' --only=dropped --reason=TEXT",
    ]


def test_a_comparison_offers_nothing_to_store(mixed: SuiteRun) -> None:
    assert compose(replace(mixed, command="")).steps == ()


def test_p_and_its_limit_are_explained_where_they_decide(make: Factory, mixed: SuiteRun) -> None:
    assert [entry.label for entry in compose(mixed).legend] == ["p", "limit", "adjusted"]
    quiet = make.evaluation("same", "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
    assert compose(make.run(quiet)).legend == ()


def test_the_first_update_says_that_the_folder_is_to_be_committed(make: Factory) -> None:
    run = make.run(updates=("docs: new, nDCG@10 .500",))
    assert "next: commit the baselines folder" in "\n".join(
        line.text for line in summary(compose(run, is_first=True))
    )
    assert [remark.label for remark in compose(run).remarks] == ["written"]
