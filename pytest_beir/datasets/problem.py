"""What may be wrong with a dataset's files: errors that stop a reading, warnings that count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """One error: a stable code, the place (line None where the whole file is meant), the text."""

    code: str
    file: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        place = f"{self.file}" if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


@dataclass(frozen=True)
class Notice:
    """One warning: a stable code, how many are concerned, the text with that number in it."""

    code: str
    count: int
    message: str

    def __str__(self) -> str:
        return self.message


Report = Callable[[Problem], None]
"""Where a reader puts an error; it goes on reading unless the receiver raises."""


def stop(problem: Problem) -> NoReturn:
    """Raise the problem: what loading does with the first error.

    Raises:
        DatasetError: always, with file, line and message.

    """
    raise DatasetError(str(problem))
