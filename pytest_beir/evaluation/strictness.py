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
    return tuple(flag for flag, _ in failing_flags(evaluation) if flag.split(":")[0] in strict)


def failing_flags(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Every flag that could be declared to fail, with what there is to say of it."""
    for flag in evaluation.flags:
        if flag in _OF_A_DATASET or flag.startswith("suspect:"):
            yield flag, evaluation.message or evaluation.reason
    if evaluation.verdict == "inconclusive":
        yield "inconclusive", evaluation.reason
    if evaluation.verdict == "improved" and evaluation.update is None:
        yield "stale-baseline", "improved; the baseline is stale: pytest --beir --beir-update"
