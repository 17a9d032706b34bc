"""The lines of a text file, plain or gzipped, whatever its line ends and byte order mark."""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.files.parquet import parquet_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


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


@contextmanager
def opened(path: Path) -> Iterator[Iterable[bytes]]:
    """Give the file's lines as bytes with their ends: of `.gz` decompressed, of `.parquet` JSON.

    Raises:
        DatasetError: the file cannot be read.

    """
    with readable(path):
        if path.suffix == ".parquet":
            yield parquet_lines(path)
        elif path.suffix == ".gz":
            with gzip.open(path, "rb") as stream:
                yield stream
        else:
            with path.open("rb", buffering=1 << 20) as stream:
                yield stream


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    r"""Yield (number from 1, bytes without `\n` or `\r\n`) of every line that is not blank.

    Only `\n` ends a line, so that other separators inside a text stay where they are.

    Raises:
        DatasetError: the file is missing, unreadable, UTF-16, or damaged.

    """
    with opened(path) as lines:
        for number, raw in enumerate(lines, 1):
            line = raw.rstrip(b"\r\n")
            if number == 1:
                if line.startswith(UTF16_MARKS):
                    raise DatasetError(f"{path}:1: the file is UTF-16; save it as UTF-8")
                line = line.removeprefix(BYTE_ORDER_MARK)
            if line and not line.isspace():
                yield number, line
