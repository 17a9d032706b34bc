"""One dataset, one retriever: retrieve, check, score, compare.

Both front doors, the pytest plugin and the command line, come through here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import Identity
from pytest_beir.baselines.comparability import Comparability, comparable
from pytest_beir.baselines.update import Outcome, Update, plan
from pytest_beir.complaints import strict_flags
from pytest_beir.gate.family import Family, Limits
from pytest_beir.gate.verdict import MetricVerdict, judge_metric, worst
from pytest_beir.losers import Loser, losers_of
from pytest_beir.scored import mean
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.config import Config
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.declaration import DeclaredDataset
    from pytest_beir.scored import Scored
    from pytest_beir.scoring.scorer import Scores
    from pytest_beir.settings import Gate

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
    flags: tuple[str, ...] = ()
    strict_failures: tuple[str, ...] = ()
    metrics: Mapping[str, MetricVerdict] = field(default_factory=dict)
    judged: tuple[float | None, float | None] = (None, None)
    losers: tuple[Loser, ...] = ()
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


@dataclass(frozen=True)
class Rules:
    """What one retriever's evaluations are decided by.

    `gate` is the gate as it stands for this retriever, `family` shares its α over the declared
    suite; `permitted` are the kinds of baselines that may be written, `strict` the flags that
    fail.
    """

    gate: Gate
    family: Family
    permitted: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()

    def limits(self, dataset: str) -> Limits:
        """The limits of a dataset before the cap by its baseline's mean."""
        min_effect, margin = self.gate.limits_for(dataset)
        return Limits(min_effect, margin)


def rules_for(
    config: Config,
    retriever: str,
    declared: Sequence[DeclaredDataset],
    permitted: frozenset[str] = frozenset(),
    strict: frozenset[str] = frozenset(),
) -> Rules:
    """The rules for a retriever in a declared suite, as `beir.yaml` sets them."""
    gate = config.gate_for(retriever)
    family = Family(
        datasets={each.name: (each.weight, gate.metrics) for each in declared},
        alpha=gate.alpha,
        correction=gate.correction,
    )
    return Rules(gate, family, permitted, strict)


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
    """The evaluation of a dataset that could not be measured."""
    return Evaluation(
        retriever=retriever,
        version=None,
        dataset=dataset,
        split=split,
        verdict="error",
        reason=reason,
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
    gated = [metric for metric in metrics.values() if metric.gated]
    verdict = worst([metric.verdict for metric in gated if metric.verdict])
    deciding = next(metric for metric in gated if metric.verdict == verdict)
    corpus_changed = baseline is not None and _comparability(scored, baseline).corpus_changed
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
        flags=tuple(dict.fromkeys(_flags(scored, metrics, corpus_changed=corpus_changed))),
        metrics=metrics,
        judged=(scored.means[JUDGED], _judged(scored, baseline)),
        losers=losers_of(scored, baseline, deciding.metric)
        if baseline and deciding.current
        else (),
        warnings=scored.warnings,
        identity=identity_of(dataset),
        scores=scored.scores,
        definitions=scored.definitions,
        resumed=scored.resumed,
        checked_against_corpus=scored.checked_against_corpus,
        seconds=scored.seconds,
    )
    return _settled(evaluation, rules)


def _settled(evaluation: Evaluation, rules: Rules) -> Evaluation:
    """The evaluation with what follows from its verdict: pass or fail, and the update."""
    if "corpus-changed" in evaluation.flags and rules.gate.corpus_change == "fail":
        evaluation = replace(
            evaluation,
            verdict=worst([evaluation.verdict, "not comparable"]),
            reason="the corpus differs from the baseline's, and corpus_change is set to fail",
        )
    planned = plan([_outcome(metric) for metric in evaluation.metrics.values()], rules.permitted)
    refused = planned.refused
    update = planned.update
    if update is not None and evaluation.resumed:
        update, refused = None, "its rankings were resumed: retrieve it whole to store a baseline"
    failing = evaluation.verdict in _FAILING or (
        evaluation.verdict == "inconclusive" and rules.gate.on_inconclusive == "fail"
    )
    excused = evaluation.verdict == "regressed" and (
        "pool-suspect" in evaluation.flags and rules.gate.pool_suspect == "flag"
    )
    evaluation = replace(
        evaluation,
        passed=update is not None or excused or not failing,
        update=update,
        update_refused=refused,
    )
    return replace(evaluation, strict_failures=strict_flags(evaluation, rules.strict))


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
            level=rules.family.level(name),
            limits=rules.limits(name),
            gated=gated,
            strata=scored.dataset.strata,
        )


def _judged(scored: Scored, baseline: Baseline | None) -> float | None:
    if baseline is None or _comparability(scored, baseline).reasons:
        return None
    return mean(baseline.current[JUDGED], scored.dataset.strata)


def _flags(
    scored: Scored, metrics: Mapping[str, MetricVerdict], *, corpus_changed: bool
) -> Iterator[str]:
    for metric in metrics.values():
        yield from metric.flags
    if corpus_changed:
        yield "corpus-changed"
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
