"""Which files of a folder are the corpus, the queries and the judgements of a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.datasets.huggingface_layout import (
    check_shards,
    qrels_folders,
    shards,
    snapshot,
    split_of,
)
from pytest_beir.errors import DatasetError
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

    Files = tuple[Path, ...]

_QRELS_SUFFIXES = (".tsv", ".qrels", ".trec", ".jsonl")
_TABLES = ("corpus", "queries")
_WHOLE = "qrels"  # a file of this name holds the judgements of split test


@dataclass(frozen=True)
class Folder:
    """The files of a dataset; `corpus` is empty where there is none.

    `qrels` maps each split to its files, sorted by name.
    """

    path: Path
    corpus: Files
    queries: Files
    qrels: dict[str, Files]

    def split(self, wanted: str | None = None) -> str:
        """The split to read: the wanted one; without a wish `test`, else the only one.

        Raises:
            DatasetError: there is no such split, or several and none is called `test`.

        """
        there = ", ".join(self.qrels)
        if wanted is not None:
            if wanted in self.qrels:
                return wanted
            raise DatasetError(
                f"{self.path}: no judgements of split {wanted!r}; there are: {there}"
            )
        if "test" in self.qrels:
            return "test"
        if len(self.qrels) == 1:
            return next(iter(self.qrels))
        raise DatasetError(
            f"{self.path}: no split 'test' and several others ({there}); name one of them as split"
        )


def _folders_beside(path: Path) -> list[str]:
    try:
        return [each.name for each in path.parent.iterdir() if each.is_dir()]
    except OSError:  # there is none either, or it cannot be looked into
        return []


def find_folder(path: Path) -> Folder:
    """Look a folder over, without reading any file: BEIR's own form or the hub's.

    Raises:
        DatasetError: the folder, its queries or its judgements are missing.

    """
    if not path.is_dir():
        meant = did_you_mean(path.name, _folders_beside(path))
        raise DatasetError(
            f"{path}: no such folder{meant}; a dataset is a folder with"
            " queries.jsonl and qrels/test.tsv"
        )
    inside = snapshot(path)
    queries = _table(inside, "queries")
    if not queries:
        inner = sorted(child.name for child in path.iterdir() if _table(child, "queries"))
        hint = f"; name a folder in it: {', '.join(inner)}" if inner else ""
        raise DatasetError(
            f"{path}: no queries.jsonl (or queries.jsonl.gz, or queries/*.parquet){hint}"
        )
    for folder in qrels_folders(path):
        qrels = _qrels(folder)
        if qrels:
            return Folder(path, _table(inside, "corpus"), queries, qrels)
    raise DatasetError(f"{path}: no judgements; expected qrels/test.tsv (query, document, grade)")


def _table(path: Path, name: str) -> Files:
    found = [path / f"{name}{suffix}" for suffix in (".jsonl", ".jsonl.gz")]
    # A folder or a broken link of that name is a fault to report, not a corpus that is not there.
    there = tuple(file for file in found if file.is_symlink() or file.exists())
    if len(there) > 1:
        raise DatasetError(
            f"there is {there[0].name} next to it", file=there[1], remedy="keep one of them"
        )
    return there or shards(path, name)


def _qrels(folder: Path) -> dict[str, Files]:
    splits: dict[str, Files] = {}
    for file in sorted(folder.glob("*")):
        split = _split_of(file)
        if split is None:
            continue
        files = splits.get(split, ())
        if files and not (file.suffix == files[0].suffix == ".parquet"):
            raise DatasetError(f"{file}: there is {files[0].name} next to it; keep one of them")
        splits[split] = (*files, file)
    for files in splits.values():
        check_shards(files)
    return splits


def _split_of(file: Path) -> str | None:
    if file.name.startswith(".") or not file.is_file():
        return None
    if file.suffix == ".parquet":
        return split_of(file)
    stem, dot, suffix = file.name.removesuffix(".gz").rpartition(".")
    if dot + suffix not in _QRELS_SUFFIXES or (suffix == "jsonl" and stem in _TABLES):
        return None
    return "test" if (stem, suffix) == (_WHOLE, "jsonl") else stem
