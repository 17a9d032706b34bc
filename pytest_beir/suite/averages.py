"""The averages of a run: over the whole declared set and against a baseline, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.comparability import comparable
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.enumeration import joined
from pytest_beir.gate.strata import by_prefix
from pytest_beir.gate.verdict import judge_members
from pytest_beir.published.set_comparison import identify
from pytest_beir.published.zero_shot import zero_shot_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.declaration import DeclaredDataset
    from pytest_beir.evaluation.evaluation import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.gate.average import AverageSet
    from pytest_beir.gate.comparison import Comparison
    from pytest_beir.gate.strata import Member

    Stored = Callable[[str, str], Baseline | None]


@dataclass(frozen=True)
class Average:
    """The macro average of one metric over the declared set, or the reason why there is none.

    `now` and `baseline` are None where `withheld` is set; `verdict` is None where the metric is
    not gated. `set` is the identity without which no average is shown. `label` is there for one
    that is not over the whole suite: `zero-shot average`, with `not established` where it is
    unknown whether a member is clean; `note` says what was left out of it, or is unknown.
    """

    retriever: str
    metric: str
    set: AverageSet
    gated: bool
    now: float | None = None
    baseline: float | None = None
    withheld: str | None = None
    on_purpose: bool = False
    verdict: str | None = None
    reason: str | None = None
    alpha: float | None = None
    comparison: Comparison | None = None
    anchor: float | None = None
    against_anchor: Comparison | None = None
    flags: tuple[str, ...] = ()
    label: str | None = None
    note: str | None = None


def averages_of(
    retriever: str,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    stored: Stored,
    rules: Rules,
    metrics: Sequence[str],
) -> tuple[Average, ...]:
    """One average per recorded metric, tested where it is gated; none for a single dataset.

    `evaluations` are by dataset, `absent` says of each dataset without one whether it was left
    out on purpose. An average is withheld, with the reason, unless every declared dataset ran
    and has a comparable baseline.
    """
    if len(suite) < 2:  # noqa: PLR2004  # one dataset is no average
        return ()
    baselines = {name: stored(retriever, name) for name in evaluations}
    members = [f"{each.name}@{_split(each, evaluations)}" for each in suite]
    averages = []
    for metric in metrics:
        average = Average(
            retriever=retriever,
            metric=metric,
            set=identify(metric, members),
            gated=metric in rules.gate.metrics,
        )
        clean = _zero_shot(average, evaluations)
        if clean.set == average.set and clean.note is None:
            average = replace(average, note="all of it zero-shot")
        averages.append(_filled(average, suite, evaluations, absent, baselines, rules))
        if average.gated and average.note is None:
            kept = {member.rpartition("@")[0] for member in clean.set.members}
            part = [each for each in suite if each.name in kept]
            averages.append(
                _filled(clean, part, evaluations, absent, baselines, rules) if part else clean
            )
    return tuple(averages)


def _filled(
    average: Average,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    baselines: Mapping[str, Baseline | None],
    rules: Rules,
) -> Average:
    """The average over `suite` with its numbers, or with what keeps it from having any."""
    obstacles = list(_obstacles(average, suite, evaluations, absent, baselines))
    if obstacles:
        return replace(
            average,
            withheld="; ".join(each.text for each in obstacles),
            on_purpose=all(each.on_purpose for each in obstacles),
        )
    return _judged(average, [evaluations[each.name] for each in suite], baselines, rules)


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
        note="; ".join(notes) or None,
        withheld=None if clean.set else clean.reason,
    )


@dataclass(frozen=True)
class _Obstacle:
    """A reason why there is no average."""

    text: str
    on_purpose: bool = False


def _split(declared: DeclaredDataset, evaluations: Mapping[str, Evaluation]) -> str:
    """The split that ran; of a dataset that did not, the declared or the official one."""
    found = evaluations.get(declared.name)
    if found is not None and found.split:
        return found.split
    entry = load_catalog().entries.get(declared.name)
    return declared.split or (entry.split if entry else "test")


def _obstacles(
    average: Average,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    baselines: Mapping[str, Baseline | None],
) -> Iterator[_Obstacle]:
    names = [each.name for each in suite]
    for on_purpose in (False, True):
        left = [n for n in names if n not in evaluations and absent.get(n, False) == on_purpose]
        if left:
            how = "left out" if on_purpose else "did not run"
            were = "" if not on_purpose else "were " if len(left) > 1 else "was "
            yield _Obstacle(f"{joined(left)} {were}{how}", on_purpose)
    ran = [evaluations[name] for name in names if name in evaluations]
    failed = [each.dataset for each in ran if each.verdict == "error"]
    if failed:
        yield _Obstacle(f"{joined(failed)} ended in an error")
    lacking = [
        each.dataset
        for each in ran
        if each.verdict != "error" and not _compares(each, baselines[each.dataset], average.metric)
    ]
    if lacking:
        have = "has" if len(lacking) == 1 else "have"
        yield _Obstacle(f"{joined(lacking)} {have} no comparable baseline")
    official = load_catalog().entries["msmarco"]
    if any(each.dataset == official.name and each.split != official.split for each in ran):
        yield _Obstacle(f"{official.name} is averaged on its {official.split} split only")


def _compares(evaluation: Evaluation, baseline: Baseline | None, metric: str) -> bool:
    if baseline is None or evaluation.identity is None or metric not in baseline.current:
        return False
    known = comparable(baseline, evaluation.identity, evaluation.definitions)
    return known.reason(metric) is None


def _judged(
    average: Average,
    evaluations: Sequence[Evaluation],
    baselines: Mapping[str, Baseline | None],
    rules: Rules,
) -> Average:
    """The average with its numbers, and its verdict where the metric is gated."""
    metric = average.metric

    def members(pick: Callable[[Evaluation, Baseline], Mapping[str, float]]) -> list[Member]:
        return [
            _member(pick(each, baseline), each)
            for each in evaluations
            if (baseline := baselines[each.dataset]) is not None
        ]

    judged = judge_members(
        metric,
        members(lambda each, _: each.scores.values[metric] if each.scores else {}),
        members(lambda _, baseline: baseline.current[metric]),
        members(lambda _, baseline: baseline.anchor[metric]),
        level=rules.family.average_level,
        limits=rules.average_limits,
        gated=average.gated,
    )
    return replace(
        average,
        now=judged.now,
        baseline=judged.baseline,
        anchor=judged.anchor,
        verdict=judged.verdict,
        reason=judged.reason,
        alpha=judged.alpha,
        comparison=judged.current,
        against_anchor=judged.against_anchor,
        flags=judged.flags,
    )


def _member(values: Mapping[str, float], evaluation: Evaluation) -> Member:
    """A dataset's scores; those of a divided one by part, since the parts count alike."""
    strata = evaluation.identity.members if evaluation.identity else ()
    return by_prefix(values, strata) if strata else values
