"""The layout of Hugging Face's hub: tables as folders of parquet, judgements in a sibling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

TABLES = ("corpus", "queries")

_SHARD = re.compile(r"(?P<split>.+?)(-\d{5}-of-\d{5})?(-[0-9a-f]{16})?\.parquet")


_PART = re.compile(r"(?P<stem>.+)-(?P<part>\d{5})-of-(?P<parts>\d{5})")


def snapshot(path: Path) -> Path:
    """The folder that holds the files: of the hub's own cache, the current snapshot."""
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
    """The parquet files of a table (`corpus`, `queries`), in order."""
    single = path / f"{table}.parquet"
    if single.is_file():
        return (single,)
    found = tuple(sorted((path / table).glob("*.parquet")))
    check_shards(found)
    return found


def check_shards(files: Sequence[Path]) -> None:
    """Refuse a table of which a part (`-00001-of-00003`) is missing.

    Raises:
        DatasetError: The first missing part is named.

    """
    there = {(match["stem"], int(match["part"])) for match in map(_part, files) if match}
    for match in map(_part, files):
        for number in range(int(match["parts"]) if match else 0):
            if match and (match["stem"], number) not in there:
                name = f"{match['stem']}-{number:05d}-of-{match['parts']}"
                raise DatasetError(
                    f"the part {name} is missing next to it",
                    file=files[0],
                    remedy=f"fetch all {int(match['parts'])} parts",
                )


def _part(file: Path) -> re.Match[str] | None:
    return _PART.match(file.name)


def split_of(file: Path) -> str | None:
    """The split that a parquet file of judgements belongs to (`test-00000-of-00001.parquet`).

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
