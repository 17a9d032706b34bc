"""The best documents of a whole corpus from those of its parts, by the order of scoring."""

from __future__ import annotations

from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

Ranked: TypeAlias = "tuple[list[str], NDArray[np.float64]]"
"""Ids of documents and their scores, best first."""


def ranked(scores: Mapping[str, float], depth: int) -> Ranked:
    """The best documents of one part: 32-bit score, then id, both descending."""
    single = _single(np.fromiter(scores.values(), dtype=np.float64, count=len(scores)))
    best = sorted(zip(single, scores, strict=True), reverse=True)[:depth]
    ids = [document for _, document in best]
    return ids, np.array([scores[document] for document in ids], dtype=np.float64)


def merged(parts: Iterable[Ranked], depth: int) -> dict[str, float]:
    """The best documents of all parts, best first, by the same order."""
    columns = [zip(_single(scores), ids, scores.tolist(), strict=True) for ids, scores in parts]
    best = merge(*columns, reverse=True)  # ids differ, so that no score of 64 bits is compared
    return {document: score for _, document, score in islice(best, depth)}


def _single(scores: NDArray[np.float64]) -> Sequence[float]:
    with np.errstate(over="ignore"):
        singles: list[float] = scores.astype(np.float32).tolist()
    return singles
