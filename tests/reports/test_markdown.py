"""The comment on a pull request."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import pytest

from pytest_beir.explanation.worst_queries import QueryLoss
from pytest_beir.reports.markdown import LONGEST, escape, files, render
from pytest_beir.reports.story import compose

if TYPE_CHECKING:
    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory


def test_the_headline_says_the_outcome_and_the_next_line_counts(realistic_run: SuiteRun) -> None:
    first, _, second = render(compose(realistic_run)).splitlines()[:3]
    assert first == (
        "## ❌ BEIR FAILED: nq ended in an error; scifact regressed; webis-touche2020 does not "
        "compare with its baseline; fiqa has no baseline yet."
    )
    assert second.startswith("BEIR: 2 passed, 1 regressed, 1 improved, 2 cannot tell")


def test_every_row_of_a_table_has_as_many_cells_as_its_header(realistic_run: SuiteRun) -> None:
    text = render(compose(realistic_run))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 9 + 2 + 8
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}
    assert "| scifact | .652 | .611 | −.041 | −.060 | .0004 | 9\u00a0% | 🔻 regressed |" in rows


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("*x* _y_ `z`", r"\*x\* \_y\_ \`z\`"),
        ("<img src=x>", r"\<img src=x\>"),
        ("[a](b)", r"\[a\](b)"),
        ("first\nsecond", "first second"),
        ("ask @someone, see #12", "ask @<!-- -->someone, see #<!-- -->12"),
        ("nDCG@10", "nDCG@10"),
        ("a\\|b", r"a\\\|b"),
    ],
)
def test_a_text_from_outside_is_shown_as_it_is(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_texts_of_queries_cannot_break_out_of_the_details(
    make: Factory, realistic_run: SuiteRun
) -> None:
    evil = QueryLoss("q|1", "</details>\n# heading | @everyone", 1.0, 0.0, ())
    failed = make.evaluation(
        "docs", "regressed", make.metric(0.5, 0.4, "regressed", 0.001), losses=(evil,)
    )
    text = render(compose(dataclasses.replace(realistic_run, evaluations=(failed,))))
    assert text.count("</details>") == text.count("<details>")
    assert r"query q\|1: \</details\> # heading \| @<!-- -->everyone" in text


def test_without_texts_only_ids_are_named(realistic_run: SuiteRun) -> None:
    text = render(compose(realistic_run, texts=False))
    assert "query 1395\n" in text
    assert "document 17717391\n" in text
    assert "Shoes" not in text
    assert "Footwear" not in text


def test_an_average_never_stands_without_its_set(make: Factory, realistic_run: SuiteRun) -> None:
    shown = make.average(
        "nDCG@10",
        ("a@test", "b@test"),
        now=0.4,
        baseline=0.41,
        comparison=make.comparison(-0.01, 0.001),
    )
    run = dataclasses.replace(realistic_run, averages=(shown, *realistic_run.averages))
    text = render(compose(run))
    lines = [line for line in text.splitlines() if re.search(r"average\*\*", line)]
    assert len(lines) == 3
    assert all("nightly (" in line for line in lines)
    assert "hotpotqa was deselected" in lines[1]
    for average in run.averages:
        assert average.set.id in text


def test_it_names_what_did_not_run_and_the_commands(realistic_run: SuiteRun) -> None:
    text = render(compose(realistic_run))
    assert "- **did not run**: hotpotqa: deselected by -k" in text
    stored = "**store** fiqa, no baseline yet; on your machine, then commit it:\n"
    assert f"{stored}```console\npytest --beir --beir-update\n```" in text
    assert "the datasets disagree: scifact and trec-covid fell, scidocs rose" in text


def test_a_command_repeats_what_was_typed(realistic_run: SuiteRun) -> None:
    run = dataclasses.replace(realistic_run, command="pytest --beir --beir-datasets=a1=data/alpha")
    assert "\npytest --beir --beir-datasets=a1=data/alpha --beir-update\n" in render(compose(run))


def test_a_refused_update_names_the_retriever_where_there_are_several(make: Factory) -> None:
    refused = make.evaluation(
        "docs",
        "improved",
        make.metric(0.2, 0.3, "improved", 1.0),
        update_refused="R@100 fell significantly",
    )
    other = dataclasses.replace(refused, retriever="dense", update_refused=None)
    text = render(compose(make.run(refused, other)))
    assert "- **not written**: bm25 docs: R@100 fell significantly" in text


def test_a_comment_stays_short_enough_for_github_and_keeps_its_verdict(
    make: Factory, losses: tuple[QueryLoss, ...]
) -> None:
    long = tuple(dataclasses.replace(each, text="a long question " * 200) for each in losses)
    failed = [
        make.evaluation(f"d{i}", "regressed", make.metric(0.5, 0.4, "regressed"), losses=long)
        for i in range(30)
    ]
    text = render(compose(make.run(*failed)))
    assert len(text) <= LONGEST
    assert text.startswith("## ❌ BEIR FAILED: d0, d1, d2, d3 and 26 more regressed")
    assert "**d29** regressed" in text
    many = [dataclasses.replace(failed[0], dataset=f"{'x' * 60}{i}") for i in range(400)]
    cut = render(compose(make.run(*many)))
    assert len(cut) <= LONGEST
    assert cut.endswith("the whole is in `beir.json` of the report.\n")


def test_it_is_one_file(realistic_run: SuiteRun) -> None:
    story = compose(realistic_run)
    assert files(story) == {"beir.md": render(story)}
