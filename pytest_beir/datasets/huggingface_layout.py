"""The layout of Hugging Face's hub: tables as folders of parquet, judgements in a sibling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLES = ("corpus", "queries")

_SHARD = re.compile(r"(?P<split>.+?)(-\d{5}-of-\d{5})?(-[0-9a-f]{16})?\.parquet")


def snapshot(path: Path) -> Path:
    """Give the folder that holds the files: of the hub's own cache, the current snapshot."""
    snapshots = path / "snapshots"
    if not snapshots.is_dir():
        return path
    reference = path / "refs" / "main"
    if reference.is_file():
        current = snapshots / reference.read_text("utf-8").strip()
        if current.is_dir():
            return current
    there = sorted(folder for folder in snapshots.iterdir() if folder.is_dir())
    return there[-1] if there else path


def shards(path: Path, table: str) -> tuple[Path, ...]:
    """Give the parquet files of a table (`corpus`, `queries`), in order."""
    single = path / f"{table}.parquet"
    if single.is_file():
        return (single,)
    return tuple(sorted((path / table).glob("*.parquet")))


def split_of(file: Path) -> str | None:
    """Give the split that a parquet file of judgements belongs to (`test-00000-of-00001.parquet`).

    None for a table of documents or queries that lies beside it.
    """
    match = _SHARD.fullmatch(file.name)
    return match["split"] if match and match["split"] not in TABLES else None


def qrels_folders(path: Path) -> Iterator[Path]:
    """Yield the folders that may hold judgements: the hub keeps them in `<name>-qrels`.

    `path` is the folder as the user named it, before its snapshot.
    """
    inside = snapshot(path)
    yield inside / "qrels"
    for parent in dict.fromkeys((inside, path.parent)):
        folder = snapshot(parent / f"{path.name}-qrels")
        yield folder / "qrels"
        yield folder
    yield inside
