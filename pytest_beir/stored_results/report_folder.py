"""A report's folder read back: `beir.json`, the suite it is about, and the scores beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isclose
from typing import TYPE_CHECKING, TypeAlias

from pydantic import ValidationError

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import mean
from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declared_dataset import DeclaredDataset, suite_id
from pytest_beir.datasets.dataset import DIFFERS
from pytest_beir.errors import BaselineError, ReportError
from pytest_beir.evaluation.check import Check
from pytest_beir.evaluation.measurement import stored_measurement
from pytest_beir.explanation.pool import POOL_FLAGS
from pytest_beir.gate.noise import Noise
from pytest_beir.reports import json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import DatasetIdentity
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.reports.report import Report, SettingsPart
    from pytest_beir.reports.report_result import Result

SCORES = "scores"
COMMIT = "commit"
RESUMED = "resumed"
OTHER_CODE = "resumed-other-code"
_ROUNDING = 1e-9

Key: TypeAlias = tuple[str, str]
"""(retriever, dataset)"""


@dataclass(frozen=True)
class ReportFolder:
    """What `--beir-report=DIR` wrote; `path` is the folder as the user named it."""

    path: Path
    report: Report
    _read: dict[Key, Baseline] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def results(self) -> Mapping[Key, Result]:
        """The results by retriever and dataset."""
        return {(each.retriever, each.dataset): each for each in self.report.results}

    @property
    def commit(self) -> str | None:
        """The commit that was measured, None where that is unknown."""
        commit = self.report.environment.get(COMMIT)
        return commit if isinstance(commit, str) else None

    @property
    def settings(self) -> SettingsPart:
        """What the suite's id is made of.

        Raises:
            ReportError: The report is of a version that does not say it.

        """
        if self.report.suite.settings is None:
            raise ReportError(
                f"{self.path}: the report does not say what its suite is; make it again with"
                " `pytest --beir --beir-report=DIR`"
            )
        return self.report.suite.settings

    @cached_property
    def suite(self) -> tuple[DeclaredDataset, ...]:
        """The declared suite, whatever part of it ran here; folders are not known."""
        return tuple(
            DeclaredDataset(
                each.name,
                split=each.split,
                drop_identical_ids=each.drop_identical_ids,
                weight=each.weight,
            )
            for each in self.settings.datasets
        )

    @cached_property
    def config(self) -> Config:
        """The configuration as far as it decides verdicts.

        Raises:
            ReportError: Its settings are not ones of this version.

        """
        gate = self.settings.gate
        try:
            return Config.model_validate(
                {
                    **{name: part for name, part in gate.items() if name in Config.model_fields},
                    "retrievers": {
                        name: {"gate": own}
                        for name, own in dict(gate.get("retrievers") or {}).items()  # type: ignore[arg-type]
                    },
                }
            )
        except (ValidationError, TypeError, ValueError) as error:
            raise ReportError(
                f"{self.path}: the gate's settings are not ones of this version: {error}"
            ) from error

    def version(self, retriever: str) -> str | None:
        """The version of a retriever, None where it declares none or nothing was measured."""
        return next((r.version for r in self.report.retrievers if r.name == retriever), None)

    def trained_on(self, retriever: str) -> tuple[str, ...] | None:
        """The datasets that a retriever was trained on, None where nobody says."""
        names = next((r.trained_on for r in self.report.retrievers if r.name == retriever), None)
        return None if names is None else tuple(names)

    def scores(self, result: Result) -> Baseline | None:
        """The scores behind a result, in the form of a baseline; None for an `error`.

        Raises:
            ReportError: They are missing, malformed or those of another result.

        """
        key = result.retriever, result.dataset
        if not result.metrics or key in self._read:
            return self._read.get(key)
        where = f"{self.path}: {result.retriever} on {result.dataset}"
        try:
            found = store.load(self.path / SCORES, *key)
        except BaselineError as error:
            raise ReportError(f"{where}: {error}") from error
        if found is None:
            raise ReportError(
                f"{where}: {SCORES}/ lacks the scores; copy the whole folder of a report,"
                f" {SCORES}/ included"
            )
        if not _belongs(found, result):
            raise ReportError(
                f"{where}: the scores in {SCORES}/ are not those of {json.NAME} (an earlier run's,"
                " or edited); make the report again into an empty folder"
            )
        self._read[key] = found
        return found

    def measurement(self, result: Result, retriever: str | None = None) -> Measurement | None:
        """What was measured behind a result, with all that its verdict depends on beside scores.

        None for an `error`.

        Raises:
            ReportError: Its scores are missing or malformed.

        """
        scores = self.scores(result)
        if scores is None:
            return None
        names = self.trained_on(result.retriever)
        return replace(
            stored_measurement(scores, retriever=retriever, version=self.version(result.retriever)),
            trained_on=None if names is None else frozenset(names),
            groups={name: tuple(group.queries) for name, group in result.groups.items()},
            checks=tuple(
                Check(**check.model_dump(exclude={"passed"}))
                for check in result.checks
                if check.kind == "pin"
            ),
            pool_flag=next((flag for flag in POOL_FLAGS if flag in result.flags), None),
            dataset_flags=tuple(flag for flag in result.flags if flag == DIFFERS),
            resumed=RESUMED in result.flags,
            other_code="as the report says" if OTHER_CODE in result.flags else None,
            notes=tuple(result.notes),
            noise=tuple(Noise(**each.model_dump()) for each in result.noise),
            varying=tuple(result.varying),
        )

    def identities(self) -> Mapping[Key, DatasetIdentity]:
        """The dataset of each measured result.

        Raises:
            ReportError: One name is several datasets.

        """
        found = {
            key: scores.identity
            for key, result in self.results.items()
            if (scores := self.scores(result)) is not None
        }
        refuse_clashes({(self.path, *key): identity for key, identity in found.items()})
        return found


def read(path: Path) -> ReportFolder:
    """The report in a folder.

    What its `beir.json` says of the suite is checked against the suite's id.

    Raises:
        ReportError: It is missing or malformed; names file, place and remedy.

    """
    folder = ReportFolder(path, json.read(path / json.NAME))
    if suite_id(folder.suite, folder.settings.gate) != folder.report.suite.id:
        raise ReportError(
            f"{path / json.NAME}: the suite's id does not fit what it is made of: the file was"
            " edited, or written by another version of pytest-beir; make the report again"
        )
    _refuse_contradictions(folder)
    return folder


def _refuse_contradictions(folder: ReportFolder) -> None:
    names = {each.name for each in folder.report.retrievers}
    for each in folder.report.results:
        wrong = ""
        if each.retriever not in names:
            wrong = f"a result of the retriever {each.retriever!r}, which it does not list"
        elif not each.metrics and each.verdict != "error":
            wrong = f"no metric of {each.retriever} on {each.dataset}, which is {each.verdict!r}"
        if wrong:
            raise ReportError(
                f"it has {wrong}: the file was edited",
                file=folder.path / json.NAME,
                remedy="make the report again",
            )
    declared = {each.name for each in folder.suite}
    for (retriever, dataset), times in Counter(
        (each.retriever, each.dataset) for each in folder.report.results
    ).items():
        if times > 1 or dataset not in declared:
            wrong = f"{times} results" if times > 1 else "a result that its suite does not declare"
            raise ReportError(
                f"{folder.path / json.NAME}: {retriever} has {wrong} on {dataset}: the file was"
                " edited; make the report again"
            )


def refuse_clashes(identities: Mapping[tuple[Path, str, str], DatasetIdentity]) -> None:
    """Refuse reports that mean several datasets by one name.

    Raises:
        ReportError: A dataset is not the same for all retrievers and folders.

    """
    first: dict[str, tuple[tuple[Path, str, str], DatasetIdentity]] = {}
    for place, identity in identities.items():
        path, retriever, dataset = place
        (known_path, known_retriever, _), known = first.setdefault(dataset, (place, identity))
        if identity != known:
            raise ReportError(
                f"{path}: the {dataset} that {retriever} was measured on is not the {dataset} of"
                f" {known_retriever} in {known_path} ({_difference(known, identity)}): measure all"
                " on the same data"
            )


def _difference(known: DatasetIdentity, identity: DatasetIdentity) -> str:
    parts = [
        f"{name} {old!r}, {new!r}"
        for name, old, new in _unequal(known, identity)
        if name != "fingerprints"
    ]
    parts += [name for name, _, _ in _unequal(known.fingerprints, identity.fingerprints)]
    return f"differing in {'; '.join(parts)}"


def _unequal(known: object, other: object) -> Iterator[tuple[str, object, object]]:
    for name, old in vars(known).items():
        if old != vars(other)[name]:
            yield name, old, vars(other)[name]


def _belongs(scores: Baseline, result: Result) -> bool:
    identity = scores.identity
    if (identity.split, identity.queries) != (result.split, result.queries):
        return False
    for metric in scores.metrics:
        written = result.metrics.get(metric)
        if written is None or written.now is None:
            return False
        now = mean(scores.current[metric], identity.members)
        if not isclose(now, written.now, abs_tol=_ROUNDING):
            return False
    return True
