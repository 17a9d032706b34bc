"""Quality beside cost, in every report; which retrievers are dominated."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.latency.baseline_file import LatencyBaseline
from pytest_beir.latency.machine import Machine
from pytest_beir.latency.measurement import Design
from pytest_beir.latency.result import LatencyResult, LatencyUpdate
from pytest_beir.latency.sample import Cost, LatencySample
from pytest_beir.latency.verdict import LatencyComparison
from pytest_beir.reports import html, markdown, terminal
from pytest_beir.reports import json as beir_json
from pytest_beir.reports.latency import latency_notes, latency_table, offers
from pytest_beir.reports.report_of_run import report_of
from pytest_beir.reports.story import compose
from pytest_beir.reports.tally import counts, headline
from pytest_beir.suite.run import Ending

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory

SAME = LatencyComparison("same", None, 40, 1.02, 1.1, 0.97, 1.08, 0.4, 0.6)
SLOWER = LatencyComparison("slower", None, 40, 1.31, 1.1, 1.2, 1.4, 0.001, 0.999)
NEW = LatencyComparison("no baseline", "--beir-update stores one", 0)


def timed(
    retriever: str,
    dataset: str,
    ratio: float,
    comparison: LatencyComparison = SAME,
) -> LatencyResult:
    """A search that takes `ratio` times a reference of a millisecond."""
    sample = LatencySample(
        {"q1": ratio, "q2": ratio},
        0.01,
        {50: ratio / 1e3, 95: ratio / 500, 99: ratio / 250},
        1e3 / ratio,
        Cost(1.25, 3_000_000, -500_000, 4321.0),
        0.001,
        0.98,
    )
    machine = Machine("a processor", "x86_64", 8, "Linux", "3.12", "2.3", 1)
    design = Design(("q1", "q2"))
    measured = LatencyBaseline(
        retriever=retriever,
        dataset=dataset,
        split="test",
        fingerprints={},
        machine=machine,
        design=design,
        sample=sample,
        levels=(0.0,),
        written="2026-01-02",
        commit=None,
        category="new",
        reason=None,
        versions={},
    )
    return LatencyResult(measured, comparison)


@pytest.fixture
def several(make: Factory) -> SuiteRun:
    """Three retrievers on two datasets: one is worse and slower than another."""
    qualities = {"quick": (0.5, 0.6), "good": (0.7, 0.6), "bad": (0.6, 0.59)}
    ratios = {"quick": (1.0, 4.0), "good": (4.0, 16.0), "bad": (8.0, 32.0)}
    evaluations = tuple(
        replace(make, retriever=name).evaluation(
            dataset, "unchanged", make.metric(score, score, "unchanged")
        )
        for name, scores in qualities.items()
        for dataset, score in zip(("docs", "faq"), scores, strict=True)
    )
    times = tuple(
        timed(name, dataset, ratio)
        for name, both in ratios.items()
        for dataset, ratio in zip(("docs", "faq"), both, strict=True)
    )
    return make.run(*evaluations, latencies=times)


def test_without_times_there_is_no_table(make: Factory) -> None:
    assert latency_table(make.run()) is None
    assert offers(make.run()) is None
    assert "cost" not in markdown.render(compose(make.run())).casefold()


def test_quality_stands_beside_what_it_costs(several: SuiteRun) -> None:
    table = latency_table(several)
    assert table is not None
    assert [column.title for column in table.columns[:4]] == [
        "dataset",
        "retriever",
        "nDCG@10",
        "p50 ms",
    ]
    assert table.rows[2].cells == (
        *("docs", "good", ".700", "4.00", "8.00", "16.0", "250", "4321", "1.25", "3.00", "-0.500"),
        *("1.02", "same"),
    )


def test_over_all_datasets_the_mean_of_quality_and_the_geometric_mean_of_time_count(
    several: SuiteRun,
) -> None:
    found = offers(several)
    assert found is not None
    assert found.metric == "nDCG@10"
    assert found.datasets == ("docs", "faq")
    assert [each.retriever for each in found.offers] == ["quick", "good", "bad"]
    assert [each.quality for each in found.offers] == pytest.approx([0.55, 0.65, 0.595])
    assert [each.time for each in found.offers] == pytest.approx([2.0, 8.0, 16.0])


def test_what_is_worse_and_slower_is_dominated_and_a_trade_is_not(several: SuiteRun) -> None:
    found = offers(several)
    assert found is not None
    assert [each.dominated_by for each in found.offers] == [None, None, "good"]
    lines = [line.text for line in terminal.summary(compose(several), width=200)]
    remark = (
        "dominated: bad by good: nDCG@10 .650 against .595, and a search takes 0.50 times as"
        " long, over 2 datasets"
    )
    assert remark in lines


def test_equal_quality_at_about_equal_time_dominates_nothing(make: Factory) -> None:
    evaluations = [
        replace(make, retriever=name).evaluation(
            "docs", "unchanged", make.metric(0.5, 0.5, "unchanged")
        )
        for name in ("one", "other")
    ]
    for factor, dominated in ((1.05, None), (1.2, "one")):
        times = (timed("one", "docs", 1.0), timed("other", "docs", factor))
        found = offers(make.run(*evaluations, latencies=times))
        assert found is not None
        assert found.offers[1].dominated_by == dominated


def test_a_retriever_that_was_not_timed_everywhere_is_compared_where_all_were(
    several: SuiteRun,
) -> None:
    some = replace(several, latencies=several.latencies[1:])
    found = offers(some)
    assert found is not None
    assert found.datasets == ("faq",)


def test_slower_says_how_to_accept_it(make: Factory) -> None:
    run = make.run(latencies=(timed("bm25", "docs", 2.0, SLOWER),))
    text = markdown.render(compose(run))
    assert "a search takes 1.31 times as long (1.20 to 1.40; counts from 1.10)" in text
    assert "--beir-accept=slower --beir-reason=TEXT" in text


def test_the_same_reason_is_given_once(make: Factory) -> None:
    times = tuple(timed("bm25", name, 2.0, NEW) for name in ("docs", "faq"))
    (note,) = compose(make.run(latencies=times)).latency_notes
    assert note.label == "latency no baseline"
    assert note.text == "docs and faq: --beir-update stores one"


def test_the_machines_report_holds_all_of_it_and_is_read_back(
    several: SuiteRun, tmp_path: Path
) -> None:
    text = beir_json.render(report_of(several))
    (tmp_path / "beir.json").write_text(text, encoding="utf-8")
    assert beir_json.read(tmp_path) == report_of(several)
    (part,) = (
        each
        for each in json.loads(text)["latency"]
        if (each["retriever"], each["dataset"]) == ("bad", "faq")
    )
    assert part["seconds"] == {"p50": 0.032, "p95": 0.064, "p99": 0.128}
    assert part["change"] == 1.02
    assert part["queries"] == 2
    assert part["index_bytes"] == 3_000_000
    assert part["dominated_by"] == "good"


@pytest.mark.skipif(not html.is_available(), reason="the extra [report] is not installed")
def test_the_page_draws_quality_by_time_and_names_what_is_not_dominated(several: SuiteRun) -> None:
    page = html.render(compose(several))
    assert "Quality and cost of a search" in page
    assert "Not dominated (filled): quick, good." in page
    assert ">bad</text>" in page  # the points are labelled
    assert "p50 of a search in ms" in page


def test_the_comment_has_the_same_table(several: SuiteRun) -> None:
    text = markdown.render(compose(several))
    assert "### Quality and cost of a search" in text
    assert "| docs | good | .700 | 4.00 |" in text


def test_a_run_of_latency_tests_alone_says_what_ran(make: Factory) -> None:
    run = make.run(latencies=(timed("bm25", "docs", 1.0), timed("bm25", "faq", 2.0, NEW)))
    assert headline(run) == (
        "PASSED: searches of docs and faq were timed, none is slower; no dataset was scored."
    )
    assert headline(make.run()) == "NOTHING RAN: 0 of 0 datasets."


def test_a_slower_search_is_in_the_headline_and_in_the_counts(make: Factory) -> None:
    unchanged = make.evaluation("docs", "unchanged", make.metric(0.5, 0.5, "unchanged", 1.0))
    run = make.run(
        unchanged,
        latencies=(timed("bm25", "docs", 1.3, SLOWER), timed("bm25", "faq", 1.0)),
        ending=Ending("failed", 1),
    )
    assert headline(run) == "FAILED: searches of docs are slower."
    assert counts(run) == "1 passed, 0 regressed, 0 improved, 0 cannot tell, 1 slower"


def test_what_was_not_written_is_red(make: Factory) -> None:
    updates = (
        LatencyUpdate("docs: new", is_written=True),
        LatencyUpdate("not written: the disk is full", is_written=False),
    )
    run = make.run(latencies=(timed("bm25", "docs", 1.0),), latency_updates=updates)
    assert [(each.text, each.style) for each in latency_notes(run)] == [
        ("docs: new", "green"),
        ("not written: the disk is full", "red"),
    ]


def test_where_datasets_are_decided_by_several_metrics_each_quality_has_its_name(
    make: Factory,
) -> None:
    evaluations = (
        make.evaluation("docs", "unchanged", make.metric(0.7, 0.7, "unchanged")),
        make.evaluation("faq", "unchanged", make.metric(0.6, 0.6, "unchanged", metric="P@5")),
    )
    times = tuple(timed("bm25", name, 2.0) for name in ("docs", "faq", "other"))
    table = latency_table(make.run(*evaluations, latencies=times))
    assert table is not None
    assert [column.title for column in table.columns[:3]] == ["dataset", "quality", "p50 ms"]
    assert [row.cells[:2] for row in table.rows] == [
        ("docs", "nDCG@10 .700"),
        ("faq", "P@5 .600"),
        ("other", "–"),
    ]
    one = latency_table(make.run(evaluations[1], latencies=times[1:]))
    assert one is not None
    assert one.columns[1].title == "P@5"
    assert [row.cells[1] for row in one.rows] == [".600", "–"]
