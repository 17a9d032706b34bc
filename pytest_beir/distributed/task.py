"""One call on a worker: its result, or what went wrong there, as values that can always travel."""

from __future__ import annotations

import logging
import platform
import threading
import traceback
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

from pytest_beir import __version__
from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.user_code import described, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_LOG_LINES = 50


@dataclass(frozen=True)
class Done:
    """What a task gave, and which worker ran it."""

    value: Any
    worker: str


@dataclass(frozen=True)
class NeedsLines:
    """The worker has no such file: the lines have to be sent."""


@dataclass(frozen=True)
class Failed:
    """Why a task failed, with the traceback and the log of the worker.

    `kind` is the class of our own error; the user's exceptions are RetrieverErrors.
    """

    kind: type[RetrieverError]
    message: str
    worker: str
    details: str


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """What decides scores and has to be the same on every machine."""
    major, minor, _ = platform.python_version_tuple()
    found = {"pytest-beir": __version__, "Python": f"{major}.{minor}"}
    for library in ("numpy", *libraries):
        found[library] = _version(library)
    return found


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


def differences(expected: Mapping[str, str]) -> str:
    """What is installed here in another version than `expected`; empty where all agree."""
    here = versions(name for name in expected if name not in ("pytest-beir", "Python", "numpy"))
    return ", ".join(
        f"{name} {here[name]} instead of {version}"
        for name, version in expected.items()
        if here[name] != version
    )


def perform(
    expected: Mapping[str, str], place: str, function: Callable[..., Any], *arguments: Any
) -> Done | NeedsLines | Failed:
    """The function's result on a worker that has the expected versions."""
    if unlike := differences(expected):
        return Failed(
            RetrieverError,
            f"the worker has {unlike}: scores would not be comparable; install the same versions"
            " on every worker",
            _worker(),
            "",
        )
    with _log() as lines:
        try:
            value = function(*arguments)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # the user's code may raise anything
            return _failed(error, place, lines)
    return value if isinstance(value, NeedsLines) else Done(value, _worker())


def _failed(error: BaseException, place: str, lines: list[str]) -> Failed:
    cause = error.__cause__ or error
    own = isinstance(error, RetrieverError)
    details = "".join(traceback.format_exception(type(cause), cause, cause.__traceback__)).rstrip()
    if lines:
        details += "\n\nLog of the worker:\n" + "\n".join(lines[-_LOG_LINES:])
    return Failed(
        type(error) if isinstance(error, RetrieverError) else RetrieverError,
        printable(str(error)) if own else f"{place}: {described(error)}",
        _worker(),
        details,
    )


def _worker() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:  # called outside a worker
        return "this process"


class _LogLines(logging.Handler):
    """The log records of one thread."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.INFO)
        self._lines = lines
        self._thread = threading.get_ident()
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self._lines.append(self.format(record))


@contextmanager
def _log() -> Iterator[list[str]]:
    lines: list[str] = []
    handler = _LogLines(lines)
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
