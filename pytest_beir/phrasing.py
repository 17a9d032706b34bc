"""Names listed and things counted in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def joined(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; empty for no names."""
    listed = list(names)
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def shortened(names: Sequence[object], most: int = 3) -> str:
    """`'a', 'b', 'c', …`: the first of many names, quoted; all of them where there are few."""
    return ", ".join(map(repr, names[:most])) + (", …" if len(names) > most else "")


def plural(number: int, noun: str) -> str:
    """`1 query`, `2,000 queries`: the number and the regular noun that fits it."""
    if number == 1:
        return f"{number:,} {noun}"
    ends_in_ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if ends_in_ies else f"{number:,} {noun}s"
