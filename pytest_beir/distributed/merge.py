"""The best documents of a whole corpus from those of its parts, by the order of scoring."""

from __future__ import annotations

from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

_HELD = 8

Ranked: TypeAlias = "tuple[list[str], NDArray[np.float64]]"
"""Ids of documents and their scores, best first."""


def ranked(scores: Mapping[str, float], depth: int) -> Ranked:
    """The best documents of one part: 32-bit score, then id, both descending."""
    single = _single(np.fromiter(scores.values(), dtype=np.float64, count=len(scores)))
    best = sorted(zip(single, scores, strict=True), reverse=True)[:depth]
    ids = [document for _, document in best]
    return ids, np.array([scores[document] for document in ids], dtype=np.float64)


class Merging:
    """The best documents of many queries, from parts that come one after the other.

    Ids differ, so that the order in which the parts come does not matter. A few parts are held.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._parts: dict[str, list[Ranked]] = {}

    def take(self, answers: Mapping[str, Ranked]) -> None:
        """Take the answers of one part in."""
        for query, answer in answers.items():
            parts = self._parts.setdefault(query, [])
            parts.append(answer)
            if len(parts) > _HELD:
                best = merged(parts, self._depth)
                parts[:] = [(list(best), np.array(list(best.values()), dtype=np.float64))]

    def result(self, queries: Iterable[str]) -> dict[str, dict[str, float]]:
        """The rankings of the queries that were answered, in the order of `queries`."""
        return {
            query: merged(self._parts.pop(query), self._depth)
            for query in queries
            if query in self._parts
        }


def merged(parts: Iterable[Ranked], depth: int) -> dict[str, float]:
    """The best documents of all parts, best first, by the same order."""
    columns = [zip(_single(scores), ids, scores.tolist(), strict=True) for ids, scores in parts]
    best = merge(*columns, reverse=True)  # ids differ, so that no score of 64 bits is compared
    return {document: score for _, document, score in islice(best, depth)}


def _single(scores: NDArray[np.float64]) -> Sequence[float]:
    with np.errstate(over="ignore"):
        singles: list[float] = scores.astype(np.float32).tolist()
    return singles
