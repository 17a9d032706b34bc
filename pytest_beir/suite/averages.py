"""The averages of a run: over the whole declared set and against a baseline, or not at all."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.comparability import comparable
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.set_comparison import identify
from pytest_beir.datasets.zero_shot import zero_shot_set
from pytest_beir.evaluation.measurement import units_of
from pytest_beir.gate.average import diffuse_shares, fallen
from pytest_beir.gate.strata import by_prefix
from pytest_beir.gate.verdict import judge_members
from pytest_beir.phrasing import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.declaration import DeclaredDataset
    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.gate.strata import Member
    from pytest_beir.gate.verdict import MetricVerdict

    Stored = Callable[[str, str], Baseline | None]


@dataclass(frozen=True)
class Average:
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

    @property
    def verdict(self) -> str | None:
        """The verdict on it, None where it is withheld or not gated."""
        return None if self.result is None else self.result.verdict

    @property
    def fails(self) -> bool:
        """Whether the average fails the run."""
        return self.verdict == "regressed" and self.excused is None


@dataclass(frozen=True)
class DiffuseLoss:
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

    @property
    def verdict(self) -> str | None:
        """The verdict, None where it is withheld."""
        return None if self.result is None else self.result.verdict

    @property
    def fails(self) -> bool:
        """Whether it fails the run."""
        return self.verdict == "regressed" and self.excused is None


@dataclass(frozen=True)
class _Obstacle:
    """A reason why there is no average."""

    text: str
    on_purpose: bool = False


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


def diffuse_losses_of(
    retriever: str,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    stored: Stored,
    rules: Rules,
) -> tuple[DiffuseLoss, ...]:
    """One test per gated metric of a suite large enough, withheld where the average would be."""
    baselines = {name: stored(retriever, name) for name in evaluations}
    losses = []
    for metric in rules.family.diffuse:
        loss = DiffuseLoss(retriever, metric, len(suite))
        found = list(_obstacles(metric, suite, evaluations, absent, baselines))
        if found:
            losses.append(replace(loss, withheld="; ".join(each.text for each in found)))
            continue
        ran = [evaluations[each.name] for each in suite]
        result, excused, fell = _tested(metric, ran, baselines, rules, gated=True, is_diffuse=True)
        losses.append(replace(loss, result=result, excused=excused, fell=fell))
    return tuple(losses)


def _filled(
    average: Average,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    baselines: Mapping[str, Baseline | None],
    rules: Rules,
) -> Average:
    """The average over `suite` with its numbers, or with what keeps it from having any."""
    found = list(_obstacles(average.metric, suite, evaluations, absent, baselines))
    if found:
        return replace(
            average,
            withheld="; ".join(each.text for each in found),
            on_purpose=all(each.on_purpose for each in found),
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


def _judged(
    average: Average,
    evaluations: Sequence[Evaluation],
    baselines: Mapping[str, Baseline | None],
    rules: Rules,
) -> Average:
    """The average with its numbers, and its verdict where the metric is gated."""
    result, excused, _ = _tested(average.metric, evaluations, baselines, rules, gated=average.gated)
    return replace(average, result=result, excused=excused)


def _tested(
    metric: str,
    evaluations: Sequence[Evaluation],
    baselines: Mapping[str, Baseline | None],
    rules: Rules,
    *,
    gated: bool,
    is_diffuse: bool = False,
) -> tuple[MetricVerdict, str | None, int]:
    """The verdict on the weighted mean, what excuses it, and how many datasets fell."""
    stored = [(each, baselines[each.dataset]) for each in evaluations]
    known = [(each, baseline) for each, baseline in stored if baseline is not None]
    now = [_member(each.scores.values[metric], each) for each, _ in known if each.scores]
    current = [_member(baseline.current[metric], each) for each, baseline in known]
    anchor = [_member(baseline.anchor[metric], each) for each, baseline in known]
    units = [units_of(each.same_text) for each, _ in known]

    def judge(current: Sequence[Member], anchor: Sequence[Member]) -> MetricVerdict:
        return judge_members(
            metric,
            now,
            current,
            anchor,
            level=rules.family.average_level,
            limits=rules.average_limits,
            gated=gated,
            noise=_noise(metric, evaluations),
            units=units,
            shares=diffuse_shares(now, units) if is_diffuse else (),
        )

    judged = judge(current, anchor)
    excused = None
    if judged.verdict == "regressed":
        settled = [_settled(each) for each in evaluations]
        then = judge(
            [x if moved else c for x, c, (moved, _) in zip(now, current, settled, strict=True)],
            [x if moved else a for x, a, (_, moved) in zip(now, anchor, settled, strict=True)],
        )
        excused = None if then.verdict == "regressed" else _excuse(evaluations)
    against = anchor if judged.regressed_against == ("anchor",) else current
    return judged, excused, fallen(now, against)


def _settled(evaluation: Evaluation) -> tuple[bool, bool]:
    """Whether the dataset's own drop against C, and against A, is accepted or excused."""
    if evaluation.is_excused:
        return True, True
    update = evaluation.update
    return (False, False) if update is None else (update.current, update.anchor)


def _excuse(evaluations: Sequence[Evaluation]) -> str:
    written = [each.dataset for each in evaluations if each.update is not None]
    excused = [each.dataset for each in evaluations if each.is_excused]
    parts = [f"accepted with {joined(written)}"] if written else []
    parts += [f"unjudged documents may explain {joined(excused)}"] if excused else []
    return "; ".join(parts)


def _noise(metric: str, evaluations: Sequence[Evaluation]) -> float:
    """The drop of the average that repeating the run may show; members vary independently."""
    bounds = [noise.bound for each in evaluations for noise in each.noise if noise.metric == metric]
    return math.sqrt(math.fsum(bound**2 for bound in bounds)) / len(evaluations)


def _member(values: Mapping[str, float], evaluation: Evaluation) -> Member:
    """A dataset's scores; those of a divided one by part, since the parts count alike."""
    strata = evaluation.identity.members if evaluation.identity else ()
    return by_prefix(values, strata) if strata else values


def _obstacles(
    metric: str,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    baselines: Mapping[str, Baseline | None],
) -> Iterator[_Obstacle]:
    """What keeps the suite from having an average, compared with the one stored.

    `absent` says of each dataset without an evaluation whether it was left out on purpose.
    """
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
        if each.verdict != "error" and not _compares(each, baselines[each.dataset], metric)
    ]
    if lacking:
        if all(evaluations[name].update is not None for name in lacking):
            yield _Obstacle(
                f"{joined(lacking)} had no comparable baseline before this run", on_purpose=True
            )
        else:
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
