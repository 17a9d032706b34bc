"""Which models cover which datasets, and whose order depends on that."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from pytest_beir.datasets.set_comparison import identify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.published.score_table import ScoreTable

FEWEST_COMMON = 2
"""Fewer common members make no average to compare."""

_NOISE = 1e-9


@dataclass(frozen=True)
class Covered:
    """A set of members that is all that some models report.

    `models` report exactly these; `covering` counts those that report these and perhaps more,
    which is how many may be compared on the set. `lacks` are members that others report.
    """

    set: AverageSet
    models: tuple[str, ...]
    covering: int
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Reversal:
    """Two models whose order turns between the means of what each reports and the common set.

    `raw` are the means of a and b over `raw_sets`, each over its own; `common` those over `set`,
    the members that both report. By `raw` a is ahead.
    """

    a: str
    b: str
    raw: tuple[float, float]
    raw_sets: tuple[AverageSet, AverageSet]
    common: tuple[float, float]
    set: AverageSet

    @property
    def size(self) -> float:
        """How far the order turns: the smaller of the two gaps."""
        return min(self.raw[0] - self.raw[1], self.common[1] - self.common[0])


@dataclass(frozen=True)
class Ranked:
    """A model's place by the mean of what it reports, and among those that cover `reference`.

    `common` and `common_place` are None for a model that does not cover it.
    """

    model: str
    place: int
    raw: float
    set: AverageSet
    common: float | None
    common_place: int | None


@dataclass(frozen=True)
class NearMiss:
    """A model that would cover the reference if it had scored these datasets on the right split.

    `lacks` are the members missing, `reports` what it has instead (`msmarco@test`).
    """

    model: str
    lacks: tuple[str, ...]
    reports: tuple[str, ...]


@dataclass(frozen=True)
class Coverage:
    """All of a table's sets, largest first, and all of its reversals, on the largest sets first.

    `reversals` need at least two common members; `without_common` counts the pairs that have
    fewer, of all `pairs`, and cannot be compared.
    """

    table: ScoreTable
    sets: tuple[Covered, ...]
    reversals: tuple[Reversal, ...]
    ranking: tuple[Ranked, ...]
    pairs: int
    without_common: int

    @property
    def reference(self) -> AverageSet | None:
        """The largest set, on which the ranking's second place is taken."""
        return self.sets[0].set if self.sets else None

    @property
    def near_misses(self) -> tuple[NearMiss, ...]:
        """Models that lack members of the reference only because of another split."""
        found = []
        for model, scores in self.table.scores.items():
            lacks = [m for m in self.reference.members if m not in scores] if self.reference else []
            reports = [
                name
                for name, models in self.table.aside.items()
                if model in models and any(_same_dataset(name, each) for each in lacks)
            ]
            if lacks and all(any(_same_dataset(m, each) for each in reports) for m in lacks):
                found.append(NearMiss(model, tuple(lacks), tuple(reports)))
        return tuple(found)

    @property
    def uncovered(self) -> tuple[str, ...]:
        """Models without any score on an official split."""
        return tuple(model for model in self.table.models if model not in self.table.scores)


def _same_dataset(member: str, other: str) -> bool:
    return member.rpartition("@")[0] == other.rpartition("@")[0]


def survey(table: ScoreTable) -> Coverage:
    """The table's distinct sets, who may be compared on which, and which pairs change order."""
    return _Survey(table).result()


class _Survey:
    """Sets as bit masks, so that a hundred thousand pairs take a fraction of a second."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        self.members = sorted({member for scores in table.scores.values() for member in scores})
        bits = {member: 1 << index for index, member in enumerate(self.members)}
        self.mask = {m: sum(bits[each] for each in scores) for m, scores in table.scores.items()}
        self.means: dict[tuple[str, int], float] = {}
        self.sets: dict[int, AverageSet] = {}

    def result(self) -> Coverage:
        reversals, alone = self.reversals()
        count = len(self.mask)
        return Coverage(
            table=self.table,
            sets=self.covered,
            reversals=tuple(reversals),
            ranking=self.ranking(),
            pairs=count * (count - 1) // 2,
            without_common=alone,
        )

    @cached_property
    def groups(self) -> Mapping[int, Sequence[str]]:
        groups: dict[int, list[str]] = {}
        for model, mask in self.mask.items():
            groups.setdefault(mask, []).append(model)
        return groups

    @cached_property
    def covered(self) -> tuple[Covered, ...]:
        found = [
            Covered(
                set=self.set_of(mask),
                models=tuple(models),
                covering=sum(mask & ~m == 0 for m in self.mask.values()),
                lacks=tuple(self.names(~mask)),
            )
            for mask, models in self.groups.items()
        ]
        found.sort(key=lambda each: (-len(each.set.members), -len(each.models), each.set.id))
        return tuple(found)

    def reversals(self) -> tuple[list[Reversal], int]:
        found: list[Reversal] = []
        alone = 0
        for (mask, models), (other, others) in combinations(self.groups.items(), 2):
            common = mask & other
            if common.bit_count() < FEWEST_COMMON:
                alone += len(models) * len(others)
                continue
            raws = [(b, self.mean(b, other), self.mean(b, common)) for b in others]
            for a in models:
                raw, shared = self.mean(a, mask), self.mean(a, common)
                for b, raw_b, shared_b in raws:
                    if _turns(raw - raw_b, shared - shared_b):
                        found.append(self.reversal(a, b, common))
        for mask, models in self.groups.items():
            if mask.bit_count() < FEWEST_COMMON:
                alone += len(models) * (len(models) - 1) // 2
        found.sort(key=lambda each: (-len(each.set.members), -each.size, each.a, each.b))
        return found, alone

    def reversal(self, a: str, b: str, common: int) -> Reversal:
        if self.mean(a, self.mask[a]) < self.mean(b, self.mask[b]):
            a, b = b, a
        return Reversal(
            a=a,
            b=b,
            raw=(self.mean(a, self.mask[a]), self.mean(b, self.mask[b])),
            raw_sets=(self.set_of(self.mask[a]), self.set_of(self.mask[b])),
            common=(self.mean(a, common), self.mean(b, common)),
            set=self.set_of(common),
        )

    def ranking(self) -> tuple[Ranked, ...]:
        raw = {model: self.mean(model, mask) for model, mask in self.mask.items()}
        whole = set(self.covered[0].set.members) if self.covered else set()
        common = {m: raw[m] for m, scores in self.table.scores.items() if whole <= scores.keys()}
        places, common_places = _places(raw), _places(common)
        return tuple(
            Ranked(
                model=model,
                place=places[model],
                raw=raw[model],
                set=self.set_of(self.mask[model]),
                common=common.get(model),
                common_place=common_places.get(model),
            )
            for model in places
        )

    def mean(self, model: str, mask: int) -> float:
        key = model, mask
        if key not in self.means:
            scores = self.table.scores[model]
            values = [scores[member] for member in self.names(mask)]
            self.means[key] = math.fsum(values) / len(values)
        return self.means[key]

    def set_of(self, mask: int) -> AverageSet:
        if mask not in self.sets:
            self.sets[mask] = identify(self.table.metric, self.names(mask))
        return self.sets[mask]

    def names(self, mask: int) -> list[str]:
        return [member for index, member in enumerate(self.members) if mask >> index & 1]


def _turns(raw: float, common: float) -> bool:
    return raw * common < 0 and abs(raw) > _NOISE and abs(common) > _NOISE


def _places(means: Mapping[str, float]) -> dict[str, int]:
    ordered = sorted(means, key=lambda model: (-means[model], model))
    return {model: place for place, model in enumerate(ordered, 1)}
