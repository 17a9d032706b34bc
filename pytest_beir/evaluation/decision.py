"""The verdicts on one search's scores: of each metric and gated group, and of them together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import mean
from pytest_beir.evaluation.gated_groups import judge_groups, shared_level
from pytest_beir.gate.verdict import SUSPECT, MetricVerdict, judge_metric, worst
from pytest_beir.phrasing import joined
from pytest_beir.scoring.scorer import JUDGED
from pytest_beir.verdicts import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.baselines.comparability import Comparability
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.verdicts import Verdict

UNCONFIRMED = "not confirmed"


@dataclass(frozen=True)
class Decided:
    """The verdicts on one search's scores: of each metric, and of each gated group."""

    metrics: Mapping[str, MetricVerdict]
    groups: tuple[MetricVerdict, ...]

    @property
    def deciding(self) -> MetricVerdict:
        """The metric that decides."""
        return deciding_metric(self.metrics)

    @property
    def verdict(self) -> str:
        """The worst of all."""
        own = [metric.verdict for metric in self.metrics.values() if metric.verdict]
        return worst([*own, *self._failing])

    @property
    def reason(self) -> str:
        """Why, where there is more to say than the numbers do."""
        if self._failing and self.verdict != self.deciding.verdict:
            if self.verdict != "regressed":
                return UNCONFIRMED
            return f"{joined([group.metric for group in self._deciders])} regressed"
        if any(each.reason == UNCONFIRMED for each in (*self.metrics.values(), *self.groups)):
            return UNCONFIRMED
        return self.deciding.reason or ""

    @property
    def _deciders(self) -> list[MetricVerdict]:
        """The groups that may decide: one that improves or cannot tell says nothing of the rest."""
        return [g for g in self.groups if g.verdict == "regressed" or g.reason == UNCONFIRMED]

    @property
    def _failing(self) -> list[Verdict]:
        return [group.verdict for group in self._deciders if group.verdict]

    def unconfirmed(self) -> Decided:
        """The same after a second search that has not regressed."""
        metrics = {name: _unconfirmed(metric) for name, metric in self.metrics.items()}
        return Decided(metrics, tuple(map(_unconfirmed, self.groups)))


def _unconfirmed(metric: MetricVerdict) -> MetricVerdict:
    if metric.verdict != "regressed":
        return metric
    flags = metric.flags
    if metric.current is not None and metric.current.p_drop <= SUSPECT:
        flags = (f"suspect:{metric.metric}", *flags)
    return replace(metric, verdict="inconclusive", reason=UNCONFIRMED, flags=flags)


def decide(
    measurement: Measurement, baseline: Baseline | None, known: Comparability, rules: Rules
) -> Decided:
    """Every verdict on the scores; groups are judged where the deciding metric has a baseline."""
    groups = gated_groups_of(measurement, rules)
    level = shared_level(rules.family.level(measurement.identity.name), len(groups))
    metrics = {
        metric.metric: metric
        for metric in _judge_metrics(measurement, baseline, known, rules, level=level)
    }
    stored = baseline if deciding_metric(metrics).current is not None else None
    return Decided(metrics, tuple(_judge_groups(measurement, stored, groups, rules, level)))


def deciding_metric(metrics: Mapping[str, MetricVerdict]) -> MetricVerdict:
    """The gated metric with the worst verdict, the first of these."""
    gated = [metric for metric in metrics.values() if metric.gated]
    return min(gated, key=lambda metric: VERDICTS.index(metric.verdict or "unchanged"))


def _judge_metrics(
    measurement: Measurement,
    baseline: Baseline | None,
    known: Comparability,
    rules: Rules,
    *,
    level: float,
) -> Iterator[MetricVerdict]:
    identity = measurement.identity
    for metric, values in measurement.scores.values.items():
        if metric == JUDGED:
            continue
        gated = metric in rules.gate.metrics
        reason = known.reason(metric)
        if reason is not None:
            yield MetricVerdict(
                metric=metric,
                gated=gated,
                verdict="not comparable" if gated else None,
                reason=reason,
                now=mean(values, identity.members),
            )
            continue
        stored = baseline is not None and metric in baseline.metrics
        yield judge_metric(
            metric,
            values,
            baseline.current[metric] if stored and baseline else None,
            baseline.anchor[metric] if stored and baseline else None,
            level=level,
            limits=rules.limits(identity.name),
            gated=gated,
            strata=identity.members,
            noise=next((each.bound for each in measurement.noise if each.metric == metric), 0.0),
            likely_level=rules.family.likely(level),
            units=measurement.units,
        )


def gated_groups_of(measurement: Measurement, rules: Rules) -> dict[str, tuple[str, ...]]:
    """The gated groups of which the dataset has queries."""
    gated = rules.groups.gate if rules.groups is not None else ()
    return {name: tuple(queries) for name, queries in measurement.groups.items() if name in gated}


def _judge_groups(
    measurement: Measurement,
    baseline: Baseline | None,
    gated: Mapping[str, Sequence[str]],
    rules: Rules,
    level: float,
) -> Iterator[MetricVerdict]:
    if not gated or baseline is None:
        return
    for metric in rules.gate.metrics:
        yield from judge_groups(
            metric,
            gated,
            measurement.scores.values[metric],
            baseline.current.get(metric),
            baseline.anchor.get(metric),
            level=level,
            limits=rules.limits(measurement.identity.name),
            noise=next((each for each in measurement.noise if each.metric == metric), None),
            likely_level=rules.family.likely(level),
            units=measurement.units,
        ).values()
