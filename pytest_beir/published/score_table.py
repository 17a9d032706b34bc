"""Scores of one metric as a table: models against members, each score once."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
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
    rows that said the same again; `others` are the rows of other metrics. `contradictory` models
    give two values for one score, as their sentences say, and are in no set. `revisions` are the
    datasets of which models measured different revisions, each with its number of models.
    """

    metric: str
    scores: Mapping[str, Mapping[str, float]]
    aside: Mapping[str, tuple[str, ...]]
    repeated: int
    others: Mapping[str, int]
    contradictory: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    revisions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model with a score of this metric, whether or not it is on an official split."""
        return tuple(sorted({*self.scores, *(m for each in self.aside.values() for m in each)}))


def tabulate(scores: Sequence[Score], metric: str | None = None) -> ScoreTable:
    """The table of one metric: the one asked for, else nDCG@10, else the only one there is.

    CQADupStack is the mean of its twelve forums where all are given. A model with two different
    values for one dataset and split is set aside.

    Raises:
        ScoresFileError: The metric is not in the table, or every model contradicts itself.

    """
    counts = Counter(score.metric for score in scores)
    metric = _choose(counts, metric)
    single, contradictory, repeated = _single(score for score in scores if score.metric == metric)
    table: dict[str, dict[str, float]] = {}
    aside: dict[str, set[str]] = {}
    revisions: dict[str, dict[str, set[str]]] = {}
    for score in single.values():
        if score.model in contradictory:
            continue
        name = member(score.dataset, score.split)
        if _is_part(score.dataset) or official_split(score.dataset) not in (None, score.split):
            aside.setdefault(name, set()).add(score.model)
        else:
            table.setdefault(score.model, {})[name] = score.value
            if score.revision:
                models = revisions.setdefault(name, {}).setdefault(score.revision, set())
                models.add(score.model)
    if contradictory and not table and not aside:
        raise ScoresFileError(
            "every model contradicts itself:\n"
            + "\n".join(text for texts in contradictory.values() for text in texts)
        )
    return ScoreTable(
        metric=metric,
        scores={model: table[model] for model in sorted(table)},
        aside={name: tuple(sorted(aside[name])) for name in sorted(_without_wholes(aside, table))},
        repeated=repeated,
        others={name: counts[name] for name in sorted(counts) if name != metric},
        contradictory={model: tuple(texts) for model, texts in sorted(contradictory.items())},
        revisions={
            name: {revision: len(models) for revision, models in sorted(by_revision.items())}
            for name, by_revision in sorted(revisions.items())
            if len(by_revision) > 1
        },
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


def _single(
    scores: Iterable[Score],
) -> tuple[dict[tuple[str, str, str], Score], dict[str, list[str]], int]:
    """Each score of one metric once, what contradicts itself by model, and how many repeat."""
    single: dict[tuple[str, str, str], Score] = {}
    contradictory: dict[str, list[str]] = {}
    repeated = 0

    def add(score: Score, rounding: float) -> bool:
        first = single.setdefault((score.model, score.dataset, score.split), score)
        if abs(first.value - score.value) > rounding:
            contradictory.setdefault(score.model, []).append(_contradiction(first, score))
        return first is score

    for score in scores:
        repeated += not add(score, 0)
    for score in wholes(single.values()):
        add(score, _ROUNDING)
    return single, contradictory, repeated


def _contradiction(first: Score, second: Score) -> str:
    measured = f"{second.metric} of {second.dataset}@{second.split}"
    if first.revision != second.revision:
        revisions = f" (dataset revisions {first.revision[:12]} and {second.revision[:12]})"
    else:
        revisions = ""
    return (
        f"{second.model} gives two values for {measured}: {first.value:g} at {first.place} and"
        f" {second.value:g} at {second.place}{revisions}"
    )


def wholes(scores: Iterable[Score]) -> list[Score]:
    """CQADupStack by model and split, as the mean of its forums where all of them are there."""
    datasets = {
        f"{name}/{forum}": name
        for name, entry in load_catalog().entries.items()
        for forum in entry.members
    }
    parts: dict[tuple[str, str, str, str], list[Score]] = {}
    for score in scores:
        if score.dataset in datasets:
            key = (datasets[score.dataset], score.model, score.split, score.metric)
            parts.setdefault(key, []).append(score)
    found = []
    for (name, model, split, metric), forums in parts.items():
        count = len(load_catalog().entries[name].members)
        if len(forums) == count:
            first = min(forums, key=lambda score: score.dataset)
            mean = math.fsum(score.value for score in forums) / count
            place = f"the mean of its {count} forums ({first.place}, …)"
            found.append(Score(model, name, split, metric, mean, place))
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
