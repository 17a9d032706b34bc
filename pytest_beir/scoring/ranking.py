"""The order of answers as trec_eval sees it: 32-bit score descending, then id descending.

Ids compare by code point, which is the byte order of their UTF-8 that trec_eval uses.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import islice, repeat
from struct import Struct
from struct import error as struct_error
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.checks import as_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from pytest_beir.scoring.ranking_table import RankingColumns

# Scores compared at a time when ranks are counted: 16 MB of 32-bit floats.
_AT_A_TIME = 2**22
# No score is NaN.
_NOT_RETRIEVED = repeat(float("nan"))


def order(
    scores: Mapping[str, float], *, drop: str | None = None, depth: int | None = None
) -> list[str]:
    """The document ids of one answer, best first.

    `drop` is the query's own id where identical ids are dropped: it leaves before the ranking is
    made, so `depth` documents remain if there are as many.
    """
    single = dict(zip(scores, array("f", scores.values()), strict=True))
    if drop is not None:
        single.pop(drop, None)
    # The second sort is stable, also in reverse: equal scores stay in descending id order.
    return sorted(sorted(single, reverse=True), key=single.__getitem__, reverse=True)[:depth]


def varying_queries(
    runs: Sequence[Mapping[str, Mapping[str, float]]],
    *,
    depth: int = 100,
    drop_identical_ids: bool = False,
) -> tuple[str, ...]:
    """The queries whose ranking, down to `depth`, is not the same in all runs, sorted.

    Two runs with the same order and other scores rank alike.
    """
    first, *others = runs
    queries = sorted({query for run in runs for query in run})

    def ranking(run: Mapping[str, Mapping[str, float]], query: str) -> list[str]:
        return order(run.get(query, {}), drop=query if drop_identical_ids else None, depth=depth)

    return tuple(
        query
        for query in queries
        if any(ranking(run, query) != ranking(first, query) for run in others)
    )


class RankedAnswers:
    """The answers to some queries side by side, asked for ranks without being sorted by id.

    `answers` are {document id: score}, one for each of `queries`, checked while they are taken in
    (ScoringError). A document's rank is the number of better scores plus one, so ids are compared
    only where 32-bit scores are equal.
    """

    def __init__(
        self, queries: Sequence[str], answers: Sequence[Mapping[str, float]], *, drop: bool
    ) -> None:
        self.answers: list[Mapping[str, float]] = []
        rows: list[bytes] = []
        for query, given in zip(queries, answers, strict=True):
            answer, packed = _packed(query, given, drop=drop)
            self.answers.append(answer)
            rows.append(packed)
        self.lengths = np.array([len(answer) for answer in self.answers], dtype=np.intp)
        width = int(self.lengths.max(initial=0))
        scores = np.frombuffer(b"".join(rows))
        if not np.isfinite(scores).all():
            for query, answer in zip(queries, self.answers, strict=True):
                as_scores(query, answer)  # raises at the first fault
        if len(scores) < width * len(queries):
            flat, scores = scores, np.full((len(queries), width), -np.inf)
            scores[np.arange(width) < self.lengths[:, None]] = flat
        self._single = at_32_bits(scores.reshape(len(queries), width))

    def scores_of(
        self, judged: Iterable[Mapping[str, int]], rows: NDArray[np.intp], documents: Sequence[str]
    ) -> NDArray[np.float64]:
        """The score of each judged document in its row's answer, NaN where it is not there.

        `rows` and `documents` are what `judged` holds, one document after the other.
        """
        del rows, documents  # said by `judged`
        found: list[float] = []
        for grades, answer in zip(judged, self.answers, strict=True):
            found.extend(map(answer.get, grades, _NOT_RETRIEVED))
        return np.array(found, dtype=np.float64)

    def ranks(
        self, rows: NDArray[np.intp], documents: Sequence[str], scores: NDArray[np.float64]
    ) -> NDArray[np.intp]:
        """The rank, from 1, of each document (with this score) in its row's answer."""
        own = at_32_bits(scores)[:, None]
        ranks = np.ones(len(rows), dtype=np.intp)
        equal = np.ones(len(rows), dtype=np.intp)
        step = max(1, _AT_A_TIME // max(1, self._single.shape[1]))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            others = self._single[rows[part]]
            ranks[part] += np.count_nonzero(others > own[part], axis=1)
            equal[part] = np.count_nonzero(others == own[part], axis=1)
        for place in np.flatnonzero(equal > 1).tolist():
            ties = self._tied(int(rows[place]), own[place, 0])
            ranks[place] += sum(document > documents[place] for document in ties)
        return ranks

    def top(self, depth: int) -> list[tuple[str, ...]]:
        """The best `depth` documents of each row, best first."""
        columns = self._first(depth + 1)
        best = np.take_along_axis(self._single, columns, axis=1)
        tied = (best[:, 1:] == best[:, :-1]).any(axis=1)
        found = []
        for row, (answer, chosen) in enumerate(zip(self.answers, columns.tolist(), strict=True)):
            if tied[row]:
                found.append(tuple(order(answer, depth=depth)))
            else:
                ids = list(answer)
                found.append(tuple([ids[column] for column in chosen[: min(depth, len(ids))]]))
        return found

    def _first(self, depth: int) -> NDArray[np.intp]:
        """The columns of the best scores in each row, best first, equal ones as they come."""
        if (self._single[:, 1:] <= self._single[:, :-1]).all():  # as rankings mostly come
            width = min(depth, self._single.shape[1])
            return np.broadcast_to(np.arange(width), (len(self._single), width))
        return np.argsort(-self._single, axis=1, kind="stable")[:, :depth]

    def _answer(self, row: int) -> Mapping[str, float]:
        return self.answers[row]

    def _tied(self, row: int, score: np.float32) -> list[str]:
        ids = list(self._answer(row))
        columns = np.flatnonzero(self._single[row, : len(ids)] == score)
        return [ids[column] for column in columns]


class ColumnAnswers(RankedAnswers):
    """The answers to the queries of some columns, of which nothing needs to be checked."""

    def __init__(self, columns: RankingColumns) -> None:
        self._columns = columns
        self.lengths = np.diff(columns.bounds)
        self._single = at_32_bits(columns.matrix())

    def scores_of(
        self, judged: Iterable[Mapping[str, int]], rows: NDArray[np.intp], documents: Sequence[str]
    ) -> NDArray[np.float64]:
        """The score of each judged document in its row's answer, NaN where it is not there."""
        del judged
        lines = self._columns.find(rows, documents)
        found = np.full(len(lines), np.nan)
        found[lines >= 0] = self._columns.scores[lines[lines >= 0]]
        return found

    def top(self, depth: int) -> list[tuple[str, ...]]:
        """The best `depth` documents of each row, best first."""
        columns = self._first(depth + 1)
        best = np.take_along_axis(self._single, columns, axis=1)
        tied = (best[:, 1:] == best[:, :-1]).any(axis=1)
        counts = np.minimum(self.lengths, depth)
        within = np.arange(columns[:, :depth].shape[1]) < counts[:, None]
        ids = iter(
            self._columns.ids((self._columns.bounds[:-1, None] + columns[:, :depth])[within])
        )
        found = [tuple(islice(ids, count)) for count in counts.tolist()]
        for row in np.flatnonzero(tied).tolist():
            found[row] = tuple(order(self._answer(row), depth=depth))
        return found

    def _answer(self, row: int) -> Mapping[str, float]:
        return self._columns.ranking(row)


def at_32_bits(scores: NDArray[np.float64]) -> NDArray[np.float32]:
    """The scores as trec_eval compares them; distant ones tie as infinities."""
    with np.errstate(over="ignore"):
        return scores.astype(np.float32)


def _packed(
    query: str, answer: Mapping[str, float], *, drop: bool
) -> tuple[Mapping[str, float], bytes]:
    """One answer, checked, and its scores as doubles."""
    try:
        if drop and query in answer:
            answer = {document: score for document, score in answer.items() if document != query}
        # In C: join takes text only, and what packs as a double is a number.
        "".join(answer)
        return answer, _doubles(len(answer)).pack(*answer.values())
    except (TypeError, AttributeError, OverflowError, struct_error):
        return _packed(query, as_scores(query, answer), drop=drop)


@cache
def _doubles(count: int) -> Struct:
    return Struct(f"{count}d")
