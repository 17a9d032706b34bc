"""The order of an answer as trec_eval sees it: 32-bit score descending, then id descending."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Two scores that become the same 32-bit float differ by less than this share of their size
# (twice the spacing of 24-bit mantissas), or by less than the smallest 32-bit float.
_RELATIVE = 2.0**-22
_ABSOLUTE = 2.0**-148
# Beyond the range of 32-bit floats distant scores tie as infinities.
_LARGEST = 3.4e38


class Ranking:
    """One query's answer, ready to be asked for ranks (from 1) and for its best documents.

    `scores` maps document id to a finite score. Ids are compared only where two scores lie so
    close together that they may tie as 32-bit floats, and scores are sorted only as far down as
    somebody asks: that is what makes scoring fast.
    """

    __slots__ = ("_ascending", "_scores")

    def __init__(self, scores: Mapping[str, float], drop: str | None = None) -> None:
        if drop is not None and drop in scores:
            scores = {document: score for document, score in scores.items() if document != drop}
        self._scores = scores
        self._ascending: list[float] | None = None

    def __len__(self) -> int:
        return len(self._scores)

    def order(self) -> list[str]:
        """All documents, best first."""
        single = _single(self._scores)
        # The second sort is stable, also in reverse: equal scores stay in descending id order.
        return sorted(sorted(single, reverse=True), key=single.__getitem__, reverse=True)

    def top(self, depth: int) -> list[str]:
        """The best `depth` documents, best first."""
        if depth >= len(self._scores):
            return self.order()
        if depth <= 0:
            return []
        last = self._sorted()[-depth]
        if abs(last) > _LARGEST:
            return self.order()[:depth]
        least = last - abs(last) * _RELATIVE - _ABSOLUTE
        near = _single({one: score for one, score in self._scores.items() if score >= least})
        best = sorted(zip(near.values(), near, strict=True), reverse=True)
        return [document for _, document in best[:depth]]

    def ranks(self, documents: Iterable[str]) -> list[tuple[int, str]]:
        """(rank, id) of each of these documents that the answer holds, by rank."""
        scores = self._scores
        wanted = [(scores[document], document) for document in documents if document in scores]
        if not wanted:
            return []
        ascending = self._sorted()
        total = len(ascending)
        if ascending[-1] > _LARGEST or ascending[0] < -_LARGEST:
            return self._ranks_by_order(wanted)
        ranked = []
        for score, document in wanted:
            place = bisect_right(ascending, score)
            slack = abs(score) * _RELATIVE + _ABSOLUTE
            if (place > 1 and ascending[place - 2] >= score - slack) or (
                place < total and ascending[place] <= score + slack
            ):
                return self._ranks_by_order(wanted)
            ranked.append((total - place + 1, document))
        ranked.sort()
        return ranked

    def _sorted(self) -> list[float]:
        if self._ascending is None:
            self._ascending = sorted(self._scores.values())
        return self._ascending

    def _ranks_by_order(self, wanted: Iterable[tuple[float, str]]) -> list[tuple[int, str]]:
        ids = {document for _, document in wanted}
        return [(rank, one) for rank, one in enumerate(self.order(), 1) if one in ids]


def order(
    scores: Mapping[str, float], *, drop: str | None = None, depth: int | None = None
) -> list[str]:
    """The document ids of one answer, best first.

    `drop` is the query's own id where identical ids are dropped: it leaves before the ranking is
    made, so `depth` documents remain if there are as many. Ids compare by code point, which is
    the byte order of their UTF-8 that trec_eval uses.
    """
    ranking = Ranking(scores, drop)
    return ranking.order() if depth is None else ranking.top(depth)


def _single(scores: Mapping[str, float]) -> dict[str, float]:
    return dict(zip(scores, array("f", scores.values()), strict=True))
