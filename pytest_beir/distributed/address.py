"""What `--beir-scheduler` names: an address, a scheduler file, or workers of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.errors import UsageError
from pytest_beir.files.paths import user_path

if TYPE_CHECKING:
    from pathlib import Path

OPTION = "--beir-scheduler"
_FORMS = "tcp://HOST:PORT, tls://HOST:PORT, local:WORKERS, or a scheduler file"
_LOCAL = "local:"
_SHARDS = "shards="


@dataclass(frozen=True)
class SchedulerAddress:
    """Where the scheduler is, and into how many parts each corpus is cut (None: by its size).

    `text` is what the user wrote. One of `url`, `file` and `local_workers` is given.
    """

    text: str
    url: str | None = None
    file: Path | None = None
    local_workers: int | None = None
    shards: int | None = None

    @property
    def place(self) -> str:
        """The address without its settings."""
        return self.text.partition(",")[0]


def parse(text: str, base: Path) -> SchedulerAddress:
    """The address that the option's value means; a scheduler file counts from `base`.

    Raises:
        UsageError: it is none of the forms, or the file does not exist.

    """
    place, _, setting = text.strip().partition(",")
    shards = _shards(text, setting) if setting else None
    if place.startswith(_LOCAL):
        workers = _whole(place.removeprefix(_LOCAL))
        if workers is None:
            raise UsageError(
                f"{OPTION}={text}: write how many workers to start on this machine, as local:2"
            )
        return SchedulerAddress(text, local_workers=workers, shards=shards)
    if "://" in place:
        return SchedulerAddress(text, url=place, shards=shards)
    file = user_path(place, base) if place else None
    if file is None or not file.is_file():
        found = "is empty" if file is None else f"no file {file} exists"
        raise UsageError(f"{OPTION}={text}: {found}; give {_FORMS}")
    return SchedulerAddress(text, file=file.resolve(), shards=shards)


def _shards(text: str, setting: str) -> int:
    shards = _whole(setting.removeprefix(_SHARDS)) if setting.startswith(_SHARDS) else None
    if shards is None:
        raise UsageError(
            f"{OPTION}={text}: after the comma write into how many parts each corpus is cut, as"
            f" local:2,{_SHARDS}8"
        )
    return shards


def _whole(text: str) -> int | None:
    """A whole number from 1, None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and int(text) > 0 else None
