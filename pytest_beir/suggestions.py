"""The word that was probably meant."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The one of `known` most like `word` whatever its case, or None if nothing is like it."""
    by_folded = {name.casefold(): name for name in sorted(known, reverse=True)}
    found = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.55)
    return by_folded[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or an empty text."""
    found = nearest(word, known)
    return f"; did you mean {found!r}?" if found else ""
