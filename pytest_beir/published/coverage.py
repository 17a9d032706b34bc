"""Which models cover which datasets, and whose order depends on that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.published.score_table import ScoreTable


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
