"""`pytest-beir`: what can be done without pytest."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import TYPE_CHECKING

from pytest_beir import __version__
from pytest_beir.errors import BeirError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "datasets",
    "fetch",
    "check",
    "import_judgements",
    "match",
    "compare",
    "merge",
    "accept",
    "average",
    "reference",
    "baselines",
    "power",
)
_FAILED = 1
_USAGE = 4


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; parsed arguments hold the chosen one as `run`."""
    made = argparse.ArgumentParser(
        prog="pytest-beir", description="Regression tests for retrievers, without pytest."
    )
    made.add_argument("--version", action="version", version=f"pytest-beir {__version__}")
    subparsers = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"pytest_beir.commands.{name}").register(subparsers)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives 0, 1 (something failed) or 4 (usage error)."""
    try:
        given = parser().parse_args(arguments)
    except SystemExit as stop:  # argparse leaves with 2, which pytest keeps for Ctrl-C
        return _USAGE if stop.code else 0
    try:
        return int(given.run(given))
    except BeirError as error:
        sys.stderr.write(f"pytest-beir: error: {error}\n")
        return _USAGE if isinstance(error, UsageError) else _FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return _FAILED


if __name__ == "__main__":
    sys.exit(main())
