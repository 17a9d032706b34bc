"""The lines of a text file, plain or gzipped, with any line ends and byte order mark."""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from pytest_beir.errors import DatasetError, LocatedError
from pytest_beir.files.content import plain_file, unreadable
from pytest_beir.files.parquet import parquet_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
LONGEST = 64 << 20  # bytes of a line; a whole book has one or two million
MOST_RATIO = 200  # of a gzip; text packs four to one, and a bomb a thousand to one
_SMALL = 64 << 20  # bytes below which the ratio says nothing
_BLOCK = 1 << 17  # stays in the cache of the processor
_GZIP = b"\x1f\x8b"


@contextmanager
def opened(
    path: Path, error: type[LocatedError] = DatasetError, *, by_content: bool = False
) -> Iterator[Iterable[bytes]]:
    """The file's lines as bytes with their ends: of `.gz` decompressed, of `.parquet` as JSON.

    With `by_content` a gzip is told by its first bytes, whatever its name. The errors come while
    the lines are read; what else the caller does with them is not looked at.

    Raises:
        LocatedError: of the class `error`: the file cannot be read, is damaged, holds a line that
            is too long, or unpacks to far more than texts do.

    """
    if path.suffix == ".parquet" and not by_content:
        with plain_file(path, error):  # a pipe or a device would stop pyarrow
            pass
        yield parquet_lines(path, error)
        return
    with opened_pieces(path, error, by_content=by_content) as pieces:
        yield _lines(pieces)


@contextmanager
def opened_pieces(
    path: Path, error: type[LocatedError] = DatasetError, *, by_content: bool = False
) -> Iterator[Iterable[bytes]]:
    """The same file in pieces of many whole lines, which only the last one need not end.

    Raises:
        LocatedError: see `opened`.

    """
    with plain_file(path, error) as stream:
        is_gzip = _has_magic(stream, path, error) if by_content else path.suffix == ".gz"
        blocks = _unpacked(stream, path, error) if is_gzip else _blocks(stream, path, error)
        yield _whole_lines(blocks, path, error)


def numbered_lines(
    path: Path, error: type[LocatedError] = DatasetError
) -> Iterator[tuple[int, bytes]]:
    r"""Number (from 1) and bytes without `\n` or `\r\n` of every line that is not blank.

    Only `\n` ends a line, so that other separators inside a text stay where they are.

    Raises:
        LocatedError: of the class `error`: the file is missing, unreadable, UTF-16, or damaged.

    """
    with opened(path, error) as lines:
        for number, raw in enumerate(lines, 1):
            line = raw.rstrip(b"\r\n")
            if number == 1:
                if line.startswith(UTF16_MARKS):
                    raise error("the file is UTF-16", file=path, line=1, remedy="save it as UTF-8")
                line = line.removeprefix(BYTE_ORDER_MARK)
            if line and not line.isspace():
                yield number, line


@contextmanager
def _trouble(path: Path, error: type[LocatedError]) -> Iterator[None]:
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
        raise error(
            f"damaged gzip ({problem})", file=path, remedy="fetch or compress the file again"
        ) from problem
    except OSError as problem:
        raise unreadable(path, problem, error) from problem


def _has_magic(stream: IO[bytes], path: Path, error: type[LocatedError]) -> bool:
    with _trouble(path, error):
        magic = stream.read(len(_GZIP))
        stream.seek(0)
    return magic == _GZIP


def _blocks(stream: IO[bytes], path: Path, error: type[LocatedError]) -> Iterator[bytes]:
    while True:
        with _trouble(path, error):
            block = stream.read(_BLOCK)
        if not block:
            return
        yield block


def _unpacked(packed: IO[bytes], path: Path, error: type[LocatedError]) -> Iterator[bytes]:
    """Blocks of a gzip, as long as it does not unpack to absurdly more than it is."""
    total = 0
    with gzip.GzipFile(fileobj=packed, mode="rb") as unpacked:
        while True:
            with _trouble(path, error):
                block = unpacked.read(_BLOCK)
            if not block:
                return
            total += len(block)
            if total > max(_SMALL, MOST_RATIO * packed.tell()):
                raise error(
                    f"unpacks to more than {MOST_RATIO} times its size",
                    file=path,
                    remedy="no text does: is it the right file?",
                )
            yield block


def _whole_lines(blocks: Iterable[bytes], path: Path, error: type[LocatedError]) -> Iterator[bytes]:
    number = 1
    rest: list[bytes] = []  # of the line that has not ended yet
    length = 0
    for block in blocks:
        whole, feed, tail = block.rpartition(b"\n")
        if feed:
            yield b"".join((*rest, whole, feed))
            number += block.count(b"\n")
            rest, length = [tail], len(tail)
        else:
            rest.append(block)
            length += len(block)
        if length > LONGEST:
            raise error(
                f"the line is longer than {LONGEST:,} bytes",
                file=path,
                line=number,
                remedy="is it the right file?",
            )
    last = b"".join(rest)
    if last:
        yield last


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        lines = piece.split(b"\n")
        last = lines.pop()
        yield from (line + b"\n" for line in lines)
        if last:
            yield last
