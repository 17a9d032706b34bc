"""Gated groups: a dataset's groups of queries, each judged as a dataset of its own."""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING

from pytest_beir.explanation.groups import within
from pytest_beir.gate.verdict import judge_metric
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pytest_beir.gate.family import Limits
    from pytest_beir.gate.noise import Noise
    from pytest_beir.gate.verdict import MetricVerdict


def judge_groups(
    metric: str,
    groups: Mapping[str, Iterable[str]],
    now: Mapping[str, float],
    current: Mapping[str, float] | None,
    anchor: Mapping[str, float] | None,
    *,
    level: float,
    limits: Limits,
    noise: Noise | None = None,
    likely_level: float | None = None,
    units: Mapping[str, str] | None = None,
) -> dict[str, MetricVerdict]:
    """The verdict on each gated group, as on a dataset of its own, of the metric `nDCG@10[NAME]`.

    `groups` are the gated ones that the dataset has, `level` what `shared_level` leaves for each;
    `noise` is the dataset's, where retrieval was repeated; `likely_level` and `units` are those of
    `judge_metric`.
    """
    return {
        name: judge_metric(
            f"{metric}[{name}]",
            within(now, queries),
            None if current is None else within(current, queries),
            None if anchor is None else within(anchor, queries),
            level=level,
            limits=limits,
            noise=_noise_within(noise, tuple(queries)),
            likely_level=likely_level,
            units=units,
        )
        for name, queries in groups.items()
    }


def _noise_within(noise: Noise | None, queries: Sequence[str]) -> float:
    """The drop of a group's mean that noise exceeds one time in twenty, its queries independent."""
    if noise is None or not noise.sd:
        return 0.0
    variance = fsum(noise.by_query.get(query, 0.0) ** 2 for query in queries)
    return noise.bound / noise.sd * sqrt(variance) / len(queries)


def shared_level(level: float, gated: int) -> float:
    """The level of each test where a dataset's own share of α is spent on gated groups as well.

    The dataset's test and those of its `gated` groups have an equal part, so that no other
    dataset's level depends on how many groups there are.
    """
    return level / (1 + gated)


def never_met(gated: Collection[str], met: Collection[str]) -> str | None:
    """The complaint that a gated group has no query in the whole suite, or None.

    A gate on a group that is misspelt would never fail.
    """
    absent = [name for name in gated if name not in met]
    if not absent:
        return None
    near = did_you_mean(absent[0], met)
    return (
        f"groups: gate: no query of the suite belongs to {', '.join(map(repr, absent))}{near} "
        f"(groups met: {', '.join(sorted(met)) or 'none'})"
    )
