"""The cache folder: where downloads and side files lie, made by one process at a time."""

from __future__ import annotations

import os
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

from pytest_beir.files.paths import user_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def cache_folder(cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """The cache folder as an absolute path: `cache_dir`, else the platform's place for it."""
    if cache_dir is None:
        return user_cache_path("pytest-beir")
    return user_path(cache_dir)


def key_of(path: Path) -> str:
    """The name under which side files of a file or folder are kept."""
    resolved = os.path.normcase(path.resolve())
    return sha256(os.fsencode(resolved)).hexdigest()[:32]


@contextmanager
def locked(path: Path, *, timeout: float = -1) -> Iterator[None]:
    """Hold the lock that belongs to `path`, so that two processes make it once.

    Raises:
        OSError: the folder cannot be written to.

    """
    from filelock import FileLock  # imports asyncio

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f"{path.name}.lock"), timeout=timeout):
        yield
