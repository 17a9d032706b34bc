"""One published score: who, on what, by which metric, how much, and where it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_beir.scoring.measures import spelled_here

if TYPE_CHECKING:
    from collections.abc import Sequence


class Score(NamedTuple):
    """A mean over queries, between 0 and 1; `place` is the file, with the line where it has one.

    `revision` is the dataset's, where the source names it.
    """

    model: str
    dataset: str
    split: str
    metric: str
    value: float
    place: str
    revision: str = ""


class Reading(NamedTuple):
    """The scores of a file or folder, and what in it was left aside, in words."""

    scores: tuple[Score, ...]
    notes: tuple[str, ...] = ()


def listed(names: Sequence[str], most: int = 8) -> str:
    """Some names, or the first of many and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def metric_name(written: str) -> str:
    """The metric in this project's spelling (`ndcg_at_10` is nDCG@10), or as it is written."""
    return spelled_here(written) or written.strip()


def share(written: object) -> float:
    """A score as a number between 0 and 1; ValueError says what is wrong with any other."""
    if isinstance(written, bool) or not isinstance(written, (str, int, float)):
        raise ValueError(f"{written!r} is not a number; {_LEAVE_OUT}")  # noqa: TRY004
    shown = str(written)[:50]
    try:
        # Python alone reads 0_1 as 1.
        value = float(written.replace("_", "?") if isinstance(written, str) else written)
    except (ValueError, OverflowError):
        raise ValueError(f"{shown!r} is not a number; {_LEAVE_OUT}") from None
    if 0 <= value <= 1:
        return value
    if 1 < value <= 100:  # noqa: PLR2004 (per cent)
        raise ValueError(
            f"{shown} lies above 1 and looks like a percentage; write {value / 100:.6g}, and all"
            " values of the file likewise, or add --percent"
        )
    raise ValueError(f"{shown} is not between 0 and 1; {_LEAVE_OUT}")


_LEAVE_OUT = "leave the row out where there is no score"
