"""The verdict on one dataset, from values alone: the only place where it is made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.comparability import Comparability, comparable
from pytest_beir.baselines.update import MetricOutcome, Update, plan
from pytest_beir.datasets.zero_shot import status
from pytest_beir.evaluation.check import Check
from pytest_beir.evaluation.decision import decide, gated_groups_of
from pytest_beir.evaluation.result import Judged
from pytest_beir.explanation.pool import check_pool
from pytest_beir.gate.verdict import MetricVerdict, worst
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.explanation.pool import PoolCheck

_FAILING = ("regressed", "not comparable", "no baseline", "error")


def judge(measurement: Measurement, baseline: Baseline | None, rules: Rules) -> Judged:
    """The scores against both stored vectors: verdict, flags, pass or fail, and what to write.

    More missing queries than the gate allows are an error before any statistic.
    """
    name = measurement.identity.name
    if len(measurement.missing) > rules.gate.allow_missing:
        return Judged(verdict="error", reason=_missing(measurement, rules), passed=False)
    known = _comparability(measurement, baseline)
    found = decide(measurement, baseline, known, rules)
    confirmed = None
    if found.verdict == "regressed" and measurement.second is not None:
        again = replace(measurement, scores=measurement.second)
        # What a second search does not answer contradicts nothing.
        confirmed = (
            len(again.missing) > rules.gate.allow_missing
            or decide(again, baseline, known, rules).verdict == "regressed"
        )
        found = found if confirmed else found.unconfirmed()
    comparable_baseline = baseline if found.deciding.current is not None else None
    judged = Judged(
        verdict=found.verdict,
        reason=found.reason,
        passed=False,
        weight=rules.family.datasets[name][0],
        margin=rules.limits(name).margin,
        checks=(*measurement.checks, *_floors(measurement, rules)),
        metrics=found.metrics,
        gated_groups=found.groups,
        group_queries=gated_groups_of(measurement, rules),
        judged_at_10=(measurement.means[JUDGED], _judged_before(baseline, known)),
        pool=_pool(measurement, comparable_baseline, found.metrics),
        zero_shot=status(name, trained_on(measurement, rules)).status,
        confirmed=confirmed,
    )
    flags = tuple(dict.fromkeys(_flags(measurement, known, judged)))
    return _settled(replace(judged, flags=flags), measurement, rules)


def trained_on(measurement: Measurement, rules: Rules) -> frozenset[str] | None:
    """What the retriever was trained on: as `beir.yaml` says, else as it says itself."""
    return rules.trained_on if rules.trained_on is not None else measurement.trained_on


def _settled(judged: Judged, measurement: Measurement, rules: Rules) -> Judged:
    """The same with what follows from its verdict: pass or fail, and the update."""
    values = measurement.scores.values
    outcomes = [_outcome(metric, values[name]) for name, metric in judged.metrics.items()]
    if "corpus-changed" in judged.flags and rules.gate.corpus_change == "fail":
        judged = replace(
            judged,
            verdict=worst([judged.verdict, "not comparable"]),
            reason="the corpus differs from the baseline's, and corpus_change is set to fail",
        )
        outcomes = [MetricOutcome(each.metric, each.gated, "not comparable") for each in outcomes]
    planned = plan(outcomes, rules.permitted)
    update, refused = planned.update or _taken_over(judged, rules), planned.refused
    groups = [group.metric for group in judged.gated_groups if group.verdict == "regressed"]
    obstacle = _obstacle(judged, measurement, groups, update) if update is not None else None
    if obstacle is not None:
        update, refused = None, obstacle
    missed = bool(judged.missed)
    failing = judged.verdict in _FAILING or (
        judged.verdict == "inconclusive" and rules.gate.on_inconclusive == "fail"
    )
    excused = (
        judged.verdict == "regressed"
        and "pool-suspect" in judged.flags
        and rules.gate.pool_suspect == "flag"
        and not groups
    )
    judged = replace(
        judged,
        passed=not missed and (update is not None or excused or not failing),
        update=update,
        update_refused=refused,
    )
    failures = (flag for flag in judged.failing_flags if flag.split(":")[0] in rules.strict)
    return replace(judged, strict_failures=tuple(failures))


def _taken_over(judged: Judged, rules: Rules) -> Update | None:
    """A changed corpus, accepted though no score has moved; else its flag could never be met."""
    is_settled = judged.verdict == "unchanged" and "corpus-changed" in judged.flags
    if is_settled and "incomparable" in rules.permitted:
        return Update("incomparable", current=True, anchor=False)
    return None


def _obstacle(
    judged: Judged, measurement: Measurement, groups: Sequence[str], update: Update
) -> str | None:
    """Why nothing is written although the update table would allow it."""
    if measurement.other_code is not None:
        return (
            f"its rankings were resumed, and made by other code ({measurement.other_code}):"
            " retrieve it whole to store a baseline"
        )
    if update.category in ("dropped", "incomparable"):
        return None
    if judged.missed:
        what = "a pinned query is lost" if judged.missed[0].kind == "pin" else "a floor is missed"
    elif groups:
        what = f"{', '.join(groups)} regressed"
    else:
        return None
    return what if update.category == "new" else f"{what}; --beir-accept=dropped takes it"


def _floors(measurement: Measurement, rules: Rules) -> Iterator[Check]:
    """The floors of the dataset's recorded metrics."""
    name = measurement.identity.name
    for metric, floor in rules.floors(name).items():
        if metric in measurement.scores.values:
            now = measurement.means[metric]
            place = f"gate.overrides.{name}.floor of beir.yaml"
            yield Check(kind="floor", metric=metric, limit=floor, now=now, place=place)


