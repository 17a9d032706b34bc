"""`beir.json`."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import ReportError
from pytest_beir.reports.folder import write
from pytest_beir.reports.json import files, read, render, schema
from pytest_beir.reports.report_of_run import report_of
from pytest_beir.reports.story import compose

if TYPE_CHECKING:
    import random

    from pytest_beir.suite.run import SuiteRun
    from tests.reports.conftest import Factory

PROJECT = Path(__file__).resolve().parents[2]

METRIC = {
    *("gated", "verdict", "now", "baseline", "anchor", "delta", "lower", "upper"),
    *("margin_bound", "p_drop", "p_gain", "alpha", "mde", "changed", "worse", "better"),
    "against_anchor",
}


def _content(run: SuiteRun) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(render(report_of(run)))
    return content


def test_its_keys_are_those_of_format_1_and_named_additions(realistic_run: SuiteRun) -> None:
    content = _content(realistic_run)
    documented = {"format", "suite", "retrievers", "results", "averages", "diffuse"}
    assert set(content) == documented | {
        *("environment", "did_not_run", "compare_to", "complaints"),
        *("status", "exit_status", "failures", "latency"),
    }
    assert content["format"] == 1
    assert set(content["suite"]) == {"id", "datasets", "selected", "settings"}
    retriever = {"name", "version", "family", "weights", "alpha", "trained_on"}
    assert set(content["retrievers"][0]) == retriever
    result = {"retriever", "dataset", "split", "verdict", "reason", "flags", "queries", "missing"}
    added = {"passed", "weight", "judged", "notes", "zero_shot", "explanations", "to_judge"}
    added |= {"written", "checks", "groups", "same_text", "confirmed", "noise", "varying"}
    assert set(content["results"][0]) == result | {"metrics"} | added
    metric = content["results"][0]["metrics"]["nDCG@10"]
    assert set(metric) == METRIC | {"reason", "min_effect", "margin"}
    average = content["averages"][0]
    own = {"retriever", "metric", "set", "withheld", "flags", "reason", "label", "note", "excused"}
    assert set(average) == METRIC | own
    assert set(average["set"]) == {"name", "members", "id"}


def test_numbers_are_written_whole_and_verdicts_of_ungated_metrics_are_null(
    realistic_run: SuiteRun,
) -> None:
    results = {each["dataset"]: each for each in _content(realistic_run)["results"]}
    scifact = results["scifact"]["metrics"]
    assert scifact["nDCG@10"]["now"] == 0.6113
    assert scifact["nDCG@10"]["delta"] == -0.0408
    assert scifact["nDCG@10"]["alpha"] == pytest.approx(0.05 / 11, abs=0)
    assert scifact["R@100"]["verdict"] is None
    assert scifact["R@100"]["alpha"] is None
    assert results["nq"]["metrics"] == {}
    fiqa = results["fiqa"]["metrics"]["nDCG@10"]
    assert {name for name, value in fiqa.items() if value is not None} == {
        "gated",
        "verdict",
        "now",
    }


def test_the_anchor_is_reported_where_it_differs(make: Factory) -> None:
    metric = make.metric(
        *(0.615, 0.611, "regressed", 0.2),
        alpha=0.025,
        against_anchor=make.comparison(-0.041, 0.0004),
        regressed_against=("anchor",),
    )
    content = _content(make.run(make.evaluation("docs", "regressed", metric)))
    assert content["results"][0]["metrics"]["nDCG@10"]["against_anchor"] == {
        "delta": -0.041,
        "p_drop": 0.0004,
        "alpha": 0.025,
    }


@given(st.randoms(use_true_random=False))
def test_the_order_in_which_datasets_ran_leaves_no_trace(
    realistic_run: SuiteRun, chance: random.Random
) -> None:
    evaluations = [
        *realistic_run.evaluations,
        *(dataclasses.replace(e, retriever="dense") for e in realistic_run.evaluations),
    ]
    families = [
        *realistic_run.retrievers,
        *(dataclasses.replace(f, name="dense") for f in realistic_run.retrievers),
    ]
    averages = list(realistic_run.averages)
    run = dataclasses.replace(
        realistic_run, evaluations=tuple(evaluations), retrievers=tuple(families)
    )
    for each in (evaluations, families, averages):
        chance.shuffle(each)
    shuffled = dataclasses.replace(
        run,
        evaluations=tuple(dataclasses.replace(e, seconds=chance.random()) for e in evaluations),
        retrievers=tuple(families),
        averages=tuple(averages),
    )
    assert render(report_of(shuffled)) == render(report_of(run))


def test_results_follow_the_declared_suite_then_the_retriever(realistic_run: SuiteRun) -> None:
    names = [each["dataset"] for each in _content(realistic_run)["results"]]
    assert names == [name for name in realistic_run.declared if name != "hotpotqa"]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_an_error_that_names_it(make: Factory, value: float) -> None:
    run = make.run(make.evaluation("docs", "unchanged", make.metric(0.5, value, "unchanged")))
    with pytest.raises(ReportError, match=r"now.*finite"):
        report_of(run)


def test_what_is_written_can_be_read(realistic_run: SuiteRun, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    write(compose(realistic_run), folder)
    assert read(folder) == read(folder / "beir.json") == report_of(realistic_run)
    assert b"\r" not in (folder / "beir.json").read_bytes()


def test_a_report_that_was_put_together_is_written_as_it_is(realistic_run: SuiteRun) -> None:
    merged = report_of(dataclasses.replace(realistic_run, suite_id="another"))
    assert files(compose(realistic_run, report=merged)) == {"beir.json": render(merged)}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text[:200], r"beir\.json:\d+: malformed JSON .*make it again"),
        (lambda text: text.replace('"format": 1', '"format": 2'), r"format 2, where only 1"),
        (lambda text: text.replace('"now": 0.6113', '"now": "high"'), r"results\[6\].*now.*'high'"),
        (
            lambda text: text.replace('"missing"', '"mising"', 1),
            r"results\[0\]\.missing: field req",
        ),
        (
            lambda text: text.replace("0.6113", "NaN"),
            r"beir\.json:\d+: malformed JSON \(NaN is not JSON\)",
        ),
        (lambda _: "[]", r"beir\.json: Report: input should be a valid"),
    ],
)
def test_a_malformed_file_is_named_with_the_place_and_the_remedy(
    realistic_run: SuiteRun, tmp_path: Path, change: Any, complaint: str
) -> None:
    path = tmp_path / "beir.json"
    write(compose(realistic_run), tmp_path)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ReportError, match=complaint) as raised:
        read(path)
    assert str(path) in str(raised.value)


def test_a_missing_file_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(
        ReportError, match=r"No such file or directory\); make it again with `pytest --beir"
    ):
        read(tmp_path / "beir.json")


@pytest.mark.skipif(
    tuple(map(int, version("pydantic").split(".")[:2])) < (2, 10),
    reason="pydantic before 2.10 writes the same schema in other words",
)
def test_the_published_schema_is_that_of_the_models() -> None:
    published = (PROJECT / "docs" / "beir.schema.json").read_text(encoding="utf-8")
    assert published == schema(), "run python -m pytest_beir.reports.json > docs/beir.schema.json"


def test_the_schema_is_printed_by_the_module() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "pytest_beir.reports.json"], check=True, capture_output=True
    )
    assert printed.stdout.decode("utf-8") == schema()
