"""Files packed otherwise than by gzip: zst, bz2, xz, lz4."""

from __future__ import annotations

import bz2
import importlib
import io
import lzma
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RunFileError
from pytest_beir.files.content import read_bytes
from pytest_beir.files.lines import MOST_RATIO

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGEST = 4 << 30  # bytes, packed or not
_SMALL = 64 << 20  # bytes below which the ratio says nothing


def unpacked(path: Path) -> bytes | None:
    """The content of a packed file; None where its ending is none of these.

    Raises:
        RunFileError: It is damaged, or needs a library that is not installed.

    """
    unpack = _UNPACK.get(path.suffix)
    if unpack is None:
        return None
    packed = read_bytes(path, RunFileError, largest=LARGEST)
    try:
        content = unpack(path, packed)
    except (OSError, EOFError, ValueError, RuntimeError, lzma.LZMAError) as error:
        raise RunFileError(f"{path}: damaged {path.suffix[1:]} ({error})") from error
    if len(content) > _most(packed):
        raise RunFileError(
            f"unpacks to more than {_most(packed):,} bytes",
            file=path,
            remedy="no rankings do: is it the right file?",
        )
    return content


def _most(packed: bytes) -> int:
    """How much a packed file may unpack to: a bomb of a megabyte must not fill the memory."""
    return min(LARGEST, max(_SMALL, MOST_RATIO * len(packed)))


def _zst(path: Path, packed: bytes) -> bytes:
    library = _library(path, "zstandard")
    try:
        with library.ZstdDecompressor().stream_reader(packed) as stream:
            content: bytes = stream.read(_most(packed) + 1)
    except library.ZstdError as error:
        raise ValueError(str(error)) from error
    return content


def _bz2(_: Path, packed: bytes) -> bytes:
    with bz2.BZ2File(io.BytesIO(packed)) as stream:
        return stream.read(_most(packed) + 1)


def _xz(_: Path, packed: bytes) -> bytes:
    with lzma.LZMAFile(io.BytesIO(packed)) as stream:
        return stream.read(_most(packed) + 1)


def _lz4(path: Path, packed: bytes) -> bytes:
    content: bytes = _library(path, "lz4.frame").decompress(packed)
    return content


def _library(path: Path, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise RunFileError(
            f"{path}: reading {path.suffix} needs {name}: pip install {name}"
        ) from None


_UNPACK: dict[str, Callable[[Path, bytes], bytes]] = {
    ".zst": _zst,
    ".lz4": _lz4,
    ".bz2": _bz2,
    ".xz": _xz,
}
