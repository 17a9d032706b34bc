"""Workflow commands: each failure at the fixture that it is about."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from pytest_beir.reports.github import workflow_commands
from pytest_beir.reports.story import compose

if TYPE_CHECKING:
    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory


def test_a_failure_stands_at_the_fixture_of_its_retriever(realistic_run: SuiteRun) -> None:
    lines = workflow_commands(compose(realistic_run), {"bm25": ("tests/conftest.py", 12)})
    assert len(lines) == 4
    assert (
        "::error file=tests/conftest.py,line=12,title=BEIR scifact::nDCG@10 −.041 (.652 → .611), "
        "p = .0004, 35 of 300 queries worse"
    ) in lines


def test_a_retriever_whose_place_is_not_known_is_named_all_the_same(
    realistic_run: SuiteRun,
) -> None:
    lines = workflow_commands(compose(realistic_run), {})
    assert lines[-1].startswith("::error title=BEIR webis-touche2020::not comparable: ")


def test_what_is_over_ten_is_counted_in_the_tenth(make: Factory) -> None:
    failed = [
        make.evaluation(f"d{i}", "regressed", make.metric(0.5, 0.4, "regressed")) for i in range(14)
    ]
    lines = workflow_commands(compose(make.run(*failed)), {})
    assert len(lines) == 10
    assert lines[-1] == "::error title=BEIR::and 5 failures: d9, d10, d11, d12 and d13"
    assert len(workflow_commands(compose(make.run(*failed[:10])), {})) == 10


def test_no_text_ends_a_command_or_starts_another(make: Factory) -> None:
    evil = make.evaluation("docs", "error", reason="100 % lost\r\n::set-output name=x::y")
    named = dataclasses.replace(evil, retriever="a,b:c")
    [line] = workflow_commands(compose(make.run(named)), {"a,b:c": ("x,y:z.py", 3)})
    assert "\n" not in line
    assert line.startswith("::error file=x%2Cy%3Az.py,line=3,title=BEIR docs::error: 100 %25 lost ")


def test_a_run_that_passes_has_none(make: Factory) -> None:
    passed = make.evaluation("docs", "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
    assert workflow_commands(compose(make.run(passed)), {}) == []


def test_the_tenth_names_ten_of_the_rest_at_most(make: Factory) -> None:
    def last(number: int) -> str:
        fell = make.metric(0.5, 0.4, "regressed")
        failed = [make.evaluation(f"d{i}", "regressed", fell) for i in range(number)]
        return workflow_commands(compose(make.run(*failed)), {})[-1]

    ten = ", ".join(f"d{number}" for number in range(9, 18))
    assert last(19) == f"::error title=BEIR::and 10 failures: {ten} and d18"
    assert last(22) == f"::error title=BEIR::and 13 failures: {ten}, d18 and others"
