"""The options of a run, resolved once: every path absolute, every name checked."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir import provenance
from pytest_beir.baselines.update import UPDATE
from pytest_beir.configuration.config import load_config, project_folder
from pytest_beir.configuration.declaration import named_by_config, resolve
from pytest_beir.configuration.option_values import (
    chosen,
    ci_refusal,
    config_file,
    strict_flags,
    words,
)
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.distributed.address import parse as parse_scheduler
from pytest_beir.errors import ConfigError, UsageError
from pytest_beir.evaluation.pins import check_datasets, read_pins
from pytest_beir.files.file_names import escape
from pytest_beir.files.paths import user_path
from pytest_beir.retrieval.saved_runs import Provenance, SavedRuns
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_beir.configuration.config import Config
    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.distributed.address import SchedulerAddress
    from pytest_beir.evaluation.pins import Pin

ACCEPTABLE = ("neutral", "dropped", "incomparable", "slower")


@dataclass(frozen=True)
class Invocation:
    """Where pytest was called, and with which words."""

    folder: Path
    words: tuple[str, ...]


@dataclass(frozen=True)
class Options:
    """What a run is to do, and where.

    `named` are the datasets of `beir.yaml`, all suites together; `selected` are the names to run,
    in the order of `declared`. `permitted` holds the kinds of baselines that may be written (new,
    improved, neutral, dropped, incomparable; slower is of times); `strict` the flags that fail.
    With `baselines_from`, a git revision, `baselines` are those of that revision and
    `own_baselines` those of the working tree. `command` is what was typed, without what permits
    writing, so that a remedy can repeat it.
    """

    project: Path
    config: Config
    declared: tuple[DeclaredDataset, ...]
    named: frozenset[str]
    selected: tuple[str, ...]
    baselines: Path
    cache: Path | None
    offline: bool
    permitted: frozenset[str]
    reason: str | None
    prune: bool
    runs: Path | None
    resume: bool
    report: Path | None
    strict: frozenset[str]
    repeat: int = 1
    pins: tuple[Pin, ...] = ()
    command: str = "pytest --beir"
    baselines_from: str | None = None
    own_baselines: Path | None = None
    scheduler: SchedulerAddress | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the whole declared suite."""
        return tuple(dataset.name for dataset in self.declared)

    @property
    def baselines_place(self) -> str:
        """Where the baselines are that the run is gated on, in words."""
        if self.own_baselines is None:
            return str(self.baselines)
        return f"{self.own_baselines} as of {self.baselines_from}"

    def saved_runs(self) -> SavedRuns | None:
        """Where rankings are saved, and by which code they are made; None where they are not."""
        if self.runs is None:
            return None
        made_by = Provenance(provenance.commit(self.project), provenance.uncommitted(self.project))
        return SavedRuns(self.runs, file_name=escape, provenance=made_by, resume=self.resume)


def read(
    given: argparse.Namespace,
    invocation: Invocation,
    environ: Mapping[str, str],
) -> Options:
    """The options as resolved from the command line, `beir.yaml` and the environment.

    Relative paths of the command line count from the invocation's folder, those of `beir.yaml`
    from its own.

    Raises:
        UsageError: An option cannot be meant.
        ConfigError: `beir.yaml` cannot; with file and line.

    """
    invoked_from = invocation.folder
    project = project_folder(invoked_from)
    config = load_config(
        config_file(
            "--beir-config", _path(given.beir_config, invoked_from), given.beir_config, project
        )
    )
    declared = resolve(given.beir_datasets, config, base=invoked_from)
    named = named_by_config(config)
    strict = strict_flags("--beir-strict", given.beir_strict, config, behind="a path")
    accepted = _accepted(given)
    _check_profile(config)
    names = tuple(dataset.name for dataset in declared)
    permitted = _permitted(given, accepted, environ)
    baselines = _path(given.beir_baselines, invoked_from) or project / "baselines"
    report = _path(given.beir_report, invoked_from)
    runs = _path(given.beir_runs, invoked_from)
    if given.beir_resume and runs is None:
        raise UsageError("--beir-resume needs --beir-runs=DIR, where the rankings were saved")
    if report is not None:
        from pytest_beir.reports.folder import refuse_baselines

        refuse_baselines("--beir-report", report, baselines)
    pins = () if config.pinned is None else read_pins(config.pinned)
    check_datasets(pins, names, {*named, *load_catalog().entries})
    return Options(
        project=project,
        config=config,
        declared=declared,
        named=named,
        selected=_selected(given.beir_only, names),
        baselines=baselines,
        cache=_path(given.beir_cache, invoked_from),
        offline=given.beir_offline,
        permitted=permitted,
        reason=given.beir_reason,
        prune=_prune(given.beir_prune, named),
        runs=runs,
        resume=given.beir_resume,
        report=report,
        strict=strict,
        repeat=_repeat(given.beir_repeat),
        pins=pins,
        baselines_from=given.beir_baselines_from,
        scheduler=_scheduler(given, invoked_from),
        command=shlex.join(["pytest", *_own_without_writing(invocation.words)]),
    )


