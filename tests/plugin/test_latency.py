"""The latency tests of `--beir-latency`, with a search whose times are decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store
from pytest_beir.latency.baseline_file import load_latency, save_latency

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugin.conftest import Project

OWN = ("-p", "benchmark", "--beir-latency", "--beir-only=alpha")


def test_times_are_stored_beside_the_scores_and_taken_for_no_baseline(project: Project) -> None:
    result = project.run(*OWN, "--beir-update", "--beir-report=report")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["*beir latency*", "retriever alpha: no baseline; --beir-update stores one; p50 *"]
    )
    times = load_latency(project.path / "baselines", "retriever", "alpha")
    assert times is not None
    assert len(times.sample.ratios) == 40
    assert times.category == "new"
    assert [key.dataset for key in store.stored(project.path / "baselines")] == ["alpha"]
    assert project.verdicts() == {"alpha": "no baseline"}
    assert store.delete(project.path / "baselines", "retriever", "alpha")
    assert load_latency(project.path / "baselines", "retriever", "alpha") is None


def test_without_the_option_there_is_no_latency_test(project: Project) -> None:
    result = project.run("--collect-only", "-q")
    assert "latency" not in result.stdout.str()


def test_searches_that_take_far_longer_than_stored_fail_and_can_be_accepted(
    project: Project,
) -> None:
    project.run(*OWN, "--beir-update")
    _store_tenth(project.path / "baselines")
    only = ("conftest.py::latency[alpha]",)
    result = project.run(*OWN, *only)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*retriever alpha: slower; a search takes * times as long*"])
    assert "pytest.fail(" not in result.stdout.str()  # no code of ours is shown
    accepted = project.run(*OWN, *only, "--beir-accept=slower", "--beir-reason=larger model")
    assert accepted.ret == 0
    times = load_latency(project.path / "baselines", "retriever", "alpha")
    assert times is not None
    assert (times.category, times.reason) == ("slower", "larger model")


def test_times_of_another_machine_are_never_red(project: Project) -> None:
    project.run(*OWN, "--beir-update")
    path = project.path / "baselines" / "retriever" / "alpha.latency.yaml"
    path.write_text(path.read_text().replace("processor: ", "processor: other "))
    _store_tenth(project.path / "baselines")
    result = project.run(*OWN, "conftest.py::latency[alpha]")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*: no baseline; the stored times are of another class of *"])


def test_what_switches_the_measurement_off_is_named(project: Project) -> None:
    result = project.run(*OWN, "--benchmark-disable", "-rs", "conftest.py::latency[alpha]")
    result.stdout.fnmatch_lines(["*latency is not measured: --benchmark-disable*"])


def test_a_dataset_cannot_be_called_as_the_file_of_times_is(project: Project) -> None:
    result = project.run("--beir-datasets=own.latency=data/alpha")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*own.latency: a dataset's name cannot end in .latency*"])


def test_rankings_made_elsewhere_have_no_latency(project: Project) -> None:
    project.conftest(
        "import pytest\nfrom pytest_beir import RunFiles\n\n@pytest.fixture(scope='session')\n"
        "def retriever():\n    return RunFiles('runs/{dataset}.trec', name='made')\n"
    )
    result = project.run(*OWN, "-rs", "conftest.py::latency[alpha]")
    result.stdout.fnmatch_lines(["*rankings made elsewhere are read, not searched*"])


def test_workers_measure_nothing_and_say_so(project: Project) -> None:
    project.workers = 1
    result = project.run(*OWN, "-rs", "conftest.py::latency[alpha]")
    result.stdout.fnmatch_lines(["*latency is not measured beside other workers*"])


def test_without_pytest_benchmark_it_says_what_to_install(project: Project) -> None:
    result = project.run("-p", "no:benchmark", "--beir-latency")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*install 'pytest-beir?latency?'*"])


def _store_tenth(folder: Path) -> None:
    """Pretend that searches took a tenth of their time once, in every pass alike."""
    from dataclasses import replace

    times = load_latency(folder, "retriever", "alpha")
    assert times is not None
    ratios = {query: ratio / 10 for query, ratio in times.sample.ratios.items()}
    save_latency(folder, replace(times, sample=replace(times.sample, ratios=ratios, spread=0.0)))