def _missing(measurement: Measurement, rules: Rules) -> str:
    missing = measurement.missing
    shown = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")  # noqa: PLR2004
    return (
        f"{len(missing)} of {measurement.identity.queries} judged queries are missing from the "
        f"answer ({shown}), {rules.gate.allow_missing} may be: answer every query, or set "
        f"gate.allow_missing"
    )


def _comparability(measurement: Measurement, baseline: Baseline | None) -> Comparability:
    if baseline is None:
        return Comparability()
    return comparable(baseline, measurement.identity, measurement.definitions)


def _judged_before(baseline: Baseline | None, known: Comparability) -> float | None:
    if baseline is None or known.reasons:
        return None
    return baseline.mean(JUDGED)


def _pool(
    measurement: Measurement, baseline: Baseline | None, metrics: Mapping[str, MetricVerdict]
) -> PoolCheck | None:
    """The pool's part in a regression; a flag only if it may explain every regressed metric."""
    regressed = [metric for metric in metrics.values() if metric.verdict == "regressed"]
    if baseline is None or measurement.qrels is None or not regressed:
        return None
    if any("current" not in metric.regressed_against for metric in regressed):
        return None
    before, now = baseline.scores, measurement.scores
    checks = [
        check_pool(
            metric.metric,
            measurement.qrels,
            (before.judged, now.judged),
            (before.top10, now.top10),
            (baseline.mean(JUDGED), measurement.means[JUDGED]),
            level=metric.alpha or 1.0,
            strata=measurement.identity.members,
            units=measurement.units,
        )
        for metric in regressed
    ]
    unflagged = [check for check in checks if check.flag is None]
    return unflagged[0] if unflagged else checks[0]


def _flags(measurement: Measurement, known: Comparability, judged: Judged) -> Iterator[str]:
    for metric in judged.metrics.values():
        yield from metric.flags
    pool_flag = measurement.pool_flag if judged.pool is None else judged.pool.flag
    if pool_flag is not None:
        yield pool_flag
    if known.corpus_changed:
        yield "corpus-changed"
    if judged.zero_shot == "contaminated":
        yield "contaminated"
    yield from measurement.dataset_flags
    if measurement.resumed:
        yield "resumed"
    if measurement.other_code is not None:
        yield "resumed-other-code"
    if not measurement.checked_against_corpus:
        yield "ids-unchecked"


def _outcome(metric: MetricVerdict, scores: Mapping[str, float]) -> MetricOutcome:
    """One metric's verdicts as the update table reads them."""
    is_zero = not any(scores.values())
    if metric.current is None:
        word = metric.verdict or ("not comparable" if metric.reason else "no baseline")
        return MetricOutcome(metric.metric, metric.gated, word, is_zero=is_zero)
    anchored = metric.against_anchor
    return MetricOutcome(
        metric.metric,
        metric.gated,
        metric.current.verdict,
        anchored.verdict if anchored is not None else None,
        dropped=metric.has_drop,
        is_zero=is_zero,
    )
