"""The average over a set of datasets, tested as one: queries are resampled, datasets are fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.gate.comparison import Comparison, compare
from pytest_beir.gate.strata import Member, stratified_difference

if TYPE_CHECKING:
    from collections.abc import Sequence


def compare_stratified(
    baselines: Sequence[Member],
    candidates: Sequence[Member],
    *,
    alpha: float,
    min_effect: float = 0.002,
    margin: float = 0.01,
) -> Comparison:
    """The comparison of the means over datasets of the means over queries.

    A member is a dataset's scores, by query id or as an aligned sequence, or a sequence of these
    for a dataset of several parts. The defaults are an average's: it finds diffuse losses.
    """
    return compare(
        stratified_difference(baselines, candidates),
        alpha=alpha,
        min_effect=min_effect,
        margin=margin,
    )
