"""The whole content of one file, of a sane size: what is read at once, not line by line."""

from __future__ import annotations

import codecs
import os
import stat
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from pytest_beir.errors import DatasetError, LocatedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST = 64 << 20  # bytes of a file that is read whole: a report of 1,000 datasets takes 5 MB
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@contextmanager
def plain_file(path: Path, error: type[LocatedError] = DatasetError) -> Iterator[IO[bytes]]:
    """The open file, if it is an ordinary one: a pipe or a device could be read for ever.

    Raises:
        LocatedError: of the class `error`: it is missing, special or cannot be opened.

    """
    try:
        # A pipe without a writer would stop an ordinary `open` before its kind can be asked.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except OSError as problem:
        raise unreadable(path, problem, error) from problem
    except ValueError as problem:
        raise error("a path cannot hold a NUL character", file=path) from problem
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind != stat.S_IFREG:
        os.close(descriptor)
        raise not_a_file(path, kind, error)
    with os.fdopen(descriptor, "rb", buffering=1 << 20) as stream:
        yield stream


_BINARY = getattr(os, "O_BINARY", 0)


def not_a_file(path: Path, kind: int, error: type[LocatedError] = DatasetError) -> LocatedError:
    """The error that a path leads to a folder, a pipe or a device."""
    what = _KINDS.get(kind, "something else")
    return error(f"is {what}, not a file", file=path, remedy="name an ordinary file")


def unreadable(
    path: Path, problem: OSError, error: type[LocatedError] = DatasetError
) -> LocatedError:
    """The error that the system refuses to read a path."""
    if isinstance(problem, IsADirectoryError):
        return not_a_file(path, stat.S_IFDIR, error)
    return error(f"cannot be read ({problem.strerror or problem})", file=path)


def read_bytes(
    path: Path, error: type[LocatedError] = DatasetError, *, largest: int = LARGEST
) -> bytes:
    """The file's bytes.

    Raises:
        LocatedError: of the class `error`: it is missing, special, larger than `largest` or
            cannot be read.

    """
    with plain_file(path, error) as stream:
        try:
            content = stream.read(largest + 1)
        except OSError as problem:
            raise unreadable(path, problem, error) from problem
    if len(content) > largest:
        raise error(f"is larger than {largest:,} bytes", file=path, remedy="is it the right file?")
    return content


def read_text(
    path: Path, error: type[LocatedError] = DatasetError, *, largest: int = LARGEST
) -> str:
    """The file's text, without a byte order mark.

    Raises:
        LocatedError: of the class `error`: it cannot be read, is too large, or not UTF-8.

    """
    return decoded(read_bytes(path, error, largest=largest), path, error)


def decoded(content: bytes, path: Path, error: type[LocatedError] = DatasetError) -> str:
    """Bytes as text, without a byte order mark.

    Raises:
        LocatedError: of the class `error`: they are not UTF-8.

    """
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as problem:
        raise error(
            f"byte 0x{content[problem.start]:02x} is not UTF-8",
            file=path,
            line=content.count(b"\n", 0, problem.start) + 1,
            remedy="save the file as UTF-8",
        ) from None
