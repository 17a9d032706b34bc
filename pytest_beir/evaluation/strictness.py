"""Which flags of one evaluation a user may declare to fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.evaluation.evaluation import Evaluation

_OF_A_DATASET = (
    "likely-drop",
    "contaminated",
    "corpus-changed",
    "drift",
    "differs-from-catalogue",
)


def strict_flags(evaluation: Evaluation, strict: frozenset[str]) -> tuple[str, ...]:
    """Those flags of one evaluation that are declared to fail."""
    return tuple(flag for flag in failing_flags(evaluation) if flag.split(":")[0] in strict)


def failing_flags(evaluation: Evaluation) -> Iterator[str]:
    """Every flag that could be declared to fail, `suspect:METRIC` in full."""
    for flag in evaluation.flags:
        if flag in _OF_A_DATASET or flag.startswith("suspect:"):
            yield flag
    if evaluation.verdict == "inconclusive":
        yield "inconclusive"
    if evaluation.verdict == "improved" and evaluation.update is None:
        yield "stale-baseline"
