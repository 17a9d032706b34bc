"""`pytest-beir`: what can be done without pytest."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from pytest_beir import __version__
from pytest_beir.errors import BeirError, UsageError
from pytest_beir.files.paths import user_path
from pytest_beir.text_layout import in_encoding, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

# The module of each command, and what it is for: a module is imported only when it is chosen.
COMMANDS = {
    "datasets": ("datasets", "list the catalogue"),
    "fetch": ("fetch", "download datasets"),
    "check": ("check", "lint a dataset's folder"),
    "import": (
        "import_judgements",
        "make a dataset's folder from your own judgements and documents",
    ),
    "match": ("match", "rank the catalogue's datasets by likeness to your own"),
    "compare": ("compare", "compare two systems query by query"),
    "merge": ("merge", "put the shards of one suite together and test its averages"),
    "accept": ("accept", "make baselines of a report's scores, without retrieving again"),
    "average": ("average", "which published averages may be compared at all"),
    "reference": ("reference", "published scores of a dataset, with their source"),
    "baselines": (
        "baselines",
        "list the stored baselines with their age and drift, or compare and repair them",
    ),
    "power": ("power", "what the suite can and cannot detect"),
}
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")
_FAILED = 1
_USAGE = 4


def parser(words: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of all commands; parsed arguments hold the chosen one as `run`.

    Given what was typed, only the command that it names has its options.
    """
    made = argparse.ArgumentParser(
        prog="pytest-beir", description="Regression tests for retrievers, without pytest."
    )
    made.add_argument("--version", action="version", version=f"pytest-beir {__version__}")
    subparsers = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, (module, meaning) in COMMANDS.items():
        if words is None or name in words:
            importlib.import_module(f"pytest_beir.commands.{module}").register(subparsers)
        else:
            subparsers.add_parser(name, help=meaning)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives 0, 1 (something failed) or 4 (usage error)."""
    try:
        typed = sys.argv[1:] if arguments is None else arguments
        given = parser(typed).parse_args(typed)
    except SystemExit as stop:  # argparse leaves with 2, which pytest keeps for Ctrl-C
        return _USAGE if stop.code else 0
    if sys.stdout is None:  # closed by whoever started us
        return _said("standard output is closed; nothing was done")
    with redirect_stdout(cast("IO[str]", VisibleStream(sys.stdout))):
        return _run(given)


class VisibleStream:
    """Passes text on to a stream; colours pass only to a terminal, where they are our own."""

    def __init__(self, stream: IO[str]) -> None:
        """Wrap a stream; everything else is asked of it."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text as it may be shown, and give its length."""
        parts = _COLOUR.split(text) if self._stream.isatty() else [text]
        shown = "".join(part if index % 2 else visible(part) for index, part in enumerate(parts))
        self._stream.write(in_encoding(shown, getattr(self._stream, "encoding", None) or "utf-8"))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _run(given: argparse.Namespace) -> int:
    try:
        _check_paths(given)
        status = int(given.run(given))
        sys.stdout.flush()
    except BeirError as error:
        return _said(error.with_code, _USAGE if isinstance(error, UsageError) else _FAILED)
    except OSError as error:
        if error.filename is None:  # nothing that we open ourselves
            _give_up_stdout()
            return _said(f"standard output cannot be written ({error.strerror or error})")
        return _said(f"{error.filename}: {error.strerror or error}")
    return status


def _check_paths(given: argparse.Namespace) -> None:
    """Refuse what no file can be called, before a command meets it."""
    for value in vars(given).values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Path):
                user_path(each)


def _said(text: str, status: int = _FAILED) -> int:
    """Write one error to standard error, if there is one, and give the status."""
    with suppress(OSError, AttributeError):
        VisibleStream(sys.stderr).write(f"pytest-beir: error: {text}\n")
    return status


def _give_up_stdout() -> None:
    """Let the interpreter flush what is left to nowhere, which it does at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
