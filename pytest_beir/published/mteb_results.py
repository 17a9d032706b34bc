"""Scores from MTEB's result folders, `results/<model>/<revision>/<Task>.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.dataset_names import dataset_name, is_known
from pytest_beir.errors import ScoresFileError
from pytest_beir.phrasing import plural
from pytest_beir.published.score import Reading, Score, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

METRIC = "nDCG@10"
_META = "model_meta.json"
_UNDIVIDED = "default"


def read_mteb_results(folder: Path) -> Reading:
    """Every nDCG@10 below a folder: all results, one model's, or one revision's.

    A model is `name@revision`, by `model_meta.json` or else by its folders. Tasks without an
    nDCG@10 (classification, …) are left aside and counted. Raises ScoresFileError.
    """
    return _read(folder, sorted(path for path in folder.rglob("*.json") if path.name != _META))


def read_mteb_task(path: Path) -> Reading:
    """The nDCG@10 of one task's file."""
    return _read(path, [path])


def _read(root: Path, paths: list[Path]) -> Reading:
    scores: list[Score] = []
    aside: set[str] = set()
    models: dict[Path, str] = {}
    for path in paths:
        content = read_json(path)
        task = _task(content)
        if task is None:
            aside.add(path.stem)
            continue
        folder = path.resolve().parent
        if folder not in models:
            models[folder] = _model(folder)
        found = list(_scores(path, task, content, models[folder]))
        scores += found
        if not found:
            aside.add(task)
    if not scores:
        raise ScoresFileError(
            f"{root}: no nDCG@10 of MTEB found; expected <model>/<revision>/<Task>.json, with"
            " 'scores' by split"
        )
    note = f"{plural(len(aside), 'task')} without nDCG@10 left aside: {', '.join(sorted(aside))}"
    return Reading(tuple(scores), (note,) if aside else ())


def read_json(path: Path) -> Any:
    """The content of a JSON file; ScoresFileError names the line where it is malformed."""
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise ScoresFileError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ScoresFileError(f"{path}: is not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        raise ScoresFileError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from None


def _task(content: object) -> str | None:
    if not isinstance(content, dict):
        return None
    # Files older than version 1.11 name the task otherwise and hold the splits at the top.
    task = content.get("task_name", content.get("mteb_dataset_name"))
    return task if isinstance(task, str) else None


def _scores(path: Path, task: str, content: Mapping[str, Any], model: str) -> Iterator[Score]:
    by_split = content.get("scores", content)
    if not isinstance(by_split, dict):
        raise ScoresFileError(f"{path}: 'scores' is not an object of splits")
    for split, parts in by_split.items():
        for part in parts if isinstance(parts, list) else [parts]:
            value = _ndcg(task, part) if isinstance(part, dict) else None
            if value is None:
                continue
            subset = part.get("hf_subset", _UNDIVIDED)
            name = dataset_name(task) if subset == _UNDIVIDED else f"{task}/{subset}"
            try:
                yield Score(model, name, split, METRIC, share(value), str(path))
            except ValueError as error:
                raise ScoresFileError(f"{path}: split {split!r}: {error}") from None


def _ndcg(task: str, part: Mapping[str, Any]) -> object:
    if "ndcg_at_10" in part:
        return part["ndcg_at_10"]
    # The main score of a BEIR task is nDCG@10; of any other task it may be anything.
    return part.get("main_score") if is_known(task) else None


def _model(folder: Path) -> str:
    name, revision = folder.parent.name.replace("__", "/", 1), folder.name
    meta = folder / _META
    if meta.is_file():
        content = read_json(meta)
        if isinstance(content, dict):
            name = content.get("name") or name
            revision = content.get("revision") or revision
    return f"{name}@{revision}"
