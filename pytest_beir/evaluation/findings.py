"""What explains a result: losers, the cause of a drop, the pool, groups and pinned queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import mean
from pytest_beir.evaluation.groups import by_group, groups_of, judge_groups, shared_level
from pytest_beir.evaluation.pins import check_pins
from pytest_beir.explanation.cause import cause_of
from pytest_beir.explanation.pool import check_pool
from pytest_beir.explanation.pool_bounds import bounds
from pytest_beir.explanation.unjudged import to_judge
from pytest_beir.explanation.worst_queries import losers_of
from pytest_beir.scoring.scorer import JUDGED
from pytest_beir.verdicts import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.groups import Group
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.explanation.diagnosis import Diagnosis
    from pytest_beir.explanation.pool import PoolCheck
    from pytest_beir.explanation.pool_bounds import Bounds
    from pytest_beir.explanation.unjudged import ToJudge
    from pytest_beir.explanation.worst_queries import Loser
    from pytest_beir.gate.noise import Noise
    from pytest_beir.gate.verdict import MetricVerdict

_TO_JUDGE = 100


@dataclass(frozen=True)
class Findings:
    """Everything beside the verdict that a report may say of a dataset.

    `diagnosis` is there for a drop, `pool` and `bounds` where unjudged documents may explain it;
    `to_judge` lists the most prominent of these. `groups` break the change of the deciding metric
    down, `gated_groups` hold the verdicts on those that the config gates. `broken_pins` are the
    messages of pinned queries that were lost. `noise` and `varying` are what repeating showed.
    """

    losers: tuple[Loser, ...] = ()
    diagnosis: Diagnosis | None = None
    pool: PoolCheck | None = None
    bounds: Bounds | None = None
    to_judge: tuple[ToJudge, ...] = ()
    groups: tuple[Group, ...] = ()
    gated_groups: tuple[MetricVerdict, ...] = ()
    broken_pins: tuple[str, ...] = ()
    noise: tuple[Noise, ...] = ()
    varying: tuple[str, ...] = ()


def find(
    scored: Scored, baseline: Baseline | None, metrics: Mapping[str, MetricVerdict], rules: Rules
) -> Findings:
    """What there is to say of the scores; `baseline` is None where there is no comparable one."""
    deciding = deciding_metric(metrics)
    known = baseline if deciding.current is not None else None
    pool = _pool(scored, known, metrics)
    return Findings(
        losers=losers_of(scored, known, deciding.metric) if known else (),
        diagnosis=cause_of(scored, known, deciding.metric) if known and _fell(deciding) else None,
        pool=pool,
        bounds=_bounds(scored, deciding.metric) if pool and pool.flag else None,
        to_judge=_to_judge(scored, known) if known and pool and pool.flag else (),
        groups=_groups(scored, known, deciding.metric, rules),
        gated_groups=tuple(_gated_groups(scored, known, rules)),
        broken_pins=tuple(broken.message for broken in check_pins(scored.pins, scored.rank_of)),
        noise=scored.noise,
        varying=scored.varying,
    )


def deciding_metric(metrics: Mapping[str, MetricVerdict]) -> MetricVerdict:
    """The gated metric with the worst verdict, the first of these."""
    gated = [metric for metric in metrics.values() if metric.gated]
    return min(gated, key=lambda metric: VERDICTS.index(metric.verdict or "unchanged"))


def own_level(scored: Scored, rules: Rules) -> float:
    """The level of the dataset's own tests: gated groups share it."""
    level = rules.family.level(scored.dataset.name)
    return shared_level(level, len(_gated(scored, rules)))


def _fell(metric: MetricVerdict) -> bool:
    if metric.current is None or metric.current.delta >= 0:
        return False
    return metric.verdict == "regressed" or "likely-drop" in metric.flags


def _pool(
    scored: Scored, baseline: Baseline | None, metrics: Mapping[str, MetricVerdict]
) -> PoolCheck | None:
    """The pool's part in a regression; a flag only if it may explain every regressed metric."""
    regressed = [metric for metric in metrics.values() if metric.verdict == "regressed"]
    if baseline is None or not regressed:
        return None
    if any("current" not in metric.regressed_against for metric in regressed):
        return None
    strata = scored.dataset.strata
    judged = (mean(baseline.current[JUDGED], strata), scored.means[JUDGED])
    checks = [
        check_pool(
            metric.metric,
            scored.dataset.qrels,
            (baseline.judged, scored.scores.judged),
            (baseline.top10, scored.scores.top10),
            judged,
            level=metric.alpha or 1.0,
            strata=strata,
        )
        for metric in regressed
    ]
    unflagged = [check for check in checks if check.flag is None]
    return unflagged[0] if unflagged else checks[0]


def _bounds(scored: Scored, metric: str) -> Bounds | None:
    scores = scored.scores
    dataset = scored.dataset
    return bounds(metric, dataset.qrels, scores.judged, scores.top10, strata=dataset.strata)


def _to_judge(scored: Scored, baseline: Baseline) -> tuple[ToJudge, ...]:
    return to_judge(scored.dataset.qrels, baseline.top10, scored.scores.top10)[:_TO_JUDGE]


def _groups(
    scored: Scored, baseline: Baseline | None, metric: str, rules: Rules
) -> tuple[Group, ...]:
    if rules.groups is None:
        return ()
    groups = groups_of(scored.dataset, rules.groups.field)
    before = baseline.current.get(metric) if baseline else None
    return by_group(groups, scored.scores.values[metric], before)


def _gated(scored: Scored, rules: Rules) -> dict[str, tuple[str, ...]]:
    """The gated groups of which the dataset has queries."""
    if rules.groups is None or not rules.groups.gate:
        return {}
    groups = groups_of(scored.dataset, rules.groups.field)
    return {name: queries for name, queries in groups.items() if name in rules.groups.gate}


def _gated_groups(scored: Scored, baseline: Baseline | None, rules: Rules) -> list[MetricVerdict]:
    gated = _gated(scored, rules)
    if not gated or baseline is None:
        return []
    return [
        verdict
        for metric in rules.gate.metrics
        for verdict in judge_groups(
            metric,
            gated,
            scored.scores.values[metric],
            baseline.current.get(metric),
            baseline.anchor.get(metric),
            level=own_level(scored, rules),
            limits=rules.limits(scored.dataset.name),
            noise=next((each for each in scored.noise if each.metric == metric), None),
        ).values()
    ]
