"""Scores from MTEB's result folders, `results/<model>/<revision>/<Task>.json`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.dataset_names import dataset_name, is_known
from pytest_beir.errors import ScoresFileError
from pytest_beir.files.json_file import read_json
from pytest_beir.phrasing import plural
from pytest_beir.published.score import Reading, Score, listed, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

METRIC = "nDCG@10"
_META = "model_meta.json"
_EXPERIMENTS = "experiments"
_UNDIVIDED = "default"
# By name: the files do not say what type a task is of.
_RERANKING = re.compile(r"(?i)rerank|DupQuestions$|DocsRR$")


def read_mteb_results(folder: Path) -> Reading:
    """Every nDCG@10 below a folder: all results, one model's, or one revision's.

    A model is `name@revision`, by `model_meta.json` or else by its folders, with the name of the
    experiment where it is one. Tasks without an nDCG@10 (classification, …) are left aside and
    counted, and so are reranking tasks, whose nDCG@10 is over given candidates.

    Raises:
        ScoresFileError: There is no score in it, or a file is malformed.

    """
    return _read(folder, sorted(_files(folder)))


def read_mteb_task(path: Path) -> Reading:
    """The nDCG@10 of one task's file."""
    return _read(path, [str(path)])


def _files(folder: Path) -> Iterator[str]:
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".json") and name != _META:
                yield os.path.join(parent, name)  # noqa: PTH118 (thirteen thousand of them)


def _read(root: Path, paths: list[str]) -> Reading:
    scores: list[Score] = []
    aside: set[str] = set()
    reranking: set[str] = set()
    models: dict[str, str] = {}
    for path in paths:
        content = read_json(Path(path), ScoresFileError)
        task = _task(content)
        if task is None:
            aside.add(Path(path).stem)
            continue
        if _RERANKING.search(task):
            reranking.add(task)
            continue
        folder = os.path.dirname(path)  # noqa: PTH120 (as above)
        if folder not in models:
            models[folder] = _model(Path(folder).resolve())
        found = list(_scores(path, task, content, models[folder]))
        scores += found
        if not found:
            aside.add(task)
    if not scores:
        raise ScoresFileError(
            f"{root}: no nDCG@10 of MTEB found; expected <model>/<revision>/<Task>.json, with"
            " 'scores' by split"
        )
    notes = []
    if reranking:
        notes.append(
            f"{plural(len(reranking), 'reranking task')} left aside, whose nDCG@10 is over given"
            f" candidates: {listed(sorted(reranking))}"
        )
    if aside:
        tasks = plural(len(aside), "task")
        notes.append(f"{tasks} without nDCG@10 left aside: {listed(sorted(aside))}")
    return Reading(tuple(scores), tuple(notes))


def _task(content: object) -> str | None:
    if not isinstance(content, dict):
        return None
    # Files older than version 1.11 name the task otherwise and hold the splits at the top.
    task = content.get("task_name", content.get("mteb_dataset_name"))
    return task if isinstance(task, str) else None


def _scores(path: str, task: str, content: Mapping[str, Any], model: str) -> Iterator[Score]:
    by_split = content.get("scores", content)
    if not isinstance(by_split, dict):
        raise ScoresFileError(f"{path}: 'scores' is not an object of splits")
    revision = str(content.get("dataset_revision") or "")
    for split, parts in by_split.items():
        for part in parts if isinstance(parts, list) else [parts]:
            value = _ndcg(task, part) if isinstance(part, dict) else None
            if value is None:
                continue
            subset = str(part.get("hf_subset", _UNDIVIDED))
            name = dataset_name(task) if subset == _UNDIVIDED else f"{task}/{subset}"
            try:
                yield Score(model, name, split, METRIC, share(value), path, revision)
            except ValueError as error:
                raise ScoresFileError(f"{path}: split {split!r}: {error}") from None


def _ndcg(task: str, part: Mapping[str, Any]) -> object:
    if "ndcg_at_10" in part:
        return part["ndcg_at_10"]
    # The main score of a BEIR task is nDCG@10; of any other task it may be anything.
    return part.get("main_score") if is_known(task) else None


def _model(folder: Path) -> str:
    """`name@revision`, and ` (kwargs)` for a folder `revision/experiments/kwargs`."""
    meta = folder / _META
    experiment = f" ({folder.name})" if folder.parent.name == _EXPERIMENTS else ""
    if experiment:
        folder = folder.parent.parent
        meta = meta if meta.is_file() else folder / _META
    name, revision = folder.parent.name.replace("__", "/", 1), folder.name
    if meta.is_file():
        content = read_json(meta, ScoresFileError)
        if isinstance(content, dict):
            name = str(content.get("name") or name)
            revision = str(content.get("revision") or revision)
    return f"{name}@{revision}{experiment}"
