"""Reciprocal rank: how early the first relevant document comes; its mean is called MRR."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    counted = metric.within(hits.ranks) & (hits.grades >= metric.rel)
    values = np.zeros(hits.queries)
    np.maximum.at(values, hits.rows[counted], 1 / hits.ranks[counted])
    return values


RECIPROCAL_RANK = Measure(
    kind="RR",
    definition="1/rank of the first relevant document (grade >= {rel}) in the first {k}, else 0",
    without_cutoff="1/rank of the first relevant document (grade >= {rel}), else 0",
    column=_column,
    spellings=("mrr", "rr", "recip_rank"),
    takes=("rel",),
    cutoff="optional",
)
