"""A folder that is replaced as one: whoever looks sees the old one or the new one whole."""

from __future__ import annotations

import ctypes
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_beir.files.atomic import UNFINISHED, locked_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HERE = -100  # AT_FDCWD: paths count from the working directory
_EXCHANGE = 2


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """The path of a copy of `folder`, which takes its place at the end without an error.

    The copy shares the files with the original (hard links), so that they are to be replaced or
    removed in it, never changed. What killed processes left is removed.

    Raises:
        OSError: the folder, or the one around it, cannot be written to.

    """
    folder = folder.resolve()
    with locked_folder(folder) as part:
        if folder.is_dir():
            shutil.copytree(
                folder,
                part,
                symlinks=True,
                dirs_exist_ok=True,
                copy_function=_link,
                ignore=shutil.ignore_patterns(UNFINISHED),
            )
        yield part
        if folder.is_dir():
            _exchange(part, folder)
        else:
            part.rename(folder)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copy2(source, target)


def _exchange(part: Path, folder: Path) -> None:
    """Let the two folders change places, in one step where the system can do so."""
    if _swapped(part, folder):
        return
    old = part.with_name(f"{part.name}.old")
    folder.rename(old)
    try:
        part.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _swapped(part: Path, folder: Path) -> bool:
    names = os.fsencode(part), os.fsencode(folder)
    try:
        library = ctypes.CDLL(None)
        if hasattr(library, "renameat2"):  # Linux
            return bool(library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0)
        return bool(library.renamex_np(*names, _EXCHANGE) == 0)  # macOS
    except (AttributeError, OSError, TypeError):
        return False  # an older system, or one without such a library
