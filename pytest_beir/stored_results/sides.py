"""The two sides of a comparison: run files, folders of them, baselines, reports."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pytest_beir.baselines import reading
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.errors import BaselineError, ReportError, UsageError
from pytest_beir.evaluation.measurement import stored_measurement
from pytest_beir.evaluation.scored import retrieve
from pytest_beir.files.content import read_text
from pytest_beir.files.file_names import unescape
from pytest_beir.files.paths import user_path
from pytest_beir.reports import json
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.stored_results import report_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.stored_results.report_folder import Key, ReportFolder

_YAML = ".yaml"
_TABLE = ".queries.tsv"
_RUN_ENDS = (".trec.gz", ".trec")


@dataclass(frozen=True)
class Runs:
    """Rankings in TREC run files: one file, or a folder of `<dataset>.trec[.gz]`.

    `label` is the path as it was given, `datasets` what the folder has, None for a single file.
    """

    label: str
    files: RunFiles
    name: str
    datasets: tuple[str, ...] | None

    def scored(
        self,
        dataset: Dataset,
        retriever: str,
        metrics: Sequence[str],
        group_field: str | None = None,
    ) -> Scored:
        """The rankings of a dataset, scored; a RetrieverError says what is wrong with them."""
        return retrieve(
            dataset,
            wrap(self.files),
            name=retriever,
            metrics=metrics,
            group_field=group_field,
        )


@dataclass(frozen=True)
class StoredScores:
    """Scores by query that somebody stored: a retriever's baselines, or those of a report.

    `read` gives those of each dataset, or raises the BeirError that says why there are none.
    """

    label: str
    name: str
    read: Mapping[str, Callable[[], Baseline]]
    version: str | None = None
    report: ReportFolder | None = None

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(self.read)

    def measurement(self, dataset: str, retriever: str) -> Measurement:
        """What was measured on a dataset, under another retriever's name."""
        stored = self.read[dataset]()
        if self.report is not None:
            result = self.report.results[self.name, dataset]
            measured = self.report.measurement(result, retriever)
            if measured is not None:
                return replace(measured, pool_flag=None)  # it was said of another baseline
        return stored_measurement(stored, retriever=retriever, version=self.version)


Side: TypeAlias = Runs | StoredScores


def open_side(label: str) -> Side:
    """What a path on the command line holds.

    Raises:
        UsageError: It is nothing of these; says what was looked for.

    """
    user_path(label)  # refused here where no file can have it
    path = Path(label).expanduser()
    if not path.exists():
        raise UsageError(f"{label}: there is no such file or folder")
    if path.is_dir():
        return _folder(label, path)
    if path.name == json.NAME:
        return _report(label, path.parent)
    if path.suffix == _YAML or path.name.endswith(_TABLE):
        stored = _baseline(path.parent, path.name.removesuffix(_TABLE).removesuffix(_YAML))
        return StoredScores(label, stored.retriever, {stored.identity.name: lambda: stored})
    return Runs(label, RunFiles(path), _stem(path), None)


def _folder(label: str, path: Path) -> Side:
    if (path / json.NAME).exists():
        return _report(label, path)
    if _stems(path):
        return _baselines(label, path)
    runs = tuple(dict.fromkeys(map(_dataset, _run_files(path))))
    if runs:
        return Runs(label, RunFiles(path / "{dataset}.trec"), path.resolve().name, runs)
    below = sorted(each for each in path.iterdir() if each.is_dir())
    several = [each for each in below if _stems(each) or any(_run_files(each))]
    if len(several) == 1:
        return _folder(str(Path(label) / several[0].name), several[0])
    if several:
        folders = ", ".join(str(Path(label) / each.name) for each in several)
        raise UsageError(f"{label}: holds {len(several)} systems: name one of them ({folders})")
    raise UsageError(
        f"{label}: holds neither run files (<dataset>.trec or .trec.gz), nor a retriever's"
        f" baselines (<dataset>{_YAML} beside <dataset>{_TABLE}), nor a report ({json.NAME})"
    )


def _report(label: str, path: Path) -> StoredScores:
    report = report_folder.read(path)
    names = [each.name for each in report.report.retrievers]
    if len(names) != 1:
        homes = sorted(each for each in (path / report_folder.SCORES).glob("*") if each.is_dir())
        raise UsageError(
            f"{label}: holds results of {len(names)} retrievers: name the scores of one"
            f" ({', '.join(map(str, homes)) or 'there are none'})"
        )
    read = {name: partial(_scores, label, report, (names[0], name)) for _, name in report.results}
    return StoredScores(label, names[0], read, report.version(names[0]), report)


def _scores(label: str, report: ReportFolder, key: Key) -> Baseline:
    result = report.results[key]
    found = report.scores(result)
    if found is None:
        raise ReportError(f"{label}: {key[1]} ended in an error there: {result.reason}")
    return found


def _baselines(label: str, path: Path) -> StoredScores:
    """A retriever's folder of baselines, which may have been copied under another name."""
    stems = _stems(path)
    try:
        name = _baseline(path, stems[0]).retriever
    except BaselineError:  # said again where its dataset is compared
        name = unescape(path.resolve().name) or path.resolve().name
    read = {unescape(stem) or stem: partial(_baseline, path, stem) for stem in stems}
    return StoredScores(label, name, read)


def _baseline(folder: Path, stem: str) -> Baseline:
    found = reading.read(folder / f"{stem}{_YAML}", folder / f"{stem}{_TABLE}")
    if found is None:
        raise BaselineError(f"{folder / stem}{_YAML}: there is no such baseline")
    return found


def _stems(folder: Path) -> list[str]:
    """What a folder's baselines are called, halves included; other YAML files hold no scores."""
    stems = {each.name.removesuffix(_TABLE) for each in folder.glob(f"*{_TABLE}")}
    for each in folder.glob(f"*{_YAML}"):
        with suppress(BaselineError):
            if "\nscores: " in read_text(each, BaselineError):
                stems.add(each.name.removesuffix(_YAML))
    return sorted(stems)


def _run_files(folder: Path) -> Iterator[Path]:
    """The run files of datasets, relative to the folder; parts of a divided one lie in its own."""
    divided = {name for name, entry in load_catalog().entries.items() if entry.parts}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.name.endswith(_RUN_ENDS) and set(relative.parts[:-1]) <= divided:
            yield relative


def _dataset(run_file: Path) -> str:
    return run_file.parts[0] if len(run_file.parts) > 1 else _stem(run_file)


def _stem(path: Path) -> str:
    """The name of a run file without its ends: `scifact` of `scifact.trec.gz`."""
    name = path.name.removesuffix(".gz")
    for end in (".trec", ".run", ".txt"):
        name = name.removesuffix(end)
    return name or path.name
