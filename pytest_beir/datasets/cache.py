"""The cache folder: where downloads and side files lie, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock
from platformdirs import user_cache_path

if TYPE_CHECKING:
    from collections.abc import Iterator


def cache_folder(cache_dir: str | os.PathLike[str] | None = None) -> Path:
    """Give the cache folder as an absolute path: `cache_dir`, else the platform's place for it."""
    if cache_dir is None:
        return user_cache_path("pytest-beir")
    return Path(cache_dir).expanduser().absolute()


def key_of(path: Path) -> str:
    """Give the name under which side files of a file or folder are kept."""
    resolved = os.path.normcase(path.resolve())
    return sha256(os.fsencode(resolved)).hexdigest()[:32]


@contextmanager
def locked(path: Path, *, timeout: float = -1) -> Iterator[None]:
    """Hold the lock that belongs to `path`, so that two processes make it once.

    Raises:
        OSError: the folder cannot be written to.

    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f"{path.name}.lock"), timeout=timeout):
        yield


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give the path of an empty file beside `path`, which replaces it at the end without an error.

    Raises:
        OSError: the folder cannot be written to.

    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
