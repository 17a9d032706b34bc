"""nDCG: gain of the documents found, discounted by rank, over that of the ideal ranking."""

from __future__ import annotations

from functools import cache
from math import fsum, log2
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric, Worth


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    # trec_eval's ndcg_cut: gains are grades, after Järvelin and Kekäläinen (2002), log2(rank + 1).
    gained = _gain(metric, hits.queries, hits.rows, hits.ranks, hits.grades)
    ideal = _gain(metric, hits.queries, hits.ideal_rows, hits.ideal_ranks, hits.ideal_grades)
    return gained / np.where(ideal > 0, ideal, 1)


def _gain(
    metric: Metric,
    queries: int,
    rows: NDArray[np.intp],
    ranks: NDArray[np.intp],
    grades: NDArray[np.int64],
) -> NDArray[np.float64]:
    counted = metric.within(ranks) & (grades > 0)
    rows, ranks, grades = rows[counted], ranks[counted], grades[counted]
    deepest = metric.cutoff or 1 << int(ranks.max(initial=1)).bit_length()
    # bincount adds in the given order, by rank, so that a score never depends on dict order.
    weights = metric.gains(grades) / _discounts(deepest)[ranks - 1]
    return np.bincount(rows, weights, minlength=queries).astype(np.float64)


@cache
def _discounts(deepest: int) -> NDArray[np.float64]:
    # math.log2, since numpy's may differ in the last bit between processors.
    return np.array([log2(rank + 1) for rank in range(1, deepest + 1)])


def _worth(metric: Metric, positive: Sequence[int]) -> Worth:
    best = sorted(map(metric.gain, positive), reverse=True)[: metric.cutoff]
    ideal = fsum(gain / log2(rank + 1) for rank, gain in enumerate(best, 1))

    def worth(grade: int, rank: int) -> float:
        return metric.gain(grade) / log2(rank + 1) / ideal

    return worth


NDCG = Measure(
    kind="nDCG",
    definition="nDCG of the first {k}: gain = grade if positive, discount 1/log2(rank+1), "
    "ideal from all judgements",
    without_cutoff="nDCG of all documents returned: gain = grade if positive, "
    "discount 1/log2(rank+1), ideal from all judgements",
    column=_column,
    worth=_worth,
    spellings=("ndcg", "ndcg_cut"),
    takes=("binary", "dcg"),
    cutoff="optional",
)
