"""The averages of a run: over the whole declared set and against a baseline, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.set_comparison import identify
from pytest_beir.datasets.zero_shot import zero_shot_set
from pytest_beir.phrasing import joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.retriever_results import RetrieverResults


class OverDatasets:
    """What a test over several datasets says; `result` and `excused` are fields of each kind."""

    result: MetricVerdict | None
    excused: str | None

    @property
    def verdict(self) -> str | None:
        """The verdict, None where the test is withheld or not gated."""
        return None if self.result is None else self.result.verdict

    @property
    def fails(self) -> bool:
        """Whether it fails the run."""
        return self.verdict == "regressed" and self.excused is None


@dataclass(frozen=True)
class Average(OverDatasets):
    """The macro average of one metric over the declared set, or the reason why there is none.

    `result` is None where `withheld` is set; its verdict is None where the metric is not gated.
    `set` is the identity without which no average is shown. `label` is there for one
    that is not over the whole suite: `zero-shot average`, `established` where it is known that
    all members are clean; `note` says what was left out of it, or is unknown.
    `excused` says why a regression does not fail: it vanishes with what this run accepts, or with
    the drops that unjudged documents may explain.
    """

    retriever: str
    metric: str
    set: AverageSet
    gated: bool
    result: MetricVerdict | None = None
    withheld: str | None = None
    on_purpose: bool = False
    label: str | None = None
    established: bool = True
    note: str | None = None
    excused: str | None = None

    @property
    def now(self) -> float | None:
        """The average itself, None where it is withheld."""
        return None if self.result is None else self.result.now


@dataclass(frozen=True)
class DiffuseLoss(OverDatasets):
    """The test for a small loss in every dataset, of one gated metric: evidence, not a figure.

    `fell` of `datasets` have a lower mean than stored. `result` is None where `withheld` says
    why; its means are weighted for the test and not to be quoted. `excused` says why a regression
    does not fail.
    """

    retriever: str
    metric: str
    datasets: int
    fell: int = 0
    result: MetricVerdict | None = None
    withheld: str | None = None
    excused: str | None = None


def averages_of(
    retriever: str,
    suite: Sequence[DeclaredDataset],
    results: RetrieverResults,
    metrics: Sequence[str],
) -> tuple[Average, ...]:
    """One average per recorded metric, tested where it is gated; none for a single dataset.

    An average is withheld, with the reason, unless every declared dataset ran and has a
    comparable baseline.
    """
    if len(suite) < 2:  # noqa: PLR2004  # one dataset is no average
        return ()
    names = [each.name for each in suite]
    members = [f"{each.name}@{_split(each, results.evaluations)}" for each in suite]
    averages = []
    for metric in metrics:
        average = Average(
            retriever=retriever,
            metric=metric,
            set=identify(metric, members),
            gated=metric in results.rules.gate.metrics,
        )
        clean = _zero_shot(average, results.evaluations)
        if clean.set == average.set and clean.note is None:
            average = replace(average, note="all of it zero-shot")
        averages.append(_filled(average, names, results))
        if average.gated and average.note is None:
            kept = {member.rpartition("@")[0] for member in clean.set.members}
            part = [name for name in names if name in kept]
            averages.append(_filled(clean, part, results) if part else clean)
    return tuple(averages)


def diffuse_losses_of(
    retriever: str, suite: Sequence[DeclaredDataset], results: RetrieverResults
) -> tuple[DiffuseLoss, ...]:
    """One test per gated metric of a suite large enough, withheld where the average would be."""
    names = [each.name for each in suite]
    losses = []
    for metric in results.rules.family.diffuse:
        loss = DiffuseLoss(retriever, metric, len(suite))
        obstacles = list(results.obstacles(metric, names))
        if obstacles:
            losses.append(replace(loss, withheld="; ".join(each.text for each in obstacles)))
            continue
        test = results.test(metric, names, gated=True, is_diffuse=True)
        losses.append(replace(loss, result=test.result, excused=test.excused, fell=test.fell))
    return tuple(losses)


def _filled(average: Average, names: Sequence[str], results: RetrieverResults) -> Average:
    """The average over the named datasets, or with what keeps it from having any number."""
    obstacles = list(results.obstacles(average.metric, names))
    if obstacles:
        return replace(
            average,
            withheld="; ".join(each.text for each in obstacles),
            on_purpose=all(each.on_purpose for each in obstacles),
        )
    test = results.test(average.metric, names, gated=average.gated)
    return replace(average, result=test.result, excused=test.excused)


def _zero_shot(average: Average, evaluations: Mapping[str, Evaluation]) -> Average:
    """The same metric over the members that the retriever was not trained on, never gated."""
    known = (each.trained_on for each in evaluations.values() if each.trained_on is not None)
    clean = zero_shot_set(average.set, next(known, None))
    left_out = [f"{each.dataset} ({each.status})" for each in clean.left_out]
    notes = [clean.reason] if clean.reason else []
    notes += [f"without {joined(left_out)}"] if left_out else []
    return replace(
        average,
        set=clean.set or identify(average.metric, []),
        gated=False,
        label=clean.label,
        established=clean.established,
        note="; ".join(notes) or None,
        withheld=None if clean.set else clean.reason,
    )


def _split(declared: DeclaredDataset, evaluations: Mapping[str, Evaluation]) -> str:
    """The split that ran; of a dataset that did not, the declared or the official one."""
    found = evaluations.get(declared.name)
    if found is not None and found.split:
        return found.split
    entry = load_catalog().entries.get(declared.name)
    return declared.split or (entry.split if entry else "test")
