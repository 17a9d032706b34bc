"""Files that are written whole or not at all, by a rename at the end."""

from __future__ import annotations

import os
from contextlib import contextmanager
from secrets import token_hex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give the path of an empty file beside `path`, which replaces it at the end without an error.

    Raises:
        OSError: the folder cannot be written to.

    """
    part = _beside(path)
    try:
        yield part
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_texts(texts: Mapping[Path, str]) -> None:
    """Give files a new content (UTF-8, LF), in order, once all of it is on the disk.

    Raises:
        OSError: a folder cannot be written to; no file has changed then.

    """
    parts: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            parts[path] = _beside(path)
            with parts[path].open("wb") as stream:
                stream.write(text.encode("utf-8"))
                stream.flush()
                os.fsync(stream.fileno())
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """An empty file, readable by whom the folder's other files are (`tempfile` lets one alone)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.{token_hex(4)}.tmp")
    part.touch(exist_ok=False)
    return part
