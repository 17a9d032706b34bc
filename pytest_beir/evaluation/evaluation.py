"""One dataset, one retriever: retrieve, check, score, compare.

Both front doors, the pytest plugin and the command line, come through here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import Identity, mean
from pytest_beir.baselines.comparability import Comparability, comparable
from pytest_beir.baselines.update import Outcome, Update, plan
from pytest_beir.datasets.zero_shot import doubtful_names, status
from pytest_beir.evaluation.findings import Findings, deciding_metric, find, own_level
from pytest_beir.evaluation.strictness import strict_flags
from pytest_beir.gate.verdict import MetricVerdict, judge_metric, worst
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.scoring.scorer import Scores

_FAILING = ("regressed", "not comparable", "no baseline", "error")


@dataclass(frozen=True)
class Evaluation:
    """The result of one dataset for one retriever, whole: what every report is made from.

    `verdict` is the worst of the gated metrics', `reason` its explanation in one line; on `error`
    `metrics` is empty and `scores` None. `passed` says whether the test passes, strict flags and
    the gate's settings considered; `message` is the one line of a failed test. `judged` holds the
    mean Judged@10 now and in the baseline. `update` is set where permitted options write a
    baseline, `update_refused` says why a permitted one does not.
    """

    retriever: str
    version: str | None
    dataset: str
    split: str
    verdict: str
    reason: str
    passed: bool
    message: str = ""
    queries: int = 0
    missing: int = 0
    weight: float = 1.0
    margin: float = 0.02
    flags: tuple[str, ...] = ()
    strict_failures: tuple[str, ...] = ()
    metrics: Mapping[str, MetricVerdict] = field(default_factory=dict)
    judged: tuple[float | None, float | None] = (None, None)
    findings: Findings = field(default_factory=Findings)
    zero_shot: str = "unknown"
    trained_on: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    identity: Identity | None = None
    scores: Scores | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    update: Update | None = None
    update_refused: str | None = None
    resumed: bool = False
    checked_against_corpus: bool = True
    seconds: float = 0.0
    origin: str = ""

    @property
    def is_excused(self) -> bool:
        """Whether it regressed and passes all the same, without its baseline being written."""
        return self.verdict == "regressed" and self.passed and self.update is None


def identity_of(dataset: Dataset) -> Identity:
    """What a baseline remembers of a dataset, to know later what it may be compared with."""
    return Identity(
        name=dataset.name,
        split=dataset.split,
        documents=dataset.counts.documents,
        queries=dataset.counts.queries,
        judgements=dataset.counts.judgements,
        queries_fingerprint=dataset.fingerprints.queries,
        qrels_fingerprint=dataset.fingerprints.qrels,
        corpus_fingerprint=dataset.fingerprints.corpus,
        members=dataset.strata,
        drop_identical_ids=dataset.drop_identical_ids,
    )


def failed(retriever: str, dataset: str, split: str, reason: str) -> Evaluation:
    """The evaluation of a dataset that could not be measured; the reason need not name it."""
    return Evaluation(
        retriever=retriever,
        version=None,
        dataset=dataset,
        split=split,
        verdict="error",
        reason=reason.removeprefix(f"{dataset}: "),
        passed=False,
    )


def compare(scored: Scored, baseline: Baseline | None, rules: Rules) -> Evaluation:
    """The scores against both stored vectors: verdict, flags, losers, and what to write.

    More missing queries than the gate allows are an error before any statistic.
    """
    dataset = scored.dataset
    if len(scored.missing) > rules.gate.allow_missing:
        error = failed(scored.retriever, dataset.name, dataset.split, _missing(scored, rules))
        return replace(error, queries=dataset.counts.queries, missing=len(scored.missing))
    metrics = {metric.metric: metric for metric in _metrics(scored, baseline, rules)}
    deciding = deciding_metric(metrics)
    verdict = worst([metric.verdict for metric in metrics.values() if metric.verdict])
    findings = find(scored, baseline, metrics, rules)
    if any(group.verdict == "regressed" for group in findings.gated_groups):
        verdict = worst([verdict, "regressed"])
    trained_on = rules.trained_on if rules.trained_on is not None else scored.trained_on
    evaluation = Evaluation(
        retriever=scored.retriever,
        version=scored.version,
        dataset=dataset.name,
        split=dataset.split,
        verdict=verdict,
        reason=deciding.reason or "",
        passed=False,
        queries=dataset.counts.queries,
        missing=len(scored.missing),
        weight=rules.family.datasets[dataset.name][0],
        margin=rules.limits(dataset.name).margin,
        metrics=metrics,
        judged=(scored.means[JUDGED], _judged(scored, baseline)),
        findings=findings,
        zero_shot=status(dataset.name, trained_on).status,
        trained_on=None if trained_on is None else tuple(sorted(trained_on)),
        notes=scored.notes,
        warnings=(
            *scored.warnings,
            *doubtful_names({*(trained_on or ())} - {*rules.family.datasets}),
        ),
        identity=identity_of(dataset),
        scores=scored.scores,
        definitions=scored.definitions,
        resumed=scored.resumed,
        checked_against_corpus=scored.checked_against_corpus,
        seconds=scored.seconds,
    )
    flags = tuple(dict.fromkeys(_flags(scored, baseline, evaluation)))
    return _settled(replace(evaluation, flags=flags), rules)


def _settled(evaluation: Evaluation, rules: Rules) -> Evaluation:
    """The evaluation with what follows from its verdict: pass or fail, and the update."""
    outcomes = [_outcome(metric) for metric in evaluation.metrics.values()]
    if "corpus-changed" in evaluation.flags and rules.gate.corpus_change == "fail":
        evaluation = replace(
            evaluation,
            verdict=worst([evaluation.verdict, "not comparable"]),
            reason="the corpus differs from the baseline's, and corpus_change is set to fail",
        )
        outcomes = [Outcome(each.metric, each.gated, "not comparable") for each in outcomes]
    planned = plan(outcomes, rules.permitted)
    update, refused = planned.update or _taken_over(evaluation, rules), planned.refused
    broken = evaluation.findings.broken_pins
    groups = [g.metric for g in evaluation.findings.gated_groups if g.verdict == "regressed"]
    obstacle = _obstacle(evaluation, groups, rules)
    if update is not None and obstacle is not None:
        update, refused = None, obstacle
    failing = (
        evaluation.verdict in _FAILING
        or (evaluation.verdict == "inconclusive" and rules.gate.on_inconclusive == "fail")
        or bool(broken)
    )
    excused = (
        evaluation.verdict == "regressed"
        and "pool-suspect" in evaluation.flags
        and rules.gate.pool_suspect == "flag"
        and not broken
        and not groups
    )
    evaluation = replace(
        evaluation,
        passed=update is not None or excused or not failing,
        update=update,
        update_refused=refused,
    )
    return replace(evaluation, strict_failures=strict_flags(evaluation, rules.strict))


def _taken_over(evaluation: Evaluation, rules: Rules) -> Update | None:
    """A changed corpus, accepted though no score has moved; else its flag could never be met."""
    is_settled = evaluation.verdict == "unchanged" and "corpus-changed" in evaluation.flags
    if is_settled and "incomparable" in rules.permitted:
        return Update("incomparable", current=True, anchor=False)
    return None


def _obstacle(evaluation: Evaluation, groups: list[str], rules: Rules) -> str | None:
    """Why nothing is written although the update table would allow it."""
    if evaluation.resumed:
        return "its rankings were resumed: retrieve it whole to store a baseline"
    if evaluation.findings.broken_pins:
        return "a pinned query is lost"
    if groups and "dropped" not in rules.permitted:
        return f"{', '.join(groups)} regressed; --beir-accept=dropped takes it all the same"
    return None


def _missing(scored: Scored, rules: Rules) -> str:
    missing = scored.missing
    shown = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")  # noqa: PLR2004
    return (
        f"{len(missing)} of {scored.dataset.counts.queries} judged queries are missing from the "
        f"answer ({shown}), {rules.gate.allow_missing} may be: answer every query, or set "
        f"gate.allow_missing"
    )


def _comparability(scored: Scored, baseline: Baseline) -> Comparability:
    return comparable(baseline, identity_of(scored.dataset), scored.definitions)


def _metrics(scored: Scored, baseline: Baseline | None, rules: Rules) -> Iterator[MetricVerdict]:
    name = scored.dataset.name
    known = _comparability(scored, baseline) if baseline is not None else None
    for metric, values in scored.scores.values.items():
        if metric == JUDGED:
            continue
        gated = metric in rules.gate.metrics
        reason = known.reason(metric) if known is not None else None
        if reason is not None:
            yield MetricVerdict(
                metric=metric,
                gated=gated,
                verdict="not comparable" if gated else None,
                reason=reason,
                now=mean(values, scored.dataset.strata),
            )
            continue
        stored = baseline is not None and metric in baseline.metrics
        yield judge_metric(
            metric,
            values,
            baseline.current[metric] if stored and baseline else None,
            baseline.anchor[metric] if stored and baseline else None,
            level=own_level(scored, rules),
            limits=rules.limits(name),
            gated=gated,
            strata=scored.dataset.strata,
            noise=next((each.bound for each in scored.noise if each.metric == metric), 0.0),
        )


def _judged(scored: Scored, baseline: Baseline | None) -> float | None:
    if baseline is None or _comparability(scored, baseline).reasons:
        return None
    return mean(baseline.current[JUDGED], scored.dataset.strata)


def _flags(scored: Scored, baseline: Baseline | None, evaluation: Evaluation) -> Iterator[str]:
    for metric in evaluation.metrics.values():
        yield from metric.flags
    pool = evaluation.findings.pool
    if pool is not None and pool.flag is not None:
        yield pool.flag
    if baseline is not None and _comparability(scored, baseline).corpus_changed:
        yield "corpus-changed"
    if evaluation.zero_shot == "contaminated":
        yield "contaminated"
    yield from scored.dataset.flags
    if scored.resumed:
        yield "resumed"
    if not scored.checked_against_corpus:
        yield "ids-unchecked"


def _outcome(metric: MetricVerdict) -> Outcome:
    """One metric's verdicts as the update table reads them."""
    if metric.current is None:
        word = metric.verdict or ("not comparable" if metric.reason else "no baseline")
        return Outcome(metric.metric, metric.gated, word)
    anchored = metric.against_anchor
    return Outcome(
        metric.metric,
        metric.gated,
        metric.current.verdict,
        anchored.verdict if anchored is not None else None,
        dropped=metric.has_drop,
    )
