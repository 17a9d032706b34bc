"""The summary, the progress line and the details of a failure."""

from __future__ import annotations

import dataclasses
import re
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.baselines.update import Update
from pytest_beir.explanation.worst_queries import MovedDocument, QueryLoss
from pytest_beir.reports import html
from pytest_beir.reports.story import compose
from pytest_beir.reports.terminal import failure_block, one_line, progress_line, summary
from pytest_beir.suite.run import DidNotRun, SuiteRun
from pytest_beir.text_layout import Line, columns

if TYPE_CHECKING:
    from pathlib import Path

    from tests.reports.conftest import Factory

GOLDEN = """\
FAILED: nq ended in an error; scifact regressed; webis-touche2020 does not
    compare with its baseline; fiqa has no baseline yet.

bm25 0.3: nDCG@10 on 9 of 10 datasets
dataset           baseline   now  change      p   judged  verdict
arguana               .397  .397    .000      1     10 %  unchanged
climate-fever         .165  .164   −.001  .2400     11 %  within tolerance
dbpedia-entity        .313  .309   −.004  .3180  71→69 %  inconclusive
fiqa                     –  .236       –      –      7 %  no baseline
nq                       –     –       –      –        –  error
scidocs               .149  .158   +.009  <1e-6     10 %  improved
scifact               .652  .611   −.041  .0004      9 %  regressed
trec-covid            .656  .625   −.031  .0213  91→90 %  inconclusive
webis-touche2020         –  .371       –      –     40 %  not comparable

trec-covid is inconclusive, a likely drop: nDCG@10 −.031 (.656 → .625), 29 of 50
    queries worse, 17 better
  sure    as large as the margin, p = .0213, above the limit .0045;
          underpowered: 133 queries would exclude a drop of .03

scifact regressed: nDCG@10 −.041 (.652 → .611), 35 of 300 queries worse, 12
    better
  sure    p = .0004, below the limit .0045 (adjusted p = .0044)
  to do   read the queries that lost most, in the section of the failed test

nq ended in an error: 1,204 of 3,452 queries have no answer, the first of them
    test0, test3 and test9; allow_missing is 0
  to do   fix what the line above names and run again

webis-touche2020 does not compare with its baseline: the judgements are not
    those of the baseline (2,214 then, 2,099 now)

dbpedia-entity is inconclusive: nDCG@10 −.004 (.313 → .309), 151 of 400 queries
    worse, 140 better
  sure    p = .3180, above the limit .0045; underpowered: 487 queries would
          exclude a drop of .02
  flag    corpus-changed: the documents differ from those of the baseline

scidocs improved: nDCG@10 +.009 (.149 → .158), 268 of 1,000 queries better, 187
    worse
  sure    p < 1e-6, below the limit .0045

climate-fever is within tolerance: nDCG@10 −.001 (.165 → .164), 214 of 1,535
    queries worse, 197 better
  suspect R@100 −.006 (.425 → .419), p = .0031, 88 of 1,535 queries worse, not
          gated

read first: the datasets disagree: scifact and trec-covid fell, scidocs rose;
    those that resemble your data say more than an average
no average: nDCG@10 over nightly (10 datasets): hotpotqa was deselected, nq
    ended in an error, fiqa has no baseline, webis-touche2020 is not comparable
    with its baseline

How to read this
  p        chance that a harmless change looks this bad, or this good
  limit    a drop fails where p is at or below it
  adjusted the same p on the scale of the whole run, whose limit is .05

did not run: hotpotqa: deselected by -k

store: fiqa, no baseline yet; on your machine, then commit it:
    pytest --beir --beir-update
update: scidocs, better than the stale baseline:
    pytest --beir --beir-update
accept: scifact, if the drop is wanted:
    pytest --beir --beir-accept=dropped --beir-reason=TEXT
renew: webis-touche2020, measured on something else:
    pytest --beir --beir-accept=incomparable --beir-reason=TEXT

BEIR: 2 passed, 1 regressed, 1 improved, 2 cannot tell, 1 error, 1 no baseline,
    1 not comparable; trec-covid −.031 would take 133 queries to tell
"""


