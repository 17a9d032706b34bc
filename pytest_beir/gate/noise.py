"""Noise: what repeating one system's retrieval changes, in rankings and in scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.strata import query_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ONE_SIDED_95 = 1.645
_FEWEST_RUNS = 2


@dataclass(frozen=True)
class Noise:
    """How much one metric varies over repeated retrievals; effects in metric units.

    `sd` is the standard deviation of one run's mean, `by_query` that of one query's score, of the
    queries whose score varied at all.
    """

    metric: str
    repeats: int
    queries: int
    sd: float
    by_query: Mapping[str, float]

    @property
    def bound(self) -> float:
        """The drop between two runs that noise alone exceeds one time in twenty.

        A comparison takes it as its `noise`: a drop within it is inconclusive.
        """
        return _ONE_SIDED_95 * math.sqrt(2.0) * self.sd


def estimate_noise(
    metric: str, repeats: Sequence[Mapping[str, float]], *, strata: Sequence[str] = ()
) -> Noise:
    """The noise of a metric from the scores of repeated retrievals, each by query.

    The variance of a run's mean is estimated twice and the larger taken: from the queries' own
    variances, as if they varied independently, which is precise, and from the means of the runs,
    which also holds what queries share (an index built anew), yet has few degrees of freedom.

    Raises:
        ComparisonError: There is a single retrieval.

    """
    if len(repeats) < _FEWEST_RUNS:
        raise ComparisonError("noise cannot be estimated from a single retrieval: repeat it")
    weights = query_weights(repeats[0], strata)
    weight = np.array(list(weights.values()))
    scores = np.array([[run[query] for query in weights] for run in repeats])
    varies = scores.max(axis=0) > scores.min(axis=0)
    variances = np.where(varies, scores.var(axis=0, ddof=1), 0.0)
    independent = float(weight**2 @ variances)
    common = float((scores @ weight).var(ddof=1)) if varies.any() else 0.0
    deviations = zip(weights, np.sqrt(variances).tolist(), varies.tolist(), strict=True)
    return Noise(
        metric=metric,
        repeats=len(repeats),
        queries=len(weights),
        sd=math.sqrt(max(independent, common)),
        by_query={query: deviation for query, deviation, is_noisy in deviations if is_noisy},
    )
