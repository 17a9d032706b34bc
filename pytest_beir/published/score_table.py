"""Scores of one metric as a table: models against members, each score once."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import member, official_split
from pytest_beir.errors import ScoresFileError
from pytest_beir.published.score import Score
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

DEFAULT_METRIC = "nDCG@10"
# Twelve values rounded to three decimals, and their mean rounded again.
_ROUNDING = 0.00101


@dataclass(frozen=True)
class ScoreTable:
    """Scores of one metric by model and member (`scifact@test`).

    `scores` holds datasets on their official splits, and on any split where the catalogue knows
    no such dataset. `aside` are members that belong to no set (another split of a known dataset,
    a forum without its eleven siblings), with the models that report them. `repeated` counts
    rows that said the same again; `others` are the rows of other metrics.
    """

    metric: str
    scores: Mapping[str, Mapping[str, float]]
    aside: Mapping[str, tuple[str, ...]]
    repeated: int
    others: Mapping[str, int]

    @property
    def models(self) -> tuple[str, ...]:
        """Every model with a score of this metric, whether or not it is on an official split."""
        return tuple(sorted({*self.scores, *(m for each in self.aside.values() for m in each)}))


def tabulate(scores: Sequence[Score], metric: str | None = None) -> ScoreTable:
    """The table of one metric: the one asked for, else nDCG@10, else the only one there is.

    CQADupStack is the mean of its twelve forums where all are given. Raises ScoresFileError for
    an unknown metric, and for two different scores of one model, dataset and split, with both
    places.
    """
    counts = Counter(score.metric for score in scores)
    metric = _choose(counts, metric)
    single: dict[tuple[str, str, str], Score] = {}
    repeated = 0
    for score in scores:
        if score.metric != metric:
            continue
        first = single.setdefault((score.model, score.dataset, score.split), score)
        if first.value != score.value:
            raise _conflict(first, score)
        repeated += first is not score
    for score in _whole(single):
        first = single.setdefault((score.model, score.dataset, score.split), score)
        if abs(first.value - score.value) > _ROUNDING:
            raise _conflict(first, score)
    table: dict[str, dict[str, float]] = {}
    aside: dict[str, set[str]] = {}
    for score in single.values():
        name = member(score.dataset, score.split)
        if _is_part(score.dataset) or official_split(score.dataset) not in (None, score.split):
            aside.setdefault(name, set()).add(score.model)
        else:
            table.setdefault(score.model, {})[name] = score.value
    return ScoreTable(
        metric=metric,
        scores={model: table[model] for model in sorted(table)},
        aside={name: tuple(sorted(aside[name])) for name in sorted(_without_wholes(aside, table))},
        repeated=repeated,
        others={name: counts[name] for name in sorted(counts) if name != metric},
    )


def _choose(counts: Mapping[str, int], metric: str | None) -> str:
    known = ", ".join(sorted(counts))
    if metric is not None:
        if metric not in counts:
            near = did_you_mean(metric, counts)
            raise ScoresFileError(f"no score of the metric {metric!r}{near} (there are: {known})")
        return metric
    if DEFAULT_METRIC in counts:
        return DEFAULT_METRIC
    if len(counts) > 1:
        raise ScoresFileError(
            f"several metrics, which cannot be averaged together: {known}; choose one with --metric"
        )
    return next(iter(counts))


def _conflict(first: Score, second: Score) -> ScoresFileError:
    return ScoresFileError(
        f"{second.place}: {second.model} has {second.metric} {second.value:g} on"
        f" {second.dataset}@{second.split}, but {first.value:g} at {first.place}; remove one, or"
        " tell them apart (for revisions of a model, by a column 'revision')"
    )


def _whole(single: Mapping[tuple[str, str, str], Score]) -> list[Score]:
    """CQADupStack for each model that has all its forums."""
    found: list[Score] = []
    for name, entry in load_catalog().entries.items():
        if not entry.members:
            continue
        forums = [f"{name}/{forum}" for forum in entry.members]
        for model, _, split in [key for key in single if key[1] == forums[0]]:
            parts = [single.get((model, forum, split)) for forum in forums]
            present = [part for part in parts if part is not None]
            if len(present) == len(forums):
                mean = math.fsum(part.value for part in present) / len(forums)
                place = f"the mean of its {len(forums)} forums ({present[0].place}, …)"
                found.append(Score(model, name, split, present[0].metric, mean, place))
    return found


def _without_wholes(
    aside: Mapping[str, set[str]], table: Mapping[str, Mapping[str, float]]
) -> Iterable[str]:
    """The members that are aside in truth: a forum is not where its whole dataset counts."""
    for name, models in aside.items():
        dataset, _, split = name.rpartition("@")
        whole = member(dataset.partition("/")[0], split)
        if not (_is_part(dataset) and all(whole in table.get(model, ()) for model in models)):
            yield name


def _is_part(dataset: str) -> bool:
    whole, _, part = dataset.partition("/")
    entry = load_catalog().entries.get(whole)
    return entry is not None and part in entry.members
