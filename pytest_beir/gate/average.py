"""The tests over a set of datasets: queries are resampled, datasets are fixed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from pytest_beir.gate.comparison import Comparison, compare
from pytest_beir.gate.power import effective_size
from pytest_beir.gate.strata import Member, part_sizes, stratified_difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SHARE_STEPS = 2**20  # a share's rounding to one of so many parts is far below any effect


def compare_stratified(
    baselines: Sequence[Member],
    candidates: Sequence[Member],
    *,
    alpha: float,
    min_effect: float = 0.002,
    margin: float = 0.01,
    units: Sequence[Mapping[str, str]] = (),
) -> Comparison:
    """The comparison of the means over datasets of the means over queries.

    A member is a dataset's scores, by query id or as an aligned sequence, or a sequence of these
    for a dataset of several parts. The defaults are an average's: it finds diffuse losses. `units`
    are those of each member, as `compare_scores` takes them.
    """
    return compare(
        stratified_difference(baselines, candidates, units=units),
        alpha=alpha,
        min_effect=min_effect,
        margin=margin,
    )


def diffuse_shares(
    members: Sequence[Member], units: Sequence[Mapping[str, str]] = ()
) -> tuple[Fraction, ...]:
    """What each dataset counts for in the diffuse test: Stouffer's weights, if all vary alike.

    That is the root of its queries (of its units, where some are copies). A dataset of several
    parts counts as one undivided dataset that tells as much.
    """
    roots = [
        math.sqrt(effective_size(part_sizes(member, units[number] if units else {})))
        for number, member in enumerate(members)
    ]
    whole = [max(1, round(_SHARE_STEPS * root / math.fsum(roots))) for root in roots]
    return tuple(Fraction(each, sum(whole)) for each in whole)


def fallen(now: Sequence[Member], stored: Sequence[Member]) -> int:
    """How many members have a lower mean than the one stored."""
    return sum(
        stratified_difference([before], [after]).mean < 0
        for before, after in zip(stored, now, strict=True)
    )
