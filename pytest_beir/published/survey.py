"""Finding the sets of a table of scores, and the models whose order depends on the set."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from pytest_beir.datasets.set_comparison import identify
from pytest_beir.published.coverage import Coverage, Covered, Ranked, Reversal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.published.score_table import ScoreTable

FEWEST_COMMON = 2
"""Fewer common members make no average to compare."""

_NOISE = 1e-9


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
