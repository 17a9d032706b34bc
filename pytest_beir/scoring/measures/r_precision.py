"""R-precision: precision at as many documents as are relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric, Worth


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    total = hits.all_relevant(metric)
    counted = (hits.ranks <= total[hits.rows]) & (hits.grades >= metric.rel)
    found = np.bincount(hits.rows[counted], minlength=hits.queries)
    return found / np.maximum(total, 1)


def _worth(metric: Metric, positive: Sequence[int]) -> Worth:
    total = sum(grade >= metric.rel for grade in positive)
    return lambda grade, rank: 1.0 / total if grade >= metric.rel and rank <= total else 0.0


R_PRECISION = Measure(
    kind="Rprec",
    definition="share of relevant documents (grade >= {rel}) among the first n, n being the "
    "number of all relevant documents",
    column=_column,
    worth=_worth,
    spellings=("rprec", "r_prec", "r-precision"),
    takes=("rel",),
    cutoff="none",
)
