"""Precision: the share of the cut-off that is relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric, Worth


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    return hits.relevant(metric) / (metric.cutoff or 1)


def _worth(metric: Metric, _: Sequence[int]) -> Worth:
    cutoff = metric.cutoff or 1
    return lambda grade, _: 1.0 / cutoff if grade >= metric.rel else 0.0


PRECISION = Measure(
    kind="P",
    definition="relevant documents (grade >= {rel}) in the first {k}, divided by {k}",
    column=_column,
    worth=_worth,
    spellings=("precision", "p"),
    takes=("rel",),
)
