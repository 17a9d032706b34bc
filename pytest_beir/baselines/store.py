"""The baselines' folder: reading with care, writing whole or not at all.

A baseline is `<retriever>/<dataset>.yaml` and `<retriever>/<dataset>.queries.tsv`. The table is
renamed into place first, the other file, which holds its digest, follows. Killed in between, the
pair is read as what it was to become (the rest is complete), and whoever writes next finishes it.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines import queries_table
from pytest_beir.baselines.reading import deletion_mark, read, rest_of
from pytest_beir.baselines.schema import document
from pytest_beir.errors import BaselineError
from pytest_beir.files.atomic import (
    UNFINISHED,
    folder_lock,
    is_dead,
    make_unfinished,
    remove_dead,
    write_atomically,
)
from pytest_beir.files.content import read_text
from pytest_beir.files.file_names import escape, unescape
from pytest_beir.files.yaml_with_lines import dump
from pytest_beir.garbage import held_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.scoring.scorer import Scores

_YAML = ".yaml"
_TABLE = ".queries.tsv"
_SECOND = ".confirm.tsv"
LATENCY = ".latency.yaml"
"""What the times of searches are kept in, beside the scores; deleted with them."""
_ATTRIBUTES = "*.queries.tsv linguist-generated=true"


@dataclass(frozen=True, order=True)
class Key:
    """A baseline's place in the folder."""

    retriever: str
    dataset: str


def paths(folder: Path, retriever: str, dataset: str) -> tuple[Path, Path]:
    """The two files of a baseline, the one for people first."""
    name = escape(dataset)
    home = folder / escape(retriever)
    return home / f"{name}{_YAML}", home / f"{name}{_TABLE}"


@held_off
def load(folder: Path, retriever: str, dataset: str) -> Baseline | None:
    """The stored baseline, or None if neither of its files exists.

    Raises:
        BaselineError: They are malformed, do not belong together, or are of a later format; with
            file, line and remedy.

    """
    stored = read(*paths(folder, retriever, dataset))
    if stored is None:
        return None
    return replace(stored, second=_load_second(_second_path(folder, retriever, dataset)))


def save(folder: Path, baseline: Baseline) -> bool:
    """Write both files, each whole or not at all; False if equal scores are stored already.

    Raises:
        BaselineError: A name or an id cannot be stored, or the disk refuses.

    """
    with suppress(BaselineError):  # what cannot be read is replaced
        stored = load(folder, baseline.retriever, baseline.identity.name)
        if stored is not None and stored.has_scores_of(baseline):
            return False
    write(folder, baseline)
    return True


def write(folder: Path, baseline: Baseline) -> None:
    """Write both files, each whole or not at all, without a look at what they replace.

    Raises:
        BaselineError: A name or an id cannot be stored, or the disk refuses.

    """
    yaml_path, table_path = paths(folder, baseline.retriever, baseline.identity.name)
    table = queries_table.render(baseline)
    content = document(baseline, queries_table.digest(table))
    text = dump(content.model_dump(mode="json", exclude_defaults=True))
    with _writing(yaml_path):
        yaml_path.parent.mkdir(parents=True, exist_ok=True)
        _mark_generated(folder)
        with folder_lock(yaml_path.parent):
            _finish(yaml_path.parent)
            _save_second(folder, baseline)
            write_atomically({table_path: table, yaml_path: text})


def _second_path(folder: Path, retriever: str, dataset: str) -> Path:
    return folder / escape(retriever) / f"{escape(dataset)}{_SECOND}"


def _save_second(folder: Path, baseline: Baseline) -> None:
    """Write the scores of a second search beside the first's, in the form of their table."""
    path = _second_path(folder, baseline.retriever, baseline.identity.name)
    if baseline.second is None:
        path.unlink(missing_ok=True)
    else:
        vectors = {metric: baseline.second.values[metric] for metric in baseline.metrics}
        second = replace(baseline, scores=baseline.second, anchor=vectors)
        write_atomically({path: queries_table.render(second)})


