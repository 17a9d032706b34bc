"""A report's text file: written whole or not at all, or an error that says what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import ReportError
from pytest_beir.files.atomic import write_atomically

if TYPE_CHECKING:
    from pathlib import Path


def write_text(target: Path, text: str) -> Path:
    r"""Put `text` in the place of `target`, as UTF-8 with LF, and return its path.

    Halves of surrogate pairs, which UTF-8 has not, are written as JSON writes them (`\ud800`).
    Raises ReportError, which names the file, where the folder cannot be written.
    """
    try:
        write_atomically({target: text.encode("utf-8", "backslashreplace").decode("utf-8")})
    except OSError as error:
        raise ReportError(
            f"{target}: cannot be written ({error.strerror or error}); name a folder that is"
            " writable"
        ) from error
    return target
