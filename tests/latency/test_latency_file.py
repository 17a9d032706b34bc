"""The file of times: written, read back, and refused with its line."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import BaselineError
from pytest_beir.latency.baseline_file import (
    LatencyBaseline,
    load_latency,
    path_of,
    save_latency,
)
from pytest_beir.latency.machine import Machine, this_machine
from pytest_beir.latency.measurement import Design
from pytest_beir.latency.sample import Cost, LatencySample

if TYPE_CHECKING:
    from pathlib import Path

MACHINE = Machine("a processor", "x86_64", 8, "Linux", "3.12", "2.3", 2)
OTHER = replace(MACHINE, processor="another")
STORED = LatencyBaseline(
    retriever="bm25",
    dataset="docs",
    split="test",
    fingerprints={"queries": "a" * 64, "corpus": None},
    machine=MACHINE,
    design=Design(("q1", "1"), 21, 3, streams=True),
    sample=LatencySample(
        {"q1": 0.5, "1": 2.25},
        0.015625,
        {50: 0.001, 95: 0.002, 99: 0.004},
        800.0,
        Cost(1.5, 2048),
        0.0008,
        0.75,
    ),
    levels=(0.25,),
    written="2026-01-02",
    commit=None,
    category="slower",
    reason="a cross-encoder reorders the first hundred",
    versions={"pytest-beir": "1.0"},
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    save_latency(tmp_path, STORED)
    assert load_latency(tmp_path, "bm25", "docs") == (STORED,)


def test_where_nothing_was_measured_there_is_nothing(tmp_path: Path) -> None:
    assert load_latency(tmp_path, "bm25", "docs") == ()


def test_another_class_of_machine_has_a_record_of_its_own(tmp_path: Path) -> None:
    elsewhere = replace(STORED, machine=OTHER)
    save_latency(tmp_path, STORED)
    save_latency(tmp_path, elsewhere)
    assert load_latency(tmp_path, "bm25", "docs") == (elsewhere, STORED)
    renewed = replace(STORED, reason="again")
    save_latency(tmp_path, renewed)
    assert load_latency(tmp_path, "bm25", "docs") == (renewed, elsewhere)


def test_a_record_that_does_not_name_the_kind_of_reference_has_the_plain_one(
    tmp_path: Path,
) -> None:
    save_latency(tmp_path, STORED)
    path = path_of(tmp_path, "bm25", "docs")
    lines = path.read_text(encoding="utf-8").splitlines()
    older = [line for line in lines if "streams:" not in line]
    assert len(older) == len(lines) - 1
    path.write_text("\n".join(older), encoding="utf-8")
    (read,) = load_latency(tmp_path, "bm25", "docs")
    assert read == replace(STORED, design=replace(STORED.design, streams=False))


def test_a_session_of_the_same_code_is_averaged_in(tmp_path: Path) -> None:
    sample = replace(STORED.sample, ratios={"q1": 1.0, "1": 1.0}, spread=0.03)
    twice = STORED.with_session(sample)
    # Geometric means of .5 and 1, of 2.25 and 1; half of the hypotenuse of both spreads.
    assert twice.sample.ratios == pytest.approx({"q1": math.sqrt(0.5), "1": 1.5})
    assert twice.sample.spread == pytest.approx(math.hypot(0.015625, 0.03) / 2)
    assert twice.levels == (0.25, 0.0)
    again = twice.with_session(sample)
    assert again.sample.ratios["q1"] == pytest.approx(0.5 ** (1 / 3))
    save_latency(tmp_path, again)
    assert load_latency(tmp_path, "bm25", "docs")[0].levels == (0.25, 0.0, 0.0)


def test_a_malformed_file_is_an_error_with_its_line(tmp_path: Path) -> None:
    save_latency(tmp_path, STORED)
    path = path_of(tmp_path, "bm25", "docs")
    text = path.read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    line = lines.index("queries_per_second: 800.0") + 1
    path.write_text(text.replace("_second: 800.0", "_second: -1.0"), encoding="utf-8")
    with pytest.raises(BaselineError, match=rf"docs\.latency\.yaml:{line}: .*restore it"):
        load_latency(tmp_path, "bm25", "docs")


def test_a_percentile_of_another_name_is_refused(tmp_path: Path) -> None:
    save_latency(tmp_path, STORED)
    path = path_of(tmp_path, "bm25", "docs")
    path.write_text(path.read_text(encoding="utf-8").replace("p95:", "most:"), encoding="utf-8")
    with pytest.raises(BaselineError, match=r"p95.*restore it"):
        load_latency(tmp_path, "bm25", "docs")


def test_machines_of_another_class_are_told_apart_by_what_differs() -> None:
    assert MACHINE.differences(MACHINE) == ()
    other = replace(MACHINE, cores=2, accelerator="a GPU")
    assert MACHINE.differences(other) == (
        "cores: 8 then, 2 now",
        "accelerator: None then, a GPU now",
    )


def test_this_machine_is_equal_to_itself() -> None:
    assert this_machine() == this_machine()
    assert this_machine().cores >= 1
