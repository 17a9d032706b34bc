"""Expected reciprocal rank: where a reader who may stop at each document is satisfied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.measures.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_beir.scoring.measures.measure import Hits, Metric

# As TREC's gdeval: a fixed scale, so that values of several datasets mean the same.
_LARGEST = 4


def _column(hits: Hits, metric: Metric) -> NDArray[np.float64]:
    # Chapelle, Metzler, Zhang and Grinspan (2009), equations 4 and 5.
    for grades in (hits.grades, hits.ideal_grades):
        if grades.max(initial=0) > _LARGEST:
            raise ScoringError(
                f"{metric.name} is defined for grades from 0 to {_LARGEST}, and there is one of"
                f" {grades.max()}; map the grades to that scale, or use nDCG@k"
            )
    values = np.zeros(hits.queries)
    reads_on = np.ones(hits.queries)
    counted = metric.within(hits.ranks) & (hits.grades > 0)
    columns = (hits.rows[counted], hits.ranks[counted], hits.grades[counted])
    for row, rank, grade in zip(*(column.tolist() for column in columns), strict=True):
        satisfied = (2**grade - 1) / 2**_LARGEST
        values[row] += reads_on[row] * satisfied / rank
        reads_on[row] *= 1 - satisfied
    return values


EXPECTED_RECIPROCAL_RANK = Measure(
    kind="ERR",
    definition="expected 1/rank at which a reader of the first {k} stops, who stops at a document "
    "of grade g with probability (2**g - 1)/16",
    column=_column,
    spellings=("err",),
)
