"""The shipped table of published scores, each with the file it was taken from."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from pytest_beir.datasets.dataset_names import dataset_name, member
from pytest_beir.published.score import Score
from pytest_beir.published.score_table import wholes

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

    Raises:
        KeyError: The system is unknown.

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
    """CQADupStack of each system that has all its forums."""
    scores = [
        Score(row.system, row.dataset, row.split, row.metric, row.value, row.source) for row in rows
    ]
    found: list[PublishedScore] = []
    for whole in wholes(scores):
        of = (whole.split, whole.metric, whole.model)
        parts = [
            row
            for row in rows
            if (row.split, row.metric, row.system) == of
            and row.dataset.startswith(f"{whole.dataset}/")
        ]
        source = f"mean of its {len(parts)} forums, {_common_source(parts)}"
        found.append(PublishedScore(whole.dataset, *of, value=whole.value, source=source))
    return found


def _common_source(rows: list[PublishedScore]) -> str:
    """The shared start of the forums' sources: the repository at its commit."""
    return " and ".join(sorted({row.source.partition(":")[0] for row in rows}))
