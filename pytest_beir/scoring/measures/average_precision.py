"""Average precision, whose mean over queries is MAP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    counted = metric.within(hits.ranks) & (hits.grades >= metric.rel)
    rows, ranks = hits.rows[counted], hits.ranks[counted]
    found = np.arange(len(rows)) - np.searchsorted(rows, rows) + 1
    # bincount adds in the given order, by rank, so that a score never depends on dict order.
    total = np.bincount(rows, found / ranks, minlength=hits.queries)
    return total / np.maximum(hits.all_relevant(metric), 1)


AVERAGE_PRECISION = Measure(
    kind="AP",
    definition="precision at the rank of each relevant document (grade >= {rel}) in the first "
    "{k}, added up and divided by the number of all relevant documents",
    without_cutoff="precision at the rank of each relevant document (grade >= {rel}) returned, "
    "added up and divided by the number of all relevant documents",
    column=_column,
    spellings=("map", "ap", "map_cut"),
    takes=("rel",),
    cutoff="optional",
)
