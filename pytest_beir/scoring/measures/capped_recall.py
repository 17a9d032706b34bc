"""Recall over what the cut-off can hold, as BEIR reports it for TREC-COVID."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric, Worth


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    possible = np.minimum(hits.all_relevant(metric), metric.cutoff or 0)
    return hits.relevant(metric) / np.maximum(possible, 1)


def _worth(metric: Metric, positive: Sequence[int]) -> Worth:
    possible = min(sum(grade >= metric.rel for grade in positive), metric.cutoff or 0)
    return lambda grade, _: 1.0 / possible if grade >= metric.rel else 0.0


CAPPED_RECALL = Measure(
    kind="R_cap",
    definition="relevant documents (grade >= {rel}) in the first {k}, divided by all relevant "
    "documents or {k}, the smaller of the two",
    column=_column,
    worth=_worth,
    spellings=("r_cap", "recall_cap"),
    takes=("rel",),
)
