"""Files that are written whole or not at all, by a rename at the end.

What is being written lies in a folder `.unfinished` beside the file, which git ignores. A process
holds a lock on each of its files there, so that what a killed one left is told by its free lock
(a number of a process may be another one's by now), and may be removed by anybody.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import TYPE_CHECKING

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

UNFINISHED = ".unfinished"
_ATTEMPTS = 20
_LONGEST_NAME = 200  # of a file, with room for what is added to it
_PERMISSIONS = 0o666


@contextmanager
def atomic_file(path: Path, *, copy_of: Path | None = None) -> Iterator[Path]:
    """The path of an empty file, which takes the place of `path` at the end without an error.

    It may be read by those who may read `copy_of`, else the file that it replaces. Leftovers of
    killed processes are removed.

    Raises:
        OSError: the folder cannot be written to.

    """
    remove_dead(path.parent)
    part = _Unfinished(path, copy_of)
    try:
        yield part.path
        part.finish()
    finally:
        part.discard()


def write_atomically(texts: Mapping[Path, str]) -> None:
    """Give files a new content (UTF-8, LF), in order, once all of it is on the disk.

    What is stopped between the renames leaves the rest in `.unfinished`, complete, for whoever
    knows what belongs together: see `parts_of`.

    Raises:
        OSError: a folder cannot be written to; no file has changed then.

    """
    parts: list[_Unfinished] = []
    try:
        for path, text in texts.items():
            parts.append(part := _Unfinished(path))
            part.path.write_bytes(text.encode("utf-8"))
            part.flush()
        parts[0].finish()
    except BaseException:
        for part in parts:
            part.discard()
        raise
    try:
        for part in parts[1:]:
            part.finish()
    finally:
        for part in parts:
            part.leave()


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, so that one process at a time changes what belongs together in it.

    No file is made for it. Where a system cannot lock a folder, nothing is locked.

    Raises:
        OSError: there is no such folder.

    """
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a network's file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def locked_folder(path: Path) -> Iterator[Path]:
    """The path of an empty folder in `.unfinished` beside `path`, removed at the end.

    Raises:
        OSError: the folder around it cannot be written to.

    """
    remove_dead(path.parent)
    part = _Unfinished(path.with_name(f"{path.name[:_LONGEST_NAME]}.lock"))
    home = part.path.with_name(part.path.name.replace(".lock.", ".folder."))
    try:
        home.mkdir()
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)
        part.discard()


def make_unfinished(folder: Path) -> Path:
    """The folder for what is unfinished in a folder, made if need be, and unknown to git.

    Raises:
        OSError: the folder cannot be written to.

    """
    home = folder / UNFINISHED
    home.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), (home / _IGNORE).open("x") as ignore:
        ignore.write("*\n")
    return home


def parts_of(path: Path) -> list[Path]:
    """What was written for `path` and did not take its place: being written, or left there."""
    return sorted((path.parent / UNFINISHED).glob(f"{_glob_of(path.name)}.????????"))


def remove_dead(folder: Path) -> None:
    """Remove what killed processes left unfinished in the folder."""
    home = folder / UNFINISHED
    if not home.is_dir():
        return
    for part in home.iterdir():
        if part.name == _IGNORE or part.is_dir() or not is_dead(part):
            continue
        with suppress(OSError):
            part.unlink()
            shutil.rmtree(part.with_name(part.name.replace(".lock.", ".folder.")), True)  # noqa: FBT003
    _remove_home(home)


def is_dead(part: Path) -> bool:
    """Whether nobody is writing this unfinished file any more."""
    try:
        descriptor = os.open(part, os.O_RDONLY)
    except OSError:
        return False  # it has just taken its place, or is not ours
    try:
        return _lock(descriptor)
    finally:
        os.close(descriptor)


_IGNORE = ".gitignore"


class _Unfinished:
    """An unfinished file, locked as long as somebody writes it."""

    def __init__(self, target: Path, copy_of: Path | None = None) -> None:
        self.target = target
        permissions = _permissions_of(copy_of or target)
        home = target.parent / UNFINISHED
        for attempt in range(_ATTEMPTS):
            self.path = home / f"{target.name}.{token_hex(4)}"
            try:
                make_unfinished(target.parent)
                self._descriptor = os.open(
                    self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, permissions
                )
            except FileNotFoundError:  # another process has just removed the empty folder
                if attempt == _ATTEMPTS - 1:
                    raise
                continue
            if _lock(self._descriptor) and _is_same(self._descriptor, self.path):
                break
            os.close(self._descriptor)  # taken for a dead one before it was locked
        if copy_of is None and target.exists() and sys.platform != "win32":
            os.fchmod(self._descriptor, permissions)  # whatever the umask is by now

    def flush(self) -> None:
        os.fsync(self._descriptor)

    def finish(self) -> None:
        """Put the file in its place."""
        self.flush()
        if sys.platform == "win32":
            self._close()
        self.path.replace(self.target)

    def discard(self) -> None:
        """Remove what did not take its place."""
        self._close()
        self.path.unlink(missing_ok=True)
        _remove_home(self.path.parent)

    def leave(self) -> None:
        """Leave alone what did not take its place."""
        self._close()
        _remove_home(self.path.parent)

    def _close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _permissions_of(like: Path) -> int:
    """Who may read and write a copy of a file, from its first moment on."""
    try:
        return stat.S_IMODE(like.stat().st_mode) & _PERMISSIONS | 0o600
    except OSError:
        return _PERMISSIONS


def _lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True  # an open file cannot be deleted there, which is lock enough
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def _is_same(descriptor: int, path: Path) -> bool:
    try:
        return sys.platform == "win32" or os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _remove_home(home: Path) -> None:
    """Remove the folder once nothing but its `.gitignore` is left in it."""
    with suppress(OSError):
        if {each.name for each in home.iterdir()} <= {_IGNORE}:
            (home / _IGNORE).unlink(missing_ok=True)
            home.rmdir()


def _glob_of(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)
