"""The latency tests of `--beir-latency`, and pytest-benchmark's own options beside them."""

from __future__ import annotations

import gc
import json
from dataclasses import replace
from importlib.util import find_spec
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines import store
from pytest_beir.errors import BaselineError
from pytest_beir.latency import measurement
from pytest_beir.latency.baseline_file import load_latency, save_latency
from pytest_beir.latency.machine import Machine
from pytest_beir.latency.verdict import LatencyLimits, compare_latency
from pytest_beir.plugin import latency

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.latency.baseline_file import LatencyBaseline
    from tests.plugin.conftest import Project

OWN = ("-p", "benchmark", "--beir-latency", "--beir-only=alpha")
ALPHA = "conftest.py::latency[alpha]"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few searches and no pause: what is measured is not the point here."""
    for name in ("PASSES", "FEWEST_PASSES"):
        monkeypatch.setattr(measurement, name, 2)
    monkeypatch.setattr(measurement, "MOST_BLOCKS", 1)
    monkeypatch.setattr(latency, "PAUSE", 0.0)


def test_times_are_stored_beside_the_scores_and_taken_for_no_baseline(project: Project) -> None:
    result = project.run(*OWN, "--beir-update", "--beir-report=report")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "Quality and cost of a search",
            "alpha *1.000 *no baseline",
            "latency no baseline: alpha: --beir-update stores one",
            "latency: written: retriever/alpha.latency.yaml (new)",
        ]
    )
    (times,) = load_latency(project.path / "baselines", "retriever", "alpha")
    assert len(times.sample.ratios) == 40
    assert times.category == "new"
    assert [key.dataset for key in store.stored(project.path / "baselines")] == ["alpha"]
    assert project.verdicts() == {"alpha": "no baseline"}
    (part,) = project.report()["latency"]
    assert part["verdict"] == "no baseline"
    assert part["seconds"]["p50"] == pytest.approx(times.sample.percentiles[50], rel=1e-5)
    assert store.delete(project.path / "baselines", "retriever", "alpha")
    assert load_latency(project.path / "baselines", "retriever", "alpha") == ()


def test_without_the_option_there_is_no_latency_test(project: Project) -> None:
    result = project.run("--collect-only", "-q")
    assert "latency" not in result.stdout.str()


def test_searches_that_take_far_longer_than_stored_fail_and_can_be_accepted(
    project: Project,
) -> None:
    project.run(*OWN, "--beir-update")
    _store(project, ratio=0.01)
    result = project.run(*OWN, ALPHA)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*retriever alpha: slower; a search takes * times as long *--beir-accept=slower*"]
    )
    assert "pytest.fail(" not in result.stdout.str()  # no code of ours is shown
    accepted = project.run(*OWN, ALPHA, "--beir-accept=slower", "--beir-reason=larger model")
    assert accepted.ret == 0
    (times,) = load_latency(project.path / "baselines", "retriever", "alpha")
    assert (times.category, times.reason) == ("slower", "larger model")


def test_the_limits_are_those_of_the_configuration(project: Project) -> None:
    text = (project.path / "beir.yaml").read_text()
    project.config(f"{text}latency: {{min_effect: 5000, margin: 9000}}\n")
    result = project.run(*OWN, ALPHA)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*latency.min_effect: *less than or equal to 10*"])
    project.config(f"{text}latency: {{min_effect: 10, margin: 9}}\n")
    result = project.run(*OWN, ALPHA)
    result.stderr.fnmatch_lines(["*min_effect 10 is larger than margin 9*"])
    project.config(f"{text}latency: {{alpha: 0.02, min_effect: 10, margin: 10}}\n")
    project.run(*OWN, "--beir-update")
    _store(project, ratio=0.2)  # five times as long, where eleven times would count
    assert project.run(*OWN, ALPHA).ret == 0


def test_a_suite_shares_its_level(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[LatencyLimits] = []

    def noted(baseline: Any, now: Any, limits: LatencyLimits, **levels: Any) -> Any:
        asked.append(limits)
        return compare_latency(baseline, now, limits, **levels)

    monkeypatch.setattr(latency, "compare_latency", noted)
    project.run(*OWN, "--beir-update")
    project.run(*OWN, ALPHA)
    assert asked[0] == LatencyLimits(0.05 / 2, 0.10, 0.20)


def test_a_session_that_is_the_same_is_added_until_five_are_known(project: Project) -> None:
    text = (project.path / "beir.yaml").read_text()
    project.config(f"{text}latency: {{min_effect: 10, margin: 10}}\n")
    project.run(*OWN, "--beir-update")
    result = project.run(*OWN, ALPHA, "--beir-update")
    result.stdout.fnmatch_lines(["latency: written: * (session 2 of 5)"])
    (times,) = load_latency(project.path / "baselines", "retriever", "alpha")
    assert len(times.levels) == 2
    save_latency(project.path / "baselines", replace(times, levels=(0.0,) * 5))
    result = project.run(*OWN, ALPHA, "--beir-update")
    assert "latency: written" not in result.stdout.str()


def test_times_of_another_machine_are_never_red_and_stay_stored(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.run(*OWN, "--beir-update")
    _store(project, ratio=0.01)
    other = Machine("another", "x86_64", 8, "Linux", "3.12", "2.3", 1)
    monkeypatch.setattr(latency, "this_machine", lambda: other)
    result = project.run(*OWN, ALPHA, "--beir-update")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["latency no baseline: alpha: the stored times are of another class of *"]
    )
    both = load_latency(project.path / "baselines", "retriever", "alpha")
    assert [times.machine == other for times in both] == [True, False]


def test_what_switches_the_measurement_off_is_named(project: Project) -> None:
    disabled = project.run(*OWN, "--benchmark-disable", "-rs", ALPHA)
    disabled.stdout.fnmatch_lines(["*latency is not measured: --benchmark-disable*"])
    skipped = project.run(*OWN, "--benchmark-skip", "-rs", ALPHA)
    skipped.stdout.fnmatch_lines(["*--benchmark-skip*"])


def test_only_benchmarks_leaves_out_the_tests_of_quality(project: Project) -> None:
    result = project.run(*OWN, "--benchmark-only")
    result.stdout.fnmatch_lines(
        [
            "none of 1 tests of the suite reached a verdict (skipped: --benchmark-only skips *",
            "Quality and cost of a search",
            "alpha *no baseline",
        ]
    )
    result.stdout.fnmatch_lines(["*choose the latency tests with -k latency instead)"])
    assert result.ret == 1
    chosen = project.run(*OWN, "-k", "latency")
    assert chosen.ret == 0


def test_runs_are_saved_and_compared_by_pytest_benchmark(project: Project) -> None:
    where = "--benchmark-storage=kept"
    project.run(*OWN, ALPHA, where, "--benchmark-save=first")
    project.run(*OWN, ALPHA, where, "--benchmark-autosave")
    saved = sorted(path.name for path in (project.path / "kept").rglob("*.json"))
    assert len(saved) == 2
    assert saved[0] == "0001_first.json"
    assert saved[1].startswith("0002_")
    compared = project.run(*OWN, ALPHA, where, "--benchmark-compare=0001", "--benchmark-sort=mean")
    compared.stdout.fnmatch_lines([f"*{'latency?alpha? (0001_first)'}*"])
    (first,) = (project.path / "kept").rglob("0001_first.json")
    content = json.loads(first.read_text())
    content["benchmarks"][0]["stats"]["min"] = 1e-9  # as if it had been far quicker
    first.write_text(json.dumps(content))
    failed = project.run(
        *OWN, ALPHA, where, "--benchmark-compare=0001", "--benchmark-compare-fail=min:50%"
    )
    assert failed.ret != 0
    assert "Performance has regressed" in failed.stderr.str()


# Before 5.3, pytest-benchmark opens the file with its options, and closes it only if it saves.
@pytest.mark.filterwarnings("ignore:unclosed file .*all.json:ResourceWarning")
def test_its_json_has_every_search_and_its_histogram_is_drawn(project: Project) -> None:
    project.run(*OWN, ALPHA, "--benchmark-json=all.json")
    gc.collect()  # else a later test fails for a file that this one left open
    (found,) = json.loads((project.path / "all.json").read_text())["benchmarks"]
    assert found["fullname"] == ALPHA
    assert len(found["stats"]["data"]) == 2 * 40  # passes by queries
    if find_spec("pygal") is None:
        pytest.skip("--benchmark-histogram needs pytest-benchmark[histogram]")
    # What draws it changes how packages are found: not in this process.
    run = project.pytester.runpytest_subprocess
    run("-p", "beir", "--beir", *OWN, ALPHA, "--benchmark-histogram=drawn")
    assert list(project.path.glob("drawn*.svg"))


def test_profiles_and_the_fixtures_own_options_do_not_disturb_it(project: Project) -> None:
    result = project.run(*OWN, ALPHA, "--benchmark-cprofile=tottime", "--benchmark-disable-gc")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["alpha *no baseline", "*cProfile*"])


def test_a_dataset_cannot_be_called_as_the_file_of_times_is(project: Project) -> None:
    result = project.run("--beir-datasets=own.latency=data/alpha")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*own.latency: a dataset's name cannot end in .latency*"])


def test_rankings_made_elsewhere_have_no_latency(project: Project) -> None:
    project.conftest(
        "import pytest\nfrom pytest_beir import RunFiles\n\n@pytest.fixture(scope='session')\n"
        "def retriever():\n    return RunFiles('runs/{dataset}.trec', name='made')\n"
    )
    result = project.run(*OWN, "-rs", ALPHA)
    result.stdout.fnmatch_lines(["*rankings made elsewhere are read, not searched*"])


def test_workers_measure_nothing_and_say_so(project: Project) -> None:
    project.workers = 1
    result = project.run(*OWN, "-rs", ALPHA)
    result.stdout.fnmatch_lines(["*latency is not measured beside other workers*"])


def test_without_pytest_benchmark_it_says_what_to_install(project: Project) -> None:
    result = project.run("-p", "no:benchmark", "--beir-latency")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*install 'pytest-beir?latency?'*"])


def _store(project: Project, *, ratio: float) -> None:
    """Pretend that searches took so much of their time once."""
    folder: Path = project.path / "baselines"
    times: LatencyBaseline = load_latency(folder, "retriever", "alpha")[0]
    ratios = {query: each * ratio for query, each in times.sample.ratios.items()}
    save_latency(folder, replace(times, sample=replace(times.sample, ratios=ratios, spread=0.0)))


def test_times_that_cannot_be_written_keep_no_others_from_being_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def written(result: Any) -> str | None:
        if result.name == "broken":
            raise BaselineError("the folder is full")
        return None if result.name == "enough" else f"written: {result.name}"

    options: Any = SimpleNamespace(permitted=("new",))
    latencies = latency.Latencies(options)
    monkeypatch.setattr(latencies, "_written", written)
    latencies.results = [
        SimpleNamespace(name=name, category=category)  # type: ignore[misc]
        for name, category in (
            ("same", None),
            ("other", "slower"),
            ("broken", "new"),
            ("enough", "new"),
            ("last", "new"),
        )
    ]
    for before, after in (
        (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED),
        (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERRUPTED),
    ):
        session: Any = SimpleNamespace(exitstatus=before)
        latencies.updates = []
        latencies.pytest_sessionfinish(session)
        assert session.exitstatus == after
        assert [(each.text, each.is_written) for each in latencies.updates] == [
            ("not written: the folder is full", False),
            ("written: last", True),
        ]
