"""The lines of a report on standard output: coloured on a terminal, plain anywhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_beir.text_layout import Line

_STYLES = {"plain": ""}  # the others bear names that rich knows


def is_ascii() -> bool:
    """Whether standard output cannot show the signs that reports use."""
    try:
        "−→Δα≤…–".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return True
    return False


def show(lines: Iterable[Line]) -> None:
    """Print the lines."""
    if not sys.stdout.isatty():
        for line in lines:
            print(line.text)  # noqa: T201
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(line.text, style=_STYLES.get(line.style, line.style))
