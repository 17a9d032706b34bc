"""What the flags of a dataset mean, and which of them are worth showing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.flags import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.reports.remark import Hint

_POOL = ("pool-suspect", "pool-unverifiable")
_SAID_ELSEWHERE = ("likely-drop", "suspect", "inconclusive")


def meaning(flag: str) -> str:
    """What a flag says of its dataset; empty for one that explains itself."""
    known = named(flag)
    return "" if known.name in _SAID_ELSEWHERE else known.meaning


def hint(flag: str) -> Hint | None:
    """What kind of hint goes with a flag's meaning."""
    return "to judge" if flag in _POOL else None


def shown_flags(evaluation: Evaluation) -> Iterator[str]:
    """The flags to be explained: those that a paragraph of the dataset does not tell of."""
    for flag in evaluation.flags:
        is_told = flag == "likely-drop" or flag.startswith("suspect:")
        if not is_told:
            yield flag