def _text(run: SuiteRun, *, ascii: bool = False) -> str:  # noqa: A002
    return "\n".join(line.text for line in told(run, ascii=ascii)) + "\n"


def told(run: SuiteRun, **given: Any) -> list[Line]:
    """The summary of a run, under `-v` so that all of it is there, unless `verbose` says no."""
    composing = {name: given.pop(name) for name in ("shape_matches", "is_first") if name in given}
    return summary(compose(run, **composing), **{"verbose": True, **given})


def _flat(text: str) -> str:
    return " ".join(text.split())


def test_a_realistic_run_reads_like_this(realistic_run: SuiteRun) -> None:
    lines = told(realistic_run, verbose=False)
    assert "\n".join(line.text for line in lines) + "\n" == GOLDEN


def test_every_line_but_commands_fits_80_columns_and_50(realistic_run: SuiteRun) -> None:
    for ascii_only, width in product((False, True), (80, 50)):
        lines = told(realistic_run, ascii=ascii_only, width=width)
        shown = [line.text for line in lines if not line.text.startswith("    pytest ")]
        assert max(map(columns, shown)) <= width


def test_an_ascii_terminal_gets_ascii_with_the_same_numbers(realistic_run: SuiteRun) -> None:
    text = _text(realistic_run, ascii=True)
    assert text.isascii()
    assert "-.041" in text
    assert "71->69 %" in text
    assert "alpha .05 over 11 tests" in _flat(text)


NAMES = st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,90}\Z")
SCORES = st.floats(0.0, 1.0)
LEVELS = st.floats(1e-12, 1.0)


@given(NAMES, st.text(max_size=60), SCORES, SCORES, LEVELS, st.text(max_size=200), st.booleans())
def test_no_name_number_or_reason_makes_a_line_wider_and_numbers_stay_whole(
    make: Factory,
    dataset: str,
    retriever: str,
    before: float,
    now: float,
    p: float,
    reason: str,
    ascii: bool,  # noqa: A002
) -> None:
    evaluation = make.evaluation(
        dataset,
        "inconclusive",
        make.metric(
            before, now, "inconclusive", p, reason="underpowered", n=13145, alpha=0.05 / 18
        ),
        make.metric(before, now, None, p),
        retriever=retriever,
        reason=reason,
        flags=("likely-drop", "suspect:R@100"),
        notes=(reason,),
        warnings=(reason,),
        judged_at_10=(before, now),
    )
    wrong = make.evaluation(f"{dataset}2", "error", reason=reason, retriever=retriever)
    lost = (DidNotRun(retriever, f"{dataset}3", reason, on_purpose=False),)
    run = make.run(evaluation, wrong, did_not_run=lost, updates=(reason,))
    lines = told(run, ascii=ascii)
    assert max(columns(line.text) for line in lines) <= 80
    row = next(line.text for line in lines if line.text.endswith("inconclusive"))
    shown = (f"{before:.3f}".removeprefix("0"), f"{now:.3f}".removeprefix("0"))
    assert all(number in row for number in shown)
    progress = progress_line(evaluation, ascii=ascii, show_retriever=True).text
    assert columns(progress) <= 80
    assert progress.endswith("inconclusive")
    assert all(number in progress for number in shown)
    assert columns(progress_line(wrong, ascii=ascii).text) <= 80
    block = failure_block(evaluation, ascii=ascii)
    assert max(map(columns, block.split("\n"))) <= 80


@pytest.mark.parametrize("verdict", ["average", "no average"])
def test_an_average_never_stands_without_its_set(
    make: Factory, realistic_run: SuiteRun, verdict: str
) -> None:
    members = tuple(f"{name}@test" for name in realistic_run.declared)
    given = (
        {"withheld": "fiqa did not run"}
        if verdict == "no average"
        else {"now": 0.4, "baseline": 0.41, "comparison": make.comparison(-0.01, 0.002)}
    )
    for name in ("nightly", ""):
        average = make.average("nDCG@10", members, name=name, **given)
        text = _flat(_text(dataclasses.replace(realistic_run, averages=(average,))))
        line = re.search(rf"{verdict}: nDCG@10 over (.*?): (.*)", text)
        assert line
        assert line[1] == (f"{name} (10 datasets)" if name else "10 datasets")
        assert f"set: {', '.join(members)} (its ids: nDCG@10 {average.set.id})" in text


