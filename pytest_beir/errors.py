"""The errors of the project: each text names the place, the value, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from typing_extensions import Self


_LONGEST = 2000  # characters of a line of a message


class BeirError(Exception):
    """Any error that this project raises on purpose; its text is written for the user.

    `code` names the kind of error for good, whatever its text says; docs/errors.md explains each.
    """

    code: ClassVar[str] = "BEIR100"

    @property
    def with_code(self) -> str:
        """The text with the code at its end, as a command shows it."""
        return f"{self} [{self.code}]"


class LocatedError(BeirError):
    """An error at a place in a file: `FILE:LINE: what is wrong; what mends it`.

    `file` is None until it is known, `line` (from 1) where the whole file is meant.
    """

    code = "BEIR110"

    def __init__(
        self,
        message: str,
        *,
        file: Path | None = None,
        line: int | None = None,
        remedy: str = "",
    ) -> None:
        super().__init__(message)
        self.message = "\n".join(map(_shortened, message.split("\n")))
        self.file = file
        self.line = line
        self.remedy = remedy

    @property
    def explained(self) -> str:
        """What is wrong and what mends it, without the place."""
        return f"{self.message}; {self.remedy}" if self.remedy else self.message

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}"
        if place and self.line is not None:
            place += f":{self.line}"
        return f"{place}: {self.explained}" if place else self.explained

    def at(self, file: Path, line: int | None = None) -> Self:
        """The same error, at home in a file: whoever parses a line does not know which it is."""
        self.file = file
        self.line = line if self.line is None else self.line
        return self


class UsageError(BeirError):
    """An option or a combination of options that cannot be carried out (exit status 4)."""

    code = "BEIR101"


class ConfigError(LocatedError, UsageError):
    """`beir.yaml` is malformed, or names what does not exist."""

    code = "BEIR102"


class DatasetError(LocatedError):
    """A dataset's files are missing, malformed or contradict each other.

    `kind` tells one fault from another (`duplicate-id`), as `pytest-beir check --json` gives it.
    """

    code = "BEIR201"

    def __init__(
        self,
        message: str,
        *,
        file: Path | None = None,
        line: int | None = None,
        remedy: str = "",
        kind: str = "unreadable",
    ) -> None:
        super().__init__(message, file=file, line=line, remedy=remedy)
        self.kind = kind


class DownloadError(DatasetError):
    """A dataset could not be fetched whole and verified."""

    code = "BEIR202"


class RetrieverError(BeirError):
    """The user's retriever fits no known form, or raised."""

    code = "BEIR301"


class AnswerError(RetrieverError):
    """A retriever's answer is malformed: NaN, unknown ids, wrong types, missing queries."""

    code = "BEIR302"


class RunFileError(LocatedError, RetrieverError):
    """A run file is missing or malformed."""

    code = "BEIR303"


class ScoringError(BeirError, ValueError):
    """Judgements or rankings that cannot be scored."""

    code = "BEIR401"


class ComparisonError(BeirError, ValueError):
    """Two sets of scores that cannot be paired query by query."""

    code = "BEIR402"


class BaselineError(LocatedError):
    """A stored baseline is missing a part, malformed or cannot be written."""

    code = "BEIR501"


class ReportError(LocatedError):
    """A report (`beir.json`) is malformed, or shards do not fit together."""

    code = "BEIR601"


class ScoresFileError(LocatedError):
    """A file of published or exported scores is malformed, or contradicts itself."""

    code = "BEIR602"


def _shortened(line: str) -> str:
    """A line without the middle of what a hostile file holds."""
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 4 :]}"


def error_classes(base: type[BeirError] = BeirError) -> Iterator[type[BeirError]]:
    """Every class of error that the project raises, each once; a page explains each."""
    seen = {base}
    yield base
    for below in base.__subclasses__():
        for each in error_classes(below):
            if each not in seen and each.__module__ == __name__:
                seen.add(each)
                yield each
