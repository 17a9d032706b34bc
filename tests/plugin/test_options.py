"""Options: spellings, places, and what is refused."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import UsageError
from pytest_beir.plugin import options

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


@pytest.mark.parametrize(
    "arguments",
    [
        ["--beir-datasets=gamma=data/gamma"],
        ["--beir-datasets", "gamma=data/gamma"],
        ["--beir-datasets=data/gamma"],
        ["--beir-datasets", "./data/gamma"],
    ],
)
def test_both_spellings_of_an_option_mean_the_same(project: Project, arguments: list[str]) -> None:
    project.dataset("gamma")
    result = project.run(*arguments, "--beir-update", "--beir-report=report")
    assert result.ret == 0
    assert project.verdicts() == {"gamma": "no baseline"}
    assert sorted(project.baselines()) == ["retriever/gamma.queries.tsv", "retriever/gamma.yaml"]


@pytest.mark.parametrize("option", ["--beir-update", "--beir-report=x", "--beir-strict"])
def test_an_option_typed_without_beir_is_a_usage_error(project: Project, option: str) -> None:
    result = project.plain(option)
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        [f"*{option.split('=', maxsplit=1)[0]}*nothing happens without --beir*"]
    )


def test_an_option_in_addopts_without_beir_is_ignored(project: Project) -> None:
    (project.path / "tox.ini").write_text("[pytest]\naddopts = --beir-report=x\n")
    (project.path / "test_own.py").write_text("def test_own(): pass\n")
    assert project.plain().ret == 0


def test_an_ini_key_points_to_the_config_file(project: Project) -> None:
    (project.path / "tox.ini").write_text("[pytest]\nbeir_datasets = scifact\n")
    result = project.run()
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*beir_datasets*beir.yaml*"])


def test_help_works_beside_a_broken_config(project: Project) -> None:
    project.config("datasets: [\n")
    assert project.run("--help").ret == 0


def test_a_broken_config_is_a_usage_error_with_its_line(project: Project) -> None:
    project.config("datasets: [alpha]\nmetrcs: [nDCG@10]\n")
    result = project.run()
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*beir.yaml:2*metrcs*metrics*"])


def test_a_profile_that_is_no_folder_is_a_usage_error_with_its_line(project: Project) -> None:
    project.config((project.path / "beir.yaml").read_text() + "profile: data/nowhere\n")
    result = project.run()
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*beir.yaml:2*profile*nowhere is not a folder*"])


@pytest.mark.parametrize("value", ["1", "true", "yes", "github"])
@pytest.mark.parametrize(
    "arguments",
    [["--beir-update"], ["--beir-accept=dropped", "--beir-reason=x"], ["--beir-prune"]],
)
def test_ci_writes_no_baselines(project: Project, value: str, arguments: list[str]) -> None:
    result = project.run(*arguments, CI=value)
    assert result.ret == 4
    assert not (project.path / "baselines").exists()
    result.stderr.fnmatch_lines(["*--beir-update-on-ci*"])


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_ci_that_is_off_is_no_ci(project: Project, value: str) -> None:
    assert project.run("--beir-update", CI=value).ret == 0


def test_ci_may_be_overruled(project: Project) -> None:
    assert project.run("--beir-update", "--beir-update-on-ci", CI="true").ret == 0
    assert project.baselines()


def test_accepting_needs_a_reason(project: Project) -> None:
    result = project.run("--beir-accept=dropped")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-reason*"])


@pytest.mark.parametrize("reason", [None, "", "  "])
def test_a_reason_is_a_text(reason: str | None) -> None:
    accepting = Namespace(beir_accept="dropped, neutral", beir_reason=reason)
    with pytest.raises(UsageError, match="--beir-accept needs --beir-reason=TEXT"):
        options._accepted(accepting)
    accepting.beir_reason = "half the latency"
    assert options._accepted(accepting) == ["dropped", "neutral"]
    assert options._accepted(Namespace(beir_accept=None, beir_reason=reason)) == []


def test_what_may_be_written_is_what_is_accepted_and_what_an_update_writes() -> None:
    def permitted(*accepted: str, **given: object) -> frozenset[str]:
        fields = {"beir_update": False, "beir_prune": False, "beir_baselines_from": None}
        told = Namespace(**{**fields, "beir_update_on_ci": False, **given})
        return options._permitted(told, [*accepted], {"CI": "true"} if given.get("ci") else {})

    assert permitted() == permitted(ci=True) == frozenset()
    assert permitted("dropped") == {"dropped"}
    assert permitted("dropped", beir_update=True) == {"dropped", "new", "improved"}
    assert permitted("dropped", ci=True, beir_update_on_ci=True) == {"dropped"}
    assert permitted(beir_baselines_from="main") == frozenset()
    for writing in ({"beir_update": True}, {"beir_prune": True}):
        with pytest.raises(UsageError, match="--beir-baselines-from only reads"):
            permitted(beir_baselines_from="main", **writing)
        with pytest.raises(UsageError, match="Add --beir-update-on-ci"):
            permitted(ci=True, **writing)
    with pytest.raises(UsageError, match="Add --beir-update-on-ci"):
        permitted("dropped", ci=True)


@pytest.mark.parametrize("value", ["droped", "", "new"])
def test_what_can_not_be_accepted_is_refused(project: Project, value: str) -> None:
    result = project.run(f"--beir-accept={value}", "--beir-reason=x")
    assert result.ret == 4


def test_a_path_swallowed_by_strict_is_a_usage_error(project: Project) -> None:
    result = project.run("--beir-strict", "tests")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*unknown flag*tests*"])


def test_an_unknown_dataset_is_a_usage_error(project: Project) -> None:
    result = project.run("--beir-datasets=scifakt")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*scifakt*scifact*"])


def test_resuming_needs_saved_runs(project: Project) -> None:
    result = project.run("--beir-resume")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-runs*"])


def test_the_header_names_the_folders_in_use(project: Project) -> None:
    result = project.run("--beir-update")
    result.stdout.fnmatch_lines(["beir: config *beir.yaml, baselines *baselines"])


def test_baselines_may_live_elsewhere(project: Project) -> None:
    project.run("--beir-update", "--beir-baselines=elsewhere/lines")
    assert min(project.baselines("elsewhere/lines")) == "retriever/alpha.queries.tsv"


@pytest.mark.parametrize(
    ("typed", "repeated"),
    [
        (["--beir", "-k", "a", "tests", "--token=s3cret"], ["--beir"]),
        (["--beir", "--token", "s3cret", "--beir-datasets=a,b"], ["--beir", "--beir-datasets=a,b"]),
        (["--beir-datasets", "a", "s3cret"], ["--beir-datasets", "a"]),
        (["--beir-offline", "s3cret"], ["--beir-offline"]),
        (["--beir-strict", "-p", "s3cret"], ["--beir-strict"]),
        (["--beir-update", "--beir-accept", "new", "--beir-reason=x", "--beir-prune"], []),
    ],
)
def test_a_remedy_repeats_our_own_options_and_nothing_that_writes(
    typed: list[str], repeated: list[str]
) -> None:
    assert list(options._own_without_writing(typed)) == repeated