def _load_second(path: Path) -> Scores | None:
    if not path.exists():
        return None
    try:
        return queries_table.parse(read_text(path, BaselineError)).scores
    except BaselineError as error:
        raise (error if error.file else error.at(path)) from None


def delete(folder: Path, retriever: str, dataset: str) -> bool:
    """Remove a baseline, and its retriever's folder once empty; False if there was none."""
    yaml_path, table_path = paths(folder, retriever, dataset)
    if not yaml_path.exists() and not table_path.exists():
        return False
    with _writing(yaml_path, "deleted"), folder_lock(yaml_path.parent):
        _finish(yaml_path.parent)
        make_unfinished(yaml_path.parent)
        deletion_mark(yaml_path).touch()
        yaml_path.unlink(missing_ok=True)
        _second_path(folder, retriever, dataset).unlink(missing_ok=True)
        yaml_path.with_name(f"{escape(dataset)}{LATENCY}").unlink(missing_ok=True)
        _finish(yaml_path.parent)
    with suppress(OSError):
        yaml_path.parent.rmdir()
    return True


def finish(folder: Path) -> None:
    """Finish every pair whose writer was killed, and remove what else such processes left.

    Raises:
        BaselineError: the folder cannot be written to.

    """
    for home in folder.iterdir() if folder.is_dir() else ():
        if (home / UNFINISHED).is_dir():
            with _writing(home), folder_lock(home):
                _finish(home)
    remove_dead(folder)


def _finish(home: Path) -> None:
    """Do the rest of what killed processes had begun; the folder's lock is held."""
    unfinished = home / UNFINISHED
    parts = [part for part in unfinished.iterdir() if is_dead(part)] if unfinished.is_dir() else []
    for part in parts:
        yaml_path = home / part.name.rpartition(".")[0]
        if not yaml_path.name.endswith(_YAML):
            continue
        table_path = yaml_path.with_name(f"{yaml_path.name.removesuffix(_YAML)}{_TABLE}")
        if part == deletion_mark(yaml_path):
            yaml_path.unlink(missing_ok=True)
            table_path.unlink(missing_ok=True)
            continue
        with suppress(BaselineError):
            table = read_text(table_path, BaselineError)
            text = read_text(part, BaselineError)
            if text == rest_of(yaml_path, table):
                part.replace(yaml_path)
    remove_dead(home)


@contextmanager
def _writing(path: Path, done: str = "written") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BaselineError(
            f"cannot be {done} ({error.strerror or error})",
            file=path,
            remedy="name a folder that is writable",
        ) from error


def stored(folder: Path) -> tuple[Key, ...]:
    """Every baseline of the folder, halves included, sorted; files of other making are left out.

    Raises:
        BaselineError: The folder, or one in it, cannot be read.

    """
    try:
        return tuple(sorted(_keys(folder))) if folder.is_dir() else ()
    except OSError as error:
        where = error.filename or folder
        raise BaselineError(f"{where}: cannot be read: {error.strerror or error}") from error


def _keys(folder: Path) -> set[Key]:
    keys = set()
    for home in folder.iterdir():
        retriever = unescape(home.name)
        if retriever is None or not home.is_dir():
            continue
        for path in home.iterdir():
            if path.name.endswith(LATENCY):
                continue
            for suffix in (_TABLE, _YAML):
                dataset = unescape(path.name.removesuffix(suffix))
                if path.name.endswith(suffix) and dataset is not None:
                    keys.add(Key(retriever, dataset))
    return keys


def unnamed(keys: Iterable[Key], names: Iterable[str]) -> tuple[Key, ...]:
    """The baselines, of any retriever, whose dataset is not among `names`."""
    known = {name.casefold() for name in names}
    return tuple(key for key in keys if key.dataset.casefold() not in known)


def _mark_generated(folder: Path) -> None:
    path = folder / ".gitattributes"
    with suppress(UnicodeDecodeError):  # a mark is not worth a baseline, nor another's bytes
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if not any(line.split()[:1] == ["*.queries.tsv"] for line in lines):
            write_atomically({path: "\n".join([*lines, _ATTRIBUTES]) + "\n"})
