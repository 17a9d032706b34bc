"""The words a verdict may be, from worst to best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable

Verdict: TypeAlias = Literal[
    "error",
    "not comparable",
    "no baseline",
    "regressed",
    "inconclusive",
    "within tolerance",
    "improved",
    "unchanged",
]
Reason: TypeAlias = Literal[
    "noise",
    "not confirmed",
    "too few queries",
    "too few changed queries",
    "undecided",
    "underpowered",
]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)


def worst(verdicts: Iterable[str]) -> str:
    """The worst of some verdicts, at least one.

    Raises:
        ValueError: A word is not a verdict.

    """
    known: tuple[str, ...] = VERDICTS
    return min(verdicts, key=known.index)
