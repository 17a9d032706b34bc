"""A text file that is written whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_beir.errors import ReportError

if TYPE_CHECKING:
    from pathlib import Path


def write_text(target: Path, text: str) -> Path:
    """Put `text` in the place of `target`, as UTF-8 with LF, and return its path.

    Raises ReportError, which names the file, where the folder cannot be written.
    """
    temporary = target.parent / f".{target.name}.{os.getpid()}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise ReportError(
            f"{target}: cannot be written ({error.strerror}); let --beir-report=DIR name a folder "
            "that is writable"
        ) from error
    return target
