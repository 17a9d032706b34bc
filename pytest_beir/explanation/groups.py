"""Groups of queries: where in a dataset a change sits, by a field of the queries' metadata."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.gate.comparison import compare_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_beir.datasets.dataset import Dataset


@dataclass(frozen=True)
class Group:
    """One metric over the queries of one group; the mean is over queries, in any dataset.

    Without a baseline all but `name`, `n` and `now` are None. `lower` and `upper` bound the mean
    difference, each at one-sided 95 %.
    """

    name: str
    n: int
    now: float
    before: float | None = None
    delta: float | None = None
    lower: float | None = None
    upper: float | None = None
    worse: int | None = None
    better: int | None = None


def groups_of(dataset: Dataset, field: str) -> dict[str, tuple[str, ...]]:
    """{group: its query ids}, sorted; queries without the field belong to none.

    Raises:
        DatasetError: A value is a list or a mapping.

    """
    groups: dict[str, list[str]] = {}
    for query in sorted(dataset.queries):
        value = dataset.metadata.get(query, {}).get(field)
        if value is None or value == "":
            continue
        if not isinstance(value, (str, int, float)):
            raise DatasetError(
                f"{dataset.name}: query {query!r}: {field!r} of its metadata is {value!r}, and a "
                "group is text, a number, true or false: mend it, or name another field"
            )
        # As the file writes it: `true`, `2`, `2.5`.
        name = value if isinstance(value, str) else json.dumps(value)
        groups.setdefault(name, []).append(query)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def by_group(
    groups: Mapping[str, Iterable[str]],
    now: Mapping[str, float],
    before: Mapping[str, float] | None = None,
    units: Mapping[str, str] | None = None,
) -> tuple[Group, ...]:
    """What one metric did in each group, largest drop first; by name without a baseline.

    `units` maps queries that are copies of one another to their unit.
    """
    found = [_group(name, within(now, queries), before, units) for name, queries in groups.items()]
    return tuple(sorted(found, key=lambda group: (group.delta or 0.0, group.name)))


def within(values: Mapping[str, float], queries: Iterable[str]) -> dict[str, float]:
    """The part of a vector that belongs to a group: what a gated group is judged by."""
    return {query: values[query] for query in queries}


def _group(
    name: str,
    now: Mapping[str, float],
    before: Mapping[str, float] | None,
    units: Mapping[str, str] | None,
) -> Group:
    mean = fsum(now.values()) / len(now)
    if before is None:
        return Group(name, len(now), mean)
    stored = within(before, now)
    comparison = compare_scores(stored, now, units=units)
    return Group(
        name=name,
        n=len(now),
        now=mean,
        before=fsum(stored.values()) / len(stored),
        delta=comparison.delta,
        lower=comparison.lower,
        upper=comparison.upper,
        worse=comparison.worse,
        better=comparison.better,
    )