def test_no_average_is_shown_where_the_run_has_none(make: Factory) -> None:
    evaluations = [
        make.evaluation(name, "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
        for name in ("one", "two")
    ]
    assert "average" not in _text(make.run(*evaluations))


def test_a_tested_average_shows_its_move_its_level_and_its_verdict(make: Factory) -> None:
    average = make.average(
        "nDCG@10",
        ("a@test", "b@test"),
        now=0.404,
        baseline=0.413,
        comparison=make.comparison(-0.009, 0.0004, lower=-0.013),
        verdict="regressed",
        alpha=0.0125,
        against_anchor=make.comparison(-0.012, 0.0001),
        anchor=0.416,
    )
    lines = told(make.run(averages=(average,), retrievers=(), selected=("a",)))
    assert lines[-1].style == "red"
    run = make.run(make.evaluation("a", "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0)))
    text = _flat(_text(dataclasses.replace(run, averages=(average,))))
    assert (
        "average: nDCG@10 over nightly (2 datasets): .413 → .404, −.009, p = .0004, the limit is "
        ".0125; against the anchor .416 −.012, p = .0001: regressed"
    ) in text
    assert "1 regressed average" in text


def test_datasets_that_disagree_are_named_before_the_average(
    make: Factory, realistic_run: SuiteRun
) -> None:
    text = _flat(_text(realistic_run))
    warning = "the datasets disagree: scifact and trec-covid fell, scidocs rose"
    assert text.index(warning) < text.index("no average")
    matched = " ".join(line.text for line in told(realistic_run, shape_matches=("scifact", "fiqa")))
    assert "scifact and fiqa resemble yours" in _flat(matched)
    agreeing = make.run(*(e for e in realistic_run.evaluations if e.verdict != "improved"))
    assert "disagree" not in _text(dataclasses.replace(agreeing, averages=realistic_run.averages))


def test_likely_drops_come_first_and_harmless_results_last(realistic_run: SuiteRun) -> None:
    chapter = compose(realistic_run).chapters[0]
    assert [each.evaluation.dataset for each in chapter.paragraphs] == [
        "trec-covid",
        "scifact",
        "nq",
        "webis-touche2020",
        "dbpedia-entity",
        "scidocs",
        "climate-fever",
    ]


def test_a_dataset_that_is_as_it_was_has_no_paragraph(realistic_run: SuiteRun) -> None:
    assert not re.search(r"^arguana (?! )", _text(realistic_run), re.MULTILINE)


def test_the_verdict_comes_first_and_the_counts_last(realistic_run: SuiteRun) -> None:
    lines = told(realistic_run, verbose=False)
    assert lines[0].text.startswith("FAILED: nq ended in an error; scifact regressed;")
    assert "\n".join(line.text for line in lines[-2:]).startswith("BEIR: 2 passed")


def test_details_are_shown_on_demand_only(realistic_run: SuiteRun) -> None:
    brief = "\n".join(line.text for line in told(realistic_run, verbose=False))
    whole = _text(realistic_run)
    for detail in ("limits: ", "R@100, recorded only", "e71deea24590", "lower"):
        assert detail in whole
        assert detail not in brief


def test_warnings_on_data_that_are_known_are_counted_and_shown_on_demand(make: Factory) -> None:
    known = make.evaluation(
        "docs",
        "unchanged",
        make.metric(0.5, 0.5, "unchanged", 1.0),
        warnings=("two alike", "typo"),
        data_warnings=("two alike",),
    )
    fresh = make.evaluation(
        "new", "no baseline", make.metric(None, 0.5, "no baseline"), warnings=("one is empty",)
    )
    brief = "\n".join(line.text for line in told(make.run(known, fresh), verbose=False))
    assert "warning: new: one is empty" in brief
    assert "two alike" not in brief
    assert "warning: docs: typo" in brief
    assert "data: 1 warning on the data, known since the baseline: -v shows them" in brief
    assert "warning: docs: two alike" in _text(make.run(known, fresh))


def test_warnings_on_a_corpus_that_changed_are_news(make: Factory) -> None:
    moved = make.evaluation(
        "docs",
        "unchanged",
        make.metric(0.5, 0.5, "unchanged", 1.0),
        flags=("corpus-changed",),
        warnings=("30 judged documents are gone",),
        data_warnings=("30 judged documents are gone",),
    )
    text = "\n".join(line.text for line in told(make.run(moved), verbose=False))
    assert "warning: docs: 30 judged documents are gone" in text
    assert "known since the baseline" not in text


def test_a_metric_that_no_query_changed_is_one_line_of_a_failure(make: Factory) -> None:
    fell = make.metric(0.5, 0.4, "regressed", 0.0001)
    same = make.metric(0.9, 0.9, worse=0, better=0)
    block = failure_block(make.evaluation("docs", "regressed", fell, same))
    assert "R@100, recorded only: .9000, unchanged on all 300 queries" in block
    assert block.count("margin bound") == 1


def test_a_first_run_has_a_legend_of_at_most_eight_lines(make: Factory) -> None:
    run = make.run(make.evaluation("docs", "no baseline", make.metric(None, 0.5, "no baseline")))
    lines = [line.text for line in told(run, is_first=True, verbose=False)]
    start = lines.index("How to read this")
    assert lines.index("", start) - start <= 8
    assert "no baseline: nothing to compare with" in lines[lines.index("", start) - 1]
    assert "How to read this" not in _text(run)


def test_a_drop_that_is_not_certain_shows_its_queries_on_demand_and_says_so(
    make: Factory, losses: tuple[QueryLoss, ...]
) -> None:
    metric = make.metric(0.5, 0.45, "inconclusive", 0.03, reason="undecided")
    run = make.run(make.evaluation("docs", "inconclusive", metric, losses=losses))
    brief = "\n".join(line.text for line in told(run, verbose=False))
    assert "to do   read the queries that lost most: -v or -rP shows them" in brief
    assert "Vitamin D does not" not in brief
    assert "  .816 → .200  502  Vitamin D does not prevent colds" in _text(run)


def test_versions_that_differ_stand_beside_a_drop(make: Factory) -> None:
    fell = make.evaluation("docs", "regressed", make.metric(0.5, 0.4, "regressed", 0.0001))
    same = make.evaluation("faq", "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
    before = SimpleNamespace(
        history=SimpleNamespace(versions={"numpy": "1.26.4", "python": "3.11.7", "retriever": "1"})
    )
    keys = [("bm25", "docs"), ("bm25", "faq")]
    now = {"numpy": "2.0.0", "python": "3.11.7", "pytest-beir": "9", "retriever": "2", "faiss": "1"}
    stored: Any = dict.fromkeys(keys, before)
    story = compose(make.run(fell, same), stored=stored, versions=dict.fromkeys(keys, now))
    text = "\n".join(line.text for line in summary(story))
    assert "versions: docs: numpy 1.26.4 → 2.0.0, retriever 1 → 2 since the baseline" in text


def test_several_gated_metrics_share_one_table(make: Factory) -> None:
    run = make.run(
        make.evaluation(
            "docs",
            "regressed",
            make.metric(0.5, 0.4, "regressed", 0.0001),
            make.metric(0.9, 0.9, "unchanged", 1.0, metric="R@100"),
        )
    )
    text = _text(run)
    assert "bm25 0.3: nDCG@10 and R@100 on 1 dataset" in text
    assert re.search(r"^docs +nDCG@10 .* regressed$", text, re.MULTILINE)
    assert re.search(r"^ +R@100 .* unchanged$", text, re.MULTILINE)


def test_a_harmless_change_offers_no_command(make: Factory) -> None:
    harmless = make.metric(0.5, 0.499, "within tolerance", 0.2)
    assert compose(make.run(make.evaluation("docs", "within tolerance", harmless))).steps == ()
    gain = make.metric(0.5, 0.503, "within tolerance", 0.9999, p_gain=0.0001)
    steps = compose(make.run(make.evaluation("docs", "within tolerance", gain))).steps
    assert [each.label for each in steps] == ["keep"]


@pytest.mark.parametrize(
    ("reason", "given", "explained"),
    [
        ("underpowered", {"sd": 0.2}, "underpowered: 687 queries would exclude a drop of .02"),
        (
            "undecided",
            {"margin_bound": -0.0231},
            "undecided: a drop of .02 would show, but is not excluded (bound −.023)",
        ),
        ("too few queries", {"n": 12}, "too few queries: under 100, no drop can be excluded"),
        (
            "too few changed queries",
            {"changed": 4, "alpha": 0.05 / 18},
            "too few changed queries: 4 of 300 queries changed, and at least 9 must",
        ),
        ("noise", {}, "noise: repeating the retriever moves the score as much"),
    ],
)
def test_every_inconclusive_dataset_says_why(
    make: Factory, reason: str, given: dict[str, float], explained: str
) -> None:
    metric = make.metric(0.5, 0.499, "inconclusive", 0.4, reason=reason, **given)
    level = ".0028" if "alpha" in given else ".0045"
    text = _flat(_text(make.run(make.evaluation("docs", "inconclusive", metric))))
    assert "docs is inconclusive: nDCG@10 −.001" in text
    assert f"above the limit {level}; {explained}" in text


def test_the_last_line_counts_and_names_unsure_drops_larger_than_the_margin(
    realistic_run: SuiteRun,
) -> None:
    text = _flat(_text(realistic_run))
    assert text.endswith(
        "BEIR: 2 passed, 1 regressed, 1 improved, 2 cannot tell, 1 error, 1 no baseline, "
        "1 not comparable; trec-covid −.031 would take 133 queries to tell"
    )
    assert "dbpedia-entity −.004 would" not in text


def test_a_quiet_run_is_short_and_green(make: Factory) -> None:
    evaluations = [
        make.evaluation(name, "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
        for name in ("one", "two")
    ]
    lines = told(make.run(*evaluations))
    assert lines[-1].text == "BEIR: 2 passed, 0 regressed, 0 improved, 0 cannot tell"
    assert lines[-1].style == "green"
    assert {line.style for line in lines} <= {"plain", "bold", "dim", "green"}


def test_a_run_without_results_says_that_nothing_ran(make: Factory) -> None:
    run = make.run(declared=("one", "two"), selected=("one", "two"))
    assert told(run)[-1].text.endswith("; 0 of 2 datasets ran")
    assert told(run)[-1].style == "yellow"


def test_a_first_run_that_writes_its_baselines_counts_them_as_written(make: Factory) -> None:
    written = make.evaluation(
        "docs",
        "no baseline",
        make.metric(None, 0.236, "no baseline"),
        passed=True,
        update=Update("new", current=True, anchor=True),
    )
    text = _text(make.run(written, updates=("docs: new, .236",)))
    assert "0 cannot tell, 1 written" in text
    assert "written: docs: new, .236" in text
    assert "--beir-update" not in text


def test_a_refused_update_says_why(make: Factory) -> None:
    refused = make.evaluation(
        "docs",
        "improved",
        make.metric(0.2, 0.3, "improved", 1.0),
        update_refused="R@100 fell significantly",
    )
    assert "not written: docs: R@100 fell significantly" in _text(make.run(refused))


def test_a_regression_excused_by_its_flag_counts_as_cannot_tell(make: Factory) -> None:
    excused = make.evaluation(
        "docs",
        "regressed",
        make.metric(0.5, 0.4, "regressed", 0.0001),
        passed=True,
        flags=("pool-suspect",),
    )
    lines = told(make.run(excused))
    assert lines[-1].text.startswith("BEIR: 0 passed, 0 regressed, 0 improved, 1 cannot tell")
    assert lines[-1].style == "yellow"


def test_strict_complaints_are_listed_per_dataset_and_counted(make: Factory) -> None:
    failing = make.evaluation(
        "docs",
        "inconclusive",
        make.metric(0.5, 0.45, "inconclusive", 0.03, reason="undecided"),
        passed=False,
        flags=("likely-drop", "drift"),
        strict_failures=("likely-drop",),
    )
    text = _text(make.run(failing))
    assert "strict  likely-drop: declared to fail" in text
    assert "1 cannot tell, 1 failed by strict flags" in _flat(text)


def test_limits_are_printed_once_and_again_where_they_differ(realistic_run: SuiteRun) -> None:
    text = _flat(_text(realistic_run))
    assert (
        "limits: fails at p ≤ .0045 with a loss of min_effect .005 or more; margin .02; "
        "α .05 over 11 tests; but min_effect .0041, margin .0165 for climate-fever; "
        "min_effect .0037, margin .0149 for scidocs; margin .03 for trec-covid"
    ) in text


def test_a_level_that_is_halved_says_between_what(make: Factory) -> None:
    usual = make.metric(0.5, 0.5, "unchanged", 1.0)
    halved = make.metric(
        *(0.5, 0.49, "inconclusive", 0.3),
        reason="undecided",
        alpha=0.05 / 22,
        against_anchor=make.comparison(-0.01, 0.3),
    )
    evaluations = [make.evaluation(f"d{i}", "unchanged", usual) for i in range(3)]
    both = [make.evaluation(name, "inconclusive", halved) for name in ("x", "y")]
    text = _flat(_text(make.run(*evaluations, *both)))
    assert "but p ≤ .0023 against current and anchor each for x and y" in text


def test_a_significant_drop_below_min_effect_is_noted(make: Factory) -> None:
    note = "significant drop below min_effect"
    metric = make.metric(0.5, 0.498, "within tolerance", 0.001, note=note)
    text = _text(make.run(make.evaluation("docs", "within tolerance", metric)))
    assert "note    nDCG@10 −.002 (.500 → .498), 35 of 300 queries worse, 12 better" in text
    assert "significant drop below min_effect" in _flat(text)


def test_queries_with_one_text_are_counted_once_and_the_summary_says_how_many(
    make: Factory,
) -> None:
    metric = make.metric(1.0, 0.9, "regressed", 0.001, n=35)
    alike = (("q0", "q1", "q2"), ("q7", "q9"))
    text = _flat(_text(make.run(make.evaluation("docs", "regressed", metric, same_text=alike))))
    assert "worse, 12 better; 3 queries with the text of another not counted again" in text


def test_baselines_that_no_suite_names_are_listed(make: Factory) -> None:
    run = make.run(unused_baselines=(("bm25", "old"), ("bm25", "older")), selected=("docs",))
    assert (
        "unused: baselines of bm25 for old and older, which no suite names: declare them, or "
        "delete them with `pytest --beir --beir-prune`"
    ) in _flat(_text(run))


def test_commands_repeat_what_was_typed(make: Factory) -> None:
    fresh = make.evaluation("docs", "no baseline", make.metric(None, 0.236, "no baseline"))
    command = "pytest --beir --beir-datasets=docs=data"
    text = _flat(_text(make.run(fresh, command=command)))
    stored = "store: docs, no baseline yet; on your machine, then commit it:"
    assert f"{stored} {command} --beir-update" in text


def test_a_corpus_change_that_fails_stands_in_the_table(make: Factory) -> None:
    metric = make.metric(0.5, 0.5, "unchanged", 1.0)
    run = make.run(make.evaluation("docs", "not comparable", metric, reason="other corpus"))
    assert re.search(r"^docs .*  not comparable$", _text(run), re.MULTILINE)


def test_the_adjusted_p_stands_beside_a_regression(make: Factory) -> None:
    anchored = make.metric(
        *(0.652, 0.611, "regressed", 0.0004),
        alpha=0.05 / 22,
        against_anchor=make.comparison(-0.05, 0.0001),
    )
    for metric in (make.metric(0.652, 0.611, "regressed", 0.0004), anchored):
        evaluations = [make.evaluation(f"d{i}", "regressed", metric) for i in range(10)]
        assert "(adjusted p = .0044)" in _flat(_text(make.run(*evaluations)))


def test_a_drop_that_only_the_anchor_shows_is_told_against_the_anchor(make: Factory) -> None:
    metric = make.metric(
        *(0.615, 0.611, "regressed", 0.2),
        anchor=0.652,
        against_anchor=make.comparison(-0.041, 0.0004),
        regressed_against=("anchor",),
    )
    evaluation = make.evaluation("docs", "regressed", metric)
    assert one_line(evaluation) == (
        "nDCG@10 −.041 against the anchor (.652 → .611), p = .0004, 35 of 300 queries worse"
    )
    text = _text(make.run(evaluation))
    assert re.search(r"^docs +\.652\* +\.611 +−\.041", text, re.MULTILINE)
    assert "* the anchor" in text


def test_two_retrievers_have_a_table_each(make: Factory) -> None:
    metric = make.metric(0.5, 0.45, "inconclusive", 0.2, reason="undecided")
    run = make.run(
        make.evaluation("docs", "inconclusive", metric),
        make.evaluation("docs", "inconclusive", metric, retriever="dense"),
        did_not_run=(DidNotRun("dense", "nq", "worker crashed", on_purpose=False),),
    )
    text = _text(run)
    assert "bm25 0.3: nDCG@10 on 1 dataset" in text
    assert "dense 0.3: nDCG@10 on 1 dataset" in text
    assert "did not run: dense nq: worker crashed" in text


@pytest.mark.parametrize(
    ("dataset", "line"),
    [
        ("scifact", "nDCG@10 −.041 (.652 → .611), p = .0004, 35 of 300 queries worse"),
        ("fiqa", "no baseline: nDCG@10 .236, R@100 .539; store it: pytest --beir --beir-update"),
        (
            "nq",
            (
                "error: 1,204 of 3,452 queries have no answer, the first of them test0, test3 "
                "and test9; allow_missing is 0"
            ),
        ),
        (
            "webis-touche2020",
            (
                "not comparable: the judgements are not those of the baseline (2,214 then, 2,099 "
                "now); renew it: pytest --beir --beir-accept=incomparable --beir-reason=TEXT"
            ),
        ),
    ],
)
def test_a_failed_test_says_it_in_one_line(
    realistic_run: SuiteRun, dataset: str, line: str
) -> None:
    evaluation = next(each for each in realistic_run.evaluations if each.dataset == dataset)
    assert one_line(evaluation) == line


def test_one_line_is_one_line_whatever_the_reason_holds(make: Factory) -> None:
    evaluation = make.evaluation("docs", "error", reason="ValueError: first\nsecond\x1b[31m")
    assert one_line(evaluation) == "error: ValueError: first second [31m"


def test_progress_shows_the_move_and_the_verdict(realistic_run: SuiteRun) -> None:
    lines = {each.dataset: progress_line(each).text for each in realistic_run.evaluations}
    assert lines["scifact"] == (
        "scifact            nDCG@10  .652 → .611   −.041  p .0004   regressed"
    )
    assert lines["fiqa"] == "fiqa               nDCG@10  .236                           no baseline"
    assert lines["nq"].startswith("nq                 error: 1,204 of 3,452 queries have no")


FAILURE = """\
bm25 on scifact (test): regressed

nDCG@10, gated: regressed
             stored     now        Δ       lower … upper   p drop   p gain
  current     .6521   .6113   −.0408     −.0605 … −.0217    .0004    .9997
  300 queries, 47 changed: 35 worse, 12 better; the three largest losers carry
  18 % of the loss
  fails at p ≤ .0045 with a loss of .005 or more; margin .02, margin bound
  −.0631, detectable drop (MDE) .0402

R@100, recorded only
             stored     now        Δ       lower … upper   p drop   p gain
  current     .9250   .9213   −.0037     −.0227 … +.0143    .1900    .8101
  300 queries, 6 changed: 4 worse, 2 better; the three largest losers carry 18 %
  of the loss
  margin .02, margin bound −.0237, detectable drop (MDE) .0370

judged@10: .089 before, .092 now

The 2 queries that lost most (nDCG@10)
  1.000 → .000  1395  Shoes with a wide toe box lower the risk of foot problems…
      rank 1 → beyond 100  17717391  Footwear and the ageing foot: a cohort
  .816 → .200  502  Vitamin D does not prevent colds
      rank 2 → 14          9412 (grade 2)  Vitamin D and respiratory infection
      rank 4 → 61          771  Supplements in winter"""


def test_the_details_of_a_failure_read_like_this(realistic_run: SuiteRun) -> None:
    scifact = next(each for each in realistic_run.evaluations if each.dataset == "scifact")
    assert failure_block(scifact) == FAILURE


def test_without_texts_the_details_bear_ids_only(
    realistic_run: SuiteRun, losses: tuple[QueryLoss, ...]
) -> None:
    scifact = next(each for each in realistic_run.evaluations if each.dataset == "scifact")
    block = failure_block(scifact, texts=False)
    for loss in losses:
        assert loss.query in block
        assert loss.text[:20] not in block
        for document in loss.documents:
            assert document.id in block
            assert document.title[:10] not in block


def test_of_many_relevant_documents_those_whose_move_cost_most_are_shown(make: Factory) -> None:
    documents = [
        *(MovedDocument(f"stay{i}", "", 1, i + 30, i + 30) for i in range(9)),
        MovedDocument("gone", "", 1, 2, None),
        MovedDocument("graded", "", 3, 5, 90),
        MovedDocument("rose", "", 1, None, 1),
    ]
    loss = QueryLoss("7", "", 0.9, 0.4, tuple(documents))
    block = failure_block(
        make.evaluation("docs", "regressed", make.metric(0.5, 0.4, "regressed"), losses=(loss,))
    )
    ids = [line.split()[-1] for line in block.splitlines() if line.startswith("      rank")]
    assert len(ids) == 5
    assert block.index("graded") < block.index("gone") < block.index("stay0")
    assert "rose" not in block
    assert "and 7 other relevant documents" in block


def test_the_five_queries_that_lost_most_are_shown(make: Factory) -> None:
    lost = tuple(QueryLoss(f"query-{number}", "", 0.9, 0.4, ()) for number in range(7))
    fell = make.metric(0.5, 0.4, "regressed")
    block = failure_block(make.evaluation("docs", "regressed", fell, losses=lost))
    assert re.findall(r"query-\d", block) == [f"query-{number}" for number in range(5)]


def test_the_details_show_the_anchor_where_it_differs(make: Factory) -> None:
    metric = make.metric(
        *(0.615, 0.611, "regressed", 0.2),
        anchor=0.652,
        against_anchor=make.comparison(-0.041, 0.0004),
        regressed_against=("anchor",),
    )
    block = failure_block(make.evaluation("docs", "regressed", metric))
    assert "nDCG@10, gated: regressed against anchor" in block
    assert re.search(r"anchor +\.6520 +\.6110 +−\.0410", block)
    assert re.search(r"current +\.6150 +\.6110 +−\.0040", block)


@pytest.mark.parametrize("has_page", [True, False])
def test_the_folder_of_the_report_is_named_with_what_it_lacks(
    realistic_run: SuiteRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_page: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(html, "is_available", lambda: has_page)
    for folder, name in ((tmp_path / "out", "out"), (tmp_path.parent, str(tmp_path.parent))):
        *_, line, blank, counts = told(realistic_run, report=folder, width=200)
        lacks = "" if has_page else "; beir.html needs pip install 'pytest-beir[report]'"
        assert (line.text, blank.text) == (f"report: {name}{lacks}", "")
        assert counts.text.startswith("BEIR: ")
