"""The lines of a text file, plain or gzipped, whatever its line ends and byte order mark."""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def open_bytes(path: Path) -> IO[bytes]:
    """Give the file's content as a binary stream, decompressed where the name ends in `.gz`."""
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb", buffering=1 << 20)


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what goes wrong while a file is read into an error that names it.

    Raises:
        DatasetError: the file is missing, unreadable, or a damaged gzip.
    """
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DatasetError(
            f"{path}: damaged gzip ({error}); fetch or compress the file again"
        ) from error
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from error


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    r"""Yield (number from 1, bytes without `\n` or `\r\n`) of every line that is not blank.

    Only `\n` ends a line, so that other separators inside a text stay where they are.

    Raises:
        DatasetError: the file is missing, unreadable, UTF-16, or a damaged gzip.
    """
    with readable(path), open_bytes(path) as stream:
        for number, raw in enumerate(stream, 1):
            line = raw.rstrip(b"\r\n")
            if number == 1:
                if line.startswith(UTF16_MARKS):
                    raise DatasetError(f"{path}:1: the file is UTF-16; save it as UTF-8")
                line = line.removeprefix(BYTE_ORDER_MARK)
            if line and not line.isspace():
                yield number, line
