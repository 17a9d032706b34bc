"""The lines of a report on standard output: coloured on a terminal, plain anywhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console
    from rich.table import Table

    from pytest_beir.text_layout import Line

Column: TypeAlias = Literal["fixed", "number", "text", "name"]

_STYLES = {"plain": ""}  # the others have names that rich knows


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
    plain = console()
    for line in lines:
        plain.print(line.text, style=_STYLES.get(line.style, line.style), soft_wrap=True)


def console() -> Console:
    """Where tables and sentences are printed; texts are never read as markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def table(*columns: tuple[str, Column]) -> Table:
    """An empty table without lines.

    Each column has a title and its kind: `fixed` is never wrapped, a `number` is set to the right,
    `text` is wrapped between words and a `name` anywhere.
    """
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    for title, kind in columns:
        made.add_column(
            title,
            no_wrap=kind == "fixed",
            justify="right" if kind == "number" else "left",
            overflow="fold" if kind == "name" else "ellipsis",
        )
    return made
