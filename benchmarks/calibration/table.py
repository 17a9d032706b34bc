"""Markdown tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table whose first column is text and whose others are figures."""
    lines = [
        _line(head),
        _line(["---", *["---:"] * (len(head) - 1)]),
        *(_line(row) for row in rows),
    ]
    return "\n".join(lines)


def _line(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def titles(names: Iterable[str]) -> list[str]:
    known = {"bootstrap": "bootstrap alone", "sign-flip": "sign-flip alone", "t": "t-test"}
    return [known.get(name, name) for name in names]


def percent(value: float, digits: int = 0) -> str:
    return f"{100 * value:.{digits}f}"


def decimal(value: float, digits: int = 3) -> str:
    """Without the zero before the point."""
    return f"{value:.{digits}f}".replace("0.", ".", 1)


def level_name(level: float) -> str:
    """As the report writes it: .05, .01, .05/18."""
    part = round(0.05 / level)
    known = {1: ".05", 5: ".01"}
    return known.get(part, f".05/{part}")
