"""Which files of a folder are the corpus, the queries and the judgements of a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from pathlib import Path

Files = tuple["Path", ...]

_QRELS_SUFFIXES = (".tsv", ".txt", ".qrels", ".trec")


@dataclass(frozen=True)
class Folder:
    """The files of a dataset; `corpus` is empty where there is none.

    `qrels` maps each split to its files, sorted by name.
    """

    path: Path
    corpus: Files
    queries: Files
    qrels: dict[str, Files]

    def split(self, wanted: str | None = None, *, preferred: str = "test") -> str:
        """Give the split to read: the wanted one, else the preferred one, else the only one.

        Raises:
            DatasetError: there is no such split, or several and none preferred.
        """
        there = ", ".join(self.qrels)
        if wanted is not None:
            if wanted in self.qrels:
                return wanted
            raise DatasetError(f"{self.path / 'qrels'}: no split {wanted!r}; there are: {there}")
        if preferred in self.qrels:
            return preferred
        if len(self.qrels) == 1:
            return next(iter(self.qrels))
        raise DatasetError(
            f"{self.path / 'qrels'}: no split {preferred!r} and several others ({there}); "
            "name one as `split`"
        )


def find_folder(path: Path) -> Folder:
    """Look a folder over, without reading any file.

    Raises:
        DatasetError: the folder, its queries or its judgements are missing.
    """
    if not path.is_dir():
        raise DatasetError(
            f"{path}: no such folder; a dataset is a folder with queries.jsonl and qrels/"
        )
    queries = _table(path, "queries")
    if not queries:
        raise DatasetError(f"{path}: no queries.jsonl (or queries.jsonl.gz) in it")
    qrels = _qrels(path / "qrels")
    if not qrels:
        raise DatasetError(f"{path}: no judgements; expected qrels/test.tsv")
    return Folder(path, _table(path, "corpus"), queries, qrels)


def _table(path: Path, name: str) -> Files:
    found = [path / f"{name}{suffix}" for suffix in (".jsonl", ".jsonl.gz")]
    there = tuple(file for file in found if file.is_file())
    if len(there) > 1:
        raise DatasetError(f"{there[1]}: stands beside {there[0].name}; keep one of them")
    return there


def _qrels(folder: Path) -> dict[str, Files]:
    splits: dict[str, Files] = {}
    for file in sorted(folder.glob("*")):
        name = file.name.removesuffix(".gz")
        if file.name.startswith(".") or not file.is_file() or not name.endswith(_QRELS_SUFFIXES):
            continue
        split = name.rsplit(".", 1)[0]
        if split in splits:
            raise DatasetError(f"{file}: stands beside {splits[split][0].name}; keep one of them")
        splits[split] = (file,)
    return splits
