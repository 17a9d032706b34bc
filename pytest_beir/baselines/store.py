"""The baselines' folder: reading with care, writing whole or not at all.

A baseline is `<retriever>/<dataset>.yaml` and `<retriever>/<dataset>.queries.tsv`. The table is
renamed into place first; until the other file, which holds its digest, has followed, the two do
not fit together, and reading says so.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.baselines import queries_table
from pytest_beir.baselines.reading import read
from pytest_beir.baselines.schema import document
from pytest_beir.errors import BaselineError
from pytest_beir.files.atomic import write_atomically
from pytest_beir.files.file_names import escape, unescape
from pytest_beir.files.yaml_with_lines import dump

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline

_YAML = ".yaml"
_TABLE = ".queries.tsv"
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


def load(folder: Path, retriever: str, dataset: str) -> Baseline | None:
    """The stored baseline, or None if neither of its files exists.

    Raises BaselineError with file, line and remedy if they are malformed, do not belong
    together, or are of a later format.
    """
    return read(*paths(folder, retriever, dataset))


def save(folder: Path, baseline: Baseline) -> bool:
    """Write both files, each whole or not at all; False if equal scores are stored already.

    Raises BaselineError where a name or an id cannot be stored, or the disk refuses.
    """
    yaml_path, table_path = paths(folder, baseline.retriever, baseline.identity.name)
    with suppress(BaselineError):  # what cannot be read is replaced
        stored = load(folder, baseline.retriever, baseline.identity.name)
        if stored is not None and stored.has_scores_of(baseline):
            return False
    table = queries_table.render(baseline)
    content = document(baseline, queries_table.digest(table))
    text = dump(content.model_dump(mode="json", exclude_defaults=True))
    try:
        _mark_generated(folder)
        write_atomically({table_path: table, yaml_path: text})
    except OSError as error:
        raise BaselineError(f"{yaml_path}: cannot be written: {error.strerror or error}") from error
    return True


def delete(folder: Path, retriever: str, dataset: str) -> bool:
    """Remove a baseline, and its retriever's folder once empty; False if there was none."""
    there = [path for path in paths(folder, retriever, dataset) if path.exists()]
    try:
        for path in there:
            path.unlink()
    except OSError as error:
        raise BaselineError(f"{path}: cannot be deleted: {error.strerror or error}") from error
    with suppress(OSError):
        (folder / escape(retriever)).rmdir()
    return bool(there)


def stored(folder: Path) -> tuple[Key, ...]:
    """Every baseline of the folder, halves included, sorted; files of other making are left out."""
    if not folder.is_dir():
        return ()
    keys = set()
    for home in folder.iterdir():
        retriever = unescape(home.name)
        if retriever is None or not home.is_dir():
            continue
        for path in home.iterdir():
            for suffix in (_TABLE, _YAML):
                dataset = unescape(path.name.removesuffix(suffix))
                if path.name.endswith(suffix) and dataset is not None:
                    keys.add(Key(retriever, dataset))
    return tuple(sorted(keys))


def unnamed(folder: Path, names: Iterable[str]) -> tuple[Key, ...]:
    """The stored baselines, of any retriever, whose dataset is not among `names`."""
    known = {name.casefold() for name in names}
    return tuple(key for key in stored(folder) if key.dataset.casefold() not in known)


def _mark_generated(folder: Path) -> None:
    path = folder / ".gitattributes"
    with suppress(UnicodeDecodeError):  # a mark is not worth a baseline, nor another's bytes
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if not any(line.split()[:1] == ["*.queries.tsv"] for line in lines):
            write_atomically({path: "\n".join([*lines, _ATTRIBUTES]) + "\n"})
