"""Scores, differences and probabilities as this project writes them: `.652`, `−.041`, `<1e-6`."""

from __future__ import annotations

import math

MINUS = "\N{MINUS SIGN}"
_SMALLEST = 1e-6
_FOUR_DECIMALS = 1e-4
_TOLERANCE = 1e-12


def score(value: float | None, digits: int = 3) -> str:
    """A score as `.652`, `1.000`, or `–` where there is none."""
    return "–" if value is None else _bare(value, digits)


def change(value: float | None, digits: int = 3) -> str:
    """A difference with its sign, `−.041` or `+.008`; `.000` only where it is exactly nothing."""
    if value is None:
        return "–"
    if value == 0:
        return _bare(0.0, digits)
    return (MINUS if value < 0 else "+") + _bare(abs(value), digits)


def limit(value: float | None) -> str:
    """A limit or a level with the digits it has, at most four decimals: `.02`, `.0125`."""
    if value is None:
        return "–"
    short = _bare(value, 4).rstrip("0").rstrip(".") or "0"
    return short if short != "0" or value == 0 else probability(value)


def probability(value: float | None, beside: float | None = None) -> str:
    """A probability as `.0004`, `3e-05` below that, `<1e-6`, or `1`.

    `beside` is the level it is compared with: further digits are shown where four would make the
    two look equal though they are not.
    """
    if value is None:
        return "–"
    if value < _SMALLEST:
        return "<1e-6"
    if value < _FOUR_DECIMALS:
        return f"{value:.0e}".replace("e-0", "e-")
    if value == 1:
        return "1"
    shown = f"{value:.4f}"
    if beside is not None and abs(value - beside) > _TOLERANCE and shown == f"{beside:.4f}":
        shown = f"{value:.7f}"
    return shown.removeprefix("0")


def equation(symbol: str, value: float | None, beside: float | None = None) -> str:
    """A probability in a sentence: `p = .0004`, `p < 1e-6`; its parts stay on one line."""
    shown = probability(value, beside)
    parts = ("<", shown[1:]) if shown.startswith("<") else ("=", shown)
    return "\N{NO-BREAK SPACE}".join((symbol, *parts))


def count(value: float) -> str:
    """A whole number with separators of thousands: `13,145`."""
    return f"{value:,.0f}"


def rank(value: int | None) -> str:
    """A rank, or `beyond 100` for a document that is not in the top 100."""
    return "beyond 100" if value is None else str(value)


def share(part: float) -> str:
    """A share as a percentage: `18 %`."""
    return f"{100 * part:.0f}\N{NO-BREAK SPACE}%"


def _bare(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return str(value)
    shown = f"{abs(value):.{digits}f}".removeprefix("0")
    return (MINUS if value < 0 else "") + shown
