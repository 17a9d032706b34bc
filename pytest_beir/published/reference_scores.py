"""The shipped table of published scores, each with the file it was taken from."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import dataset_name, member

if TYPE_CHECKING:
    from pytest_beir.datasets.average_set import AverageSet


class PublishedScore(NamedTuple):
    """A system's published mean on one dataset or forum."""

    dataset: str
    split: str
    metric: str
    system: str
    value: float
    source: str

    @property
    def member(self) -> str:
        """Dataset and split, as an average's set lists them."""
        return member(self.dataset, self.split)


@dataclass(frozen=True)
class SystemAverage:
    """A system's mean over a set; `value` is None where scores of `missing` are not published."""

    system: str
    set: AverageSet
    value: float | None
    missing: tuple[str, ...]
    sources: tuple[str, ...]


@cache
def load_scores() -> tuple[PublishedScore, ...]:
    """All published scores by dataset, CQADupStack included as the mean of its twelve forums."""
    with (resources.files(__package__) / "scores.csv").open(encoding="utf-8") as file:
        rows = tuple(
            PublishedScore(dataset, split, metric, system, float(value), source)
            for dataset, split, metric, system, value, source in list(csv.reader(file))[1:]
        )
    return tuple(sorted((*rows, *_wholes(rows)), key=lambda row: (row.dataset, row.split)))


def published_scores(
    dataset: str, split: str | None = None, metric: str | None = None
) -> tuple[PublishedScore, ...]:
    """What is published on a dataset or forum; on its split and by its metric where given.

    Empty where nothing is: no other split or metric ever stands in for them.
    """
    name = dataset_name(dataset)
    return tuple(
        score
        for score in load_scores()
        if score.dataset == name and split in (None, score.split) and metric in (None, score.metric)
    )


def systems() -> tuple[str, ...]:
    """The systems of the table, in its order."""
    return tuple(dict.fromkeys(score.system for score in _by_system()))


def published_average(system: str, average_set: AverageSet) -> SystemAverage:
    """A system's mean over exactly the set's members by the set's metric.

    KeyError for an unknown system.
    """
    if system not in systems():
        raise KeyError(system)
    scores = {
        score.member: score
        for score in load_scores()
        if score.system == system and score.metric == average_set.metric
    }
    found = [scores[each] for each in average_set.members if each in scores]
    missing = tuple(each for each in average_set.members if each not in scores)
    complete = found and not missing
    return SystemAverage(
        system=system,
        set=average_set,
        value=math.fsum(score.value for score in found) / len(found) if complete else None,
        missing=missing,
        sources=tuple(sorted({score.source for score in found})),
    )


def _by_system() -> tuple[PublishedScore, ...]:
    # One dataset's rows stand in the order that a reader expects: simple systems first.
    return tuple(score for score in load_scores() if score.dataset == "scifact")


def _wholes(rows: tuple[PublishedScore, ...]) -> list[PublishedScore]:
    found: list[PublishedScore] = []
    for name, entry in load_catalog().entries.items():
        forums = [f"{name}/{part}" for part in entry.members]
        parts: dict[tuple[str, str, str], list[PublishedScore]] = {}
        for row in rows:
            if row.dataset in forums:
                parts.setdefault((row.split, row.metric, row.system), []).append(row)
        for (split, metric, system), each in parts.items():
            if len(each) == len(forums):
                mean = math.fsum(row.value for row in each) / len(each)
                source = f"mean of its {len(forums)} forums, {_common_source(each)}"
                found.append(PublishedScore(name, split, metric, system, mean, source))
    return found


def _common_source(rows: list[PublishedScore]) -> str:
    """The shared start of the forums' sources: the repository at its commit."""
    return " and ".join(sorted({row.source.partition(":")[0] for row in rows}))
