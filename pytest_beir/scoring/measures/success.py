"""Success, also called hit rate: whether there is a relevant document at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    return (hits.relevant(metric) > 0).astype(np.float64)


SUCCESS = Measure(
    kind="Success",
    definition="1 if a relevant document (grade >= {rel}) is in the first {k}, else 0",
    column=_column,
    spellings=("success", "hit_rate", "hit", "hits"),
    takes=("rel",),
)
