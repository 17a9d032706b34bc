"""The gate on real data: SciFact with rankings of real systems, and with BM25 itself."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

CONFTEST = """
import pytest
from pytest_beir import RunFiles

@pytest.fixture
def retriever():
    return RunFiles("runs/{dataset}.trec")
"""

BM25 = """
import pytest
from pytest_beir import BM25

@pytest.fixture
def retriever():
    return BM25(fields=FIELDS)
"""

BASELINE = "local-bm25s-lucene-k0.9-b0.4-stem"


@pytest.fixture
def scifact(bare: Project, shared_data: Path) -> Project:
    """A project whose only dataset is SciFact, given on the command line."""
    bare.conftest(CONFTEST)
    (bare.path / "runs").mkdir()
    shutil.copytree(shared_data / "beir" / "scifact", bare.path / "data" / "scifact")
    return bare


def gate(project: Project, *arguments: str) -> tuple[int, dict[str, Any]]:
    result = project.run("--beir-datasets=data/scifact", "--beir-report=report", *arguments)
    return int(result.ret), project.report()["results"][0]


def store(project: Project) -> None:
    """Baselines of the system in use; many tests start from those of the same one."""
    assert project.before("--beir-datasets=data/scifact", "--beir-update").ret == 0


def use(project: Project, shared_data: Path, run: str) -> None:
    shutil.copy(
        shared_data / "runs" / "scifact" / f"{run}.trec", project.path / "runs" / "scifact.trec"
    )


def test_a_first_run_fails_an_update_writes_and_a_second_run_passes(
    scifact: Project, shared_data: Path
) -> None:
    use(scifact, shared_data, BASELINE)
    status, result = gate(scifact)
    assert (status, result["verdict"]) == (1, "no baseline")
    assert result["metrics"]["nDCG@10"]["now"] == pytest.approx(0.6762, abs=5e-5)
    assert gate(scifact, "--beir-update")[0] == 0
    status, result = gate(scifact)
    assert (status, result["verdict"]) == (0, "unchanged")


@pytest.mark.parametrize(
    ("run", "status", "verdict", "delta", "p_drop"),
    [
        (BASELINE, 0, "unchanged", 0.0, 1.0),
        ("local-bm25s-lucene-k0.9-b0.4-nostem", 1, "regressed", -0.0193, 0.0155),
        ("minilm-l6-v2-dense", 0, "inconclusive", -0.0311, 0.0510),
        ("rank-bm25", 1, "regressed", -0.1165, 0.0),
    ],
)
def test_real_systems_get_the_verdicts_that_the_statistics_give(
    scifact: Project,
    shared_data: Path,
    run: str,
    status: int,
    verdict: str,
    delta: float,
    p_drop: float,
) -> None:
    use(scifact, shared_data, BASELINE)
    store(scifact)
    use(scifact, shared_data, run)
    code, result = gate(scifact)
    metric = result["metrics"]["nDCG@10"]
    assert (code, result["verdict"]) == (status, verdict)
    assert metric["delta"] == pytest.approx(delta, abs=5e-5)
    assert metric["p_drop"] == pytest.approx(p_drop, abs=5e-5)
    assert metric["alpha"] == 0.05  # one dataset: no average shares it
    # Larger than the margin, and p is at most .10 over one test: likely, though not significant.
    assert ("likely-drop" in result["flags"]) is (run == "minilm-l6-v2-dense")


def test_half_the_queries_are_an_error_that_counts_them(
    scifact: Project, shared_data: Path
) -> None:
    use(scifact, shared_data, BASELINE)
    store(scifact)
    use(scifact, shared_data, "vsm-tfidf-titles.odd-queries-only")
    status, result = gate(scifact)
    assert (status, result["verdict"], result["missing"]) == (1, "error", 147)
    assert "147 of 300" in result["reason"]


def test_titles_dropped_are_a_significant_loss_with_the_cause_named(scifact: Project) -> None:
    scifact.conftest(BM25.replace("FIELDS", '("title", "text")'))
    assert gate(scifact, "--beir-update")[0] == 0
    scifact.conftest(BM25.replace("FIELDS", '("text",)'))
    status, result = gate(scifact)
    assert (status, result["verdict"]) == (1, "regressed")
    assert result["metrics"]["nDCG@10"]["delta"] == pytest.approx(-0.0187, abs=5e-4)
    assert any("title" in text for text in result["explanations"])
