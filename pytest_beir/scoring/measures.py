"""What each metric computes from the judged documents of queries: trec_eval's definitions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.errors import ScoringError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WRITTEN = re.compile(r"(?P<kind>[A-Za-z]+)@(?P<cutoff>[1-9][0-9]*)(?P<binary>\(binary\))?")


@dataclass(frozen=True)
class Hits:
    """Judged documents of some queries, as arrays; a row is a query, from 0 to `queries` - 1.

    `rows`, `ranks` and `grades` describe the judged documents that were retrieved, by row and
    rank. `ideal_rows`, `ideal_ranks` and `ideal_grades` describe all judgements with a positive
    grade, by row and grade, largest first. `retrieved` counts each row's documents.
    """

    queries: int
    rows: NDArray[np.intp]
    ranks: NDArray[np.intp]
    grades: NDArray[np.int64]
    ideal_rows: NDArray[np.intp]
    ideal_ranks: NDArray[np.intp]
    ideal_grades: NDArray[np.int64]
    retrieved: NDArray[np.intp]


@dataclass(frozen=True)
class Metric:
    """A metric by its name (`nDCG@10`), able to score one query.

    `kind` is one of nDCG, R, P, RR, Success, Judged; `binary` turns positive grades into 1.
    """

    name: str
    kind: str
    cutoff: int
    binary: bool = False

    @property
    def definition(self) -> str:
        """The metric in words, stored with a baseline: another text is another metric."""
        what = _DEFINITIONS[self.kind].format(k=self.cutoff)
        grades = "; every positive grade counts as 1" if self.binary else ""
        return f"{what}{grades}; {_RANKED}"

    def column(self, hits: Hits) -> list[float]:
        """One score, between 0 and 1, for each row."""
        if self.kind == "nDCG":
            scores = _ndcg(hits, self.cutoff, binary=self.binary)
        else:
            scores = _MEASURES[self.kind](hits, self.cutoff)
        plain: list[float] = scores.tolist()
        return plain


def parse_metric(name: str) -> Metric:
    """The metric that bears this name; ScoringError lists the known forms for any other."""
    match = _WRITTEN.fullmatch(name) if isinstance(name, str) else None
    if (
        match
        and match["kind"] in _DEFINITIONS
        and not (match["binary"] and match["kind"] != "nDCG")
    ):
        return Metric(name, match["kind"], int(match["cutoff"]), binary=bool(match["binary"]))
    known = ", ".join(f"{kind}@k" for kind in _DEFINITIONS)
    raise ScoringError(
        f"unknown metric {name!r}: write one of {known} or nDCG@k(binary), k being the cut-off,"
        " for example nDCG@10"
    )


def _ndcg(hits: Hits, cutoff: int, *, binary: bool) -> NDArray[np.float64]:
    # trec_eval's ndcg_cut: gains are grades, after Järvelin and Kekäläinen (2002), log2(rank + 1).
    gained = _gain(hits.queries, hits.rows, hits.ranks, hits.grades, cutoff, binary=binary)
    ideal = _gain(
        hits.queries,
        hits.ideal_rows,
        hits.ideal_ranks,
        hits.ideal_grades,
        cutoff,
        binary=binary,
    )
    return gained / np.where(ideal > 0, ideal, 1)


def _gain(
    queries: int,
    rows: NDArray[np.intp],
    ranks: NDArray[np.intp],
    grades: NDArray[np.int64],
    cutoff: int,
    *,
    binary: bool,
) -> NDArray[np.float64]:
    counted = (ranks <= cutoff) & (grades > 0)
    rows, ranks, grades = rows[counted], ranks[counted], grades[counted]
    gains = np.ones(len(rows)) if binary else grades
    # bincount adds in the given order, by rank, so that a score never depends on dict order.
    weights = gains / _discounts(cutoff)[ranks - 1]
    return np.bincount(rows, weights, minlength=queries).astype(np.float64)


@cache
def _discounts(cutoff: int) -> NDArray[np.float64]:
    # math.log2, since numpy's may differ in the last bit between processors.
    return np.array([log2(rank + 1) for rank in range(1, cutoff + 1)])


def _relevant(hits: Hits, cutoff: int) -> NDArray[np.float64]:
    counted = (hits.ranks <= cutoff) & (hits.grades > 0)
    return np.bincount(hits.rows[counted], minlength=hits.queries).astype(np.float64)


def _recall(hits: Hits, cutoff: int) -> NDArray[np.float64]:
    total = np.bincount(hits.ideal_rows, minlength=hits.queries)
    return _relevant(hits, cutoff) / np.maximum(total, 1)


def _precision(hits: Hits, cutoff: int) -> NDArray[np.float64]:
    return _relevant(hits, cutoff) / cutoff


def _reciprocal_rank(hits: Hits, cutoff: int) -> NDArray[np.float64]:
    counted = (hits.ranks <= cutoff) & (hits.grades > 0)
    values = np.zeros(hits.queries)
    np.maximum.at(values, hits.rows[counted], 1 / hits.ranks[counted])
    return values


def _success(hits: Hits, cutoff: int) -> NDArray[np.float64]:
    return (_relevant(hits, cutoff) > 0).astype(np.float64)


def _judged(hits: Hits, cutoff: int) -> NDArray[np.float64]:
    # Over the documents returned, as ir_measures: a short answer is not called unjudged.
    judged = np.bincount(hits.rows[hits.ranks <= cutoff], minlength=hits.queries)
    return judged / np.maximum(np.minimum(hits.retrieved, cutoff), 1)


_MEASURES = {
    "R": _recall,
    "P": _precision,
    "RR": _reciprocal_rank,
    "Success": _success,
    "Judged": _judged,
}

_RANKED = "ranked by 32-bit score then id, both descending; an unanswered query scores 0"

_DEFINITIONS = {
    "nDCG": "nDCG of the first {k}: gain = grade if positive, discount 1/log2(rank+1), "
    "ideal from all judgements",
    "R": "share of all relevant documents (grade >= 1) in the first {k}",
    "P": "relevant documents (grade >= 1) in the first {k}, divided by {k}",
    "RR": "1/rank of the first relevant document (grade >= 1) in the first {k}, else 0",
    "Success": "1 if a relevant document (grade >= 1) is in the first {k}, else 0",
    "Judged": "share of the first {k} documents returned that bear a judgement of any grade",
}
