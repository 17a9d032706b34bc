"""The average over a set of datasets, tested as one: queries are resampled, datasets are fixed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.comparison import Comparison, compare
from pytest_beir.gate.family import AVERAGE_LIMITS, Limits
from pytest_beir.gate.strata import Member, stratified_difference
from pytest_beir.gate.verdict import MetricVerdict, judge_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class AverageSet:
    """Which datasets an average is over; two averages compare only if their ids are equal.

    `members` are written `name@split`; their order does not matter to the id.
    """

    name: str
    metric: str
    members: tuple[str, ...]

    @property
    def id(self) -> str:
        return average_set_id(self.metric, self.members)


def average_set_id(metric: str, members: Iterable[str]) -> str:
    """Twelve hexadecimal digits that name a metric over a set of `name@split`."""
    text = "\n".join([metric, *sorted(members)])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]


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


def judge_average(
    average: AverageSet,
    now: Sequence[Member],
    current: Sequence[Member],
    anchor: Sequence[Member],
    *,
    level: float,
    limits: Limits = AVERAGE_LIMITS,
    noise: float = 0.0,
) -> MetricVerdict:
    """The verdict on an average, against what all members' baselines hold.

    Members stand in the order of `average.members`. A dataset of several parts is given as the
    sequence of their scores, which `strata.by_prefix` makes. Raises ComparisonError where members
    are missing: an average of a part of the set would be another number.
    """
    for name, members in (("now", now), ("current", current), ("anchor", anchor)):
        if len(members) != len(average.members):
            raise ComparisonError(
                f"the average {average.name} is over {len(average.members)} datasets, "
                f"but {name} has {len(members)}"
            )
    return judge_members(
        average.metric, now, current, anchor, level=level, limits=limits, noise=noise
    )