_FLAGS = (
    "--beir",
    "--beir-offline",
    "--beir-resume",
    "--beir-latency",
    "--beir-conformance",
)
_WRITING_FLAGS = ("--beir-update", "--beir-update-on-ci", "--beir-prune")
_WRITING = (*_WRITING_FLAGS, "--beir-accept", "--beir-reason", "--beir-baselines-from")


def _own_without_writing(words: Iterable[str]) -> Iterator[str]:
    """What was typed for us, but for the options that a remedy adds anew.

    Reports repeat it, so that nothing of it may be another plugin's: that may be secret.
    """
    value_of: str | None = None
    for word in words:
        option, equals, _ = word.partition("=")
        if option != "--beir" and not option.startswith("--beir-"):
            if value_of not in (None, *_WRITING) and not word.startswith("-"):
                yield word
            value_of = None
            continue
        value_of = None
        if option not in (*_FLAGS, *_WRITING_FLAGS) and not equals:
            value_of = option
        if option not in _WRITING:
            yield word


def _path(given: str | None, base: Path) -> Path | None:
    if given is None:
        return None
    if not given.strip():  # mostly a variable that is not set
        raise UsageError(
            "an option that takes a file or folder (--beir-config, --beir-cache, --beir-baselines, "
            "--beir-runs, --beir-report) is empty: name one after the '=', or leave it out"
        )
    return user_path(given, base).resolve()


def _selected(given: list[str] | None, names: tuple[str, ...]) -> tuple[str, ...]:
    if given is None:
        return names
    wanted = words(given)
    for word in wanted:
        if word not in names:
            raise UsageError(
                f"--beir-only={word}: not in the declared suite ({', '.join(names)})"
                f"{did_you_mean(word, names)}"
            )
    if not wanted:
        raise UsageError("--beir-only= names no dataset")
    return tuple(name for name in names if name in wanted)


def _accepted(given: argparse.Namespace) -> list[str]:
    """The kinds of baselines that are accepted beside new and improved ones."""
    if given.beir_accept is None:
        return []
    accepted = chosen("--beir-accept", [given.beir_accept], ACCEPTABLE)
    if accepted and not (given.beir_reason or "").strip():
        raise UsageError("--beir-accept needs --beir-reason=TEXT, which the baseline keeps")
    return accepted


def _permitted(
    given: argparse.Namespace, accepted: list[str], environ: Mapping[str, str]
) -> frozenset[str]:
    written = [*accepted, *(UPDATE if given.beir_update else ())]
    writes = bool(written) or given.beir_prune
    if writes and given.beir_baselines_from:
        raise UsageError(
            "--beir-baselines-from only reads: leave it out of a run that writes baselines"
        )
    if writes and provenance.is_ci(environ) and not given.beir_update_on_ci:
        raise ci_refusal("--beir-update-on-ci")
    return frozenset(written)


def _prune(wanted: bool, named: frozenset[str]) -> bool:  # the option itself
    if wanted and not named:
        raise UsageError(
            "--beir-prune deletes the baselines that beir.yaml does not name, and it has neither "
            "'datasets:' nor 'suites:': name there what is to be kept"
        )
    return wanted


def _check_profile(config: Config) -> None:
    if config.profile is not None and not config.profile.is_dir():
        raise ConfigError(
            f"{config.where('profile')}{config.profile} is not a folder: name the dataset folder "
            f"of your own data, or remove the key"
        )


def _scheduler(given: argparse.Namespace, base: Path) -> SchedulerAddress | None:
    if given.beir_scheduler is None:
        return None
    if getattr(given, "numprocesses", None) or getattr(given, "tx", None):
        raise UsageError(
            "--beir-scheduler and xdist's -n both spread datasets over processes: leave one of"
            " them out"
        )
    return parse_scheduler(given.beir_scheduler, base)


def _repeat(given: str | None) -> int:
    if given is None:
        return 1
    if not given.isdecimal() or int(given) < 2:  # noqa: PLR2004  # once is no repetition
        raise UsageError(f"--beir-repeat={given}: write a whole number from 2")
    return int(given)
