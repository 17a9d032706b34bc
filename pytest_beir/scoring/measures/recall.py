"""Recall: the share of a query's relevant documents that was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric, Worth


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    return hits.relevant(metric) / np.maximum(hits.all_relevant(metric), 1)


def _worth(metric: Metric, positive: Sequence[int]) -> Worth:
    relevant = sum(grade >= metric.rel for grade in positive)
    return lambda grade, _: 1.0 / relevant if grade >= metric.rel else 0.0


RECALL = Measure(
    kind="R",
    definition="share of all relevant documents (grade >= {rel}) in the first {k}",
    column=_column,
    worth=_worth,
    spellings=("recall", "r"),
    takes=("rel",),
)
