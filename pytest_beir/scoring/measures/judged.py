"""The share of what was returned that somebody judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    # Over the documents returned, as ir_measures: a short answer is not called unjudged.
    judged = np.bincount(hits.rows[metric.within(hits.ranks)], minlength=hits.queries)
    return judged / np.maximum(np.minimum(hits.retrieved, metric.cutoff or 0), 1)


JUDGED_SHARE = Measure(
    kind="Judged",
    definition="share of the first {k} documents returned that bear a judgement of any grade",
    column=_column,
    spellings=("judged",),
)
