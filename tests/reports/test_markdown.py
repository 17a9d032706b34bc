"""The comment on a pull request."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ReportError
from pytest_beir.explanation.worst_queries import QueryLoss
from pytest_beir.reports.markdown import escape, render, write

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory


def test_the_headline_has_the_counts(realistic_run: SuiteRun) -> None:
    first = render(realistic_run).splitlines()[0]
    assert first == (
        "## BEIR failed: 2 passed, 1 regressed, 1 improved, 2 cannot tell, 1 error, "
        "1 no baseline, 1 not comparable"
    )


def test_every_row_of_a_table_has_as_many_cells_as_its_header(realistic_run: SuiteRun) -> None:
    rows = [line for line in render(realistic_run).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 9 + 2 + 8
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}
    assert "| scifact | .652 | .611 | −.041 | −.060 | .0004 | .089→.092 | regressed |" in rows


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
    text = render(dataclasses.replace(realistic_run, evaluations=(failed,)))
    assert text.count("</details>") == text.count("<details>")
    assert r"query q\|1: \</details\> # heading \| @<!-- -->everyone" in text


def test_without_texts_only_ids_are_named(realistic_run: SuiteRun) -> None:
    text = render(realistic_run, texts=False)
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
    lines = [line for line in render(run).splitlines() if re.search(r"average\*\*", line)]
    assert len(lines) == 3
    for line, average in zip(lines, run.averages, strict=True):
        assert f"set {average.set.id}" in line
    assert "hotpotqa was deselected" in lines[1]
    assert lines[2].endswith(": likewise")


def test_it_names_what_did_not_run_and_the_commands(realistic_run: SuiteRun) -> None:
    text = render(realistic_run)
    assert "- did not run: bm25 on hotpotqa (deselected by -k)" in text
    assert "- store fiqa, no baseline yet: `pytest --beir --beir-update`" in text
    assert "the datasets disagree: scifact and trec-covid fell, scidocs rose" in text


def test_it_is_written_whole_into_a_new_folder(realistic_run: SuiteRun, tmp_path: Path) -> None:
    path = write(realistic_run, tmp_path / "report")
    assert path.read_text(encoding="utf-8") == render(realistic_run)
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ReportError, match="cannot be written"):
        write(realistic_run, tmp_path / "file")
