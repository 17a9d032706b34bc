"""Whether 32 bits are enough to tell an answer's scores apart: scoring compares as trec_eval does.

Scores such as 1e9 − rank or seconds since 1970 differ as Python's floats and are equal at 32 bits;
ids then decide the order.
"""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.errors import AnswerError
from pytest_beir.phrasing import plural
from pytest_beir.scoring.ranking import at_32_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

# What sums in another order differ by; no retriever means to rank by it.
_NOISE = 1e-12
_REMEDY = (
    "answer with a ranking (a list of ids, best first), with -rank as the score, or subtract what"
    " all scores have in common"
)


class Ties:
    """Counts queries whose order 32 bits lose, in part or for the most part."""

    def __init__(self, dataset: str) -> None:
        self._dataset = dataset
        self._queries = 0
        self._touched = 0
        self._lost: list[str] = []
        self._example = ""

    def add(self, query: str, scores: Mapping[str, float]) -> None:
        """Take one answer into account."""
        self._queries += len(scores) > 1
        single = array("f", scores.values())
        if len(set(single)) == len(single) or len(set(scores.values())) == len(set(single)):
            return
        different, equal = steps(scores)
        if equal:
            self._touched += 1
            self._example = self._example or query
        if equal * 2 >= different and equal:
            self._lost.append(query)

    def add_rows(self, scores: NDArray[np.float64], lengths: NDArray[np.intp]) -> list[int]:
        """Take many answers into account, a row each; gives the rows that `add` has to look at.

        These are not counted. Rows shorter than the others are filled up with -inf.
        """
        single = at_32_bits(scores)
        width = single.shape[1]
        if (single[:, 1:] < single[:, :-1]).all():  # as rankings mostly come
            unclear = np.zeros(len(single), dtype=np.bool_)
        else:
            single = np.sort(single, axis=1)
            is_answer = np.arange(width - 1) >= (width - lengths)[:, None]
            unclear = ((single[:, 1:] == single[:, :-1]) & is_answer).any(axis=1)
        self._queries += int(np.count_nonzero((lengths > 1) & ~unclear))
        return [int(row) for row in np.flatnonzero(unclear)]

    @property
    def lost(self) -> tuple[str, ...]:
        """The queries whose order is lost for the most part."""
        return tuple(self._lost)

    @property
    def loses_most(self) -> bool:
        """Whether most queries lose their order."""
        return len(self._lost) * 2 > self._queries

    def refuse_loss(self) -> None:
        """Raise for scores that lose the order of most queries.

        Raises:
            AnswerError: half of the steps or more are lost in most queries.

        """
        if self.loses_most:
            raise AnswerError(
                f"{self._dataset}: query {self._lost[0]!r} and {len(self._lost) - 1:,} others of"
                f" {plural(self._queries, 'query')}: the scores are too close together, or too"
                " large, for 32 bits, at which trec_eval compares: most of the order would be"
                f" lost. {_REMEDY[0].upper()}{_REMEDY[1:]}"
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of an answer that loses some of its order."""
        if not self._touched:
            return ()
        note = (
            f"in {self._touched:,} of {plural(self._queries, 'query')} (such as"
            f" {self._example}) different scores are equal at 32 bits, at which trec_eval compares;"
            f" ids decide between them. To decide yourself: {_REMEDY}"
        )
        return (note,)


def steps(scores: Mapping[str, float]) -> tuple[int, int]:
    """How many steps down the answer has, and how many of them vanish at 32 bits."""
    values = sorted(scores.values(), reverse=True)
    single = array("f", values)
    different = equal = 0
    for (high, low), (first, second) in zip(pairwise(values), pairwise(single), strict=True):
        if high - low > _NOISE * max(abs(high), abs(low)):
            different += 1
            equal += first == second
    return different, equal
