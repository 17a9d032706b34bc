"""The report of a run in the form of its file, in one order however its datasets ran."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from pytest_beir.errors import ReportError
from pytest_beir.reports.explanations import explanations
from pytest_beir.reports.latency import offers
from pytest_beir.reports.report import (
    AverageResult,
    DeclaredPart,
    DiffuseResult,
    LatencyPart,
    MemberSet,
    MissingResult,
    PublishedPart,
    Report,
    RetrieverPart,
    SearchSeconds,
    SettingsPart,
    SuitePart,
)
from pytest_beir.reports.report_result import (
    AgainstAnchor,
    CheckResult,
    GatedGroup,
    JudgedShare,
    Measured,
    MetricResult,
    RepeatNoise,
    Result,
    UnjudgedPart,
)
from pytest_beir.reports.strict import complaint_line
from pytest_beir.reports.tally import failure_texts
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.comparison import Comparison
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.averages import Average, DiffuseLoss
    from pytest_beir.suite.run import SuiteRun
    from pytest_beir.verdicts import Verdict

_NUMBERS = (
    "delta",
    "lower",
    "upper",
    "margin_bound",
    "p_drop",
    "p_gain",
    "mde",
    "changed",
    "worse",
    "better",
)


def report_of(run: SuiteRun) -> Report:
    """The report of a run, ordered by the declared suite, then by the retriever's name.

    Raises:
        ReportError: A number is not finite.

    """
    place = {name: position for position, name in enumerate(run.declared)}

    def by_suite(part: Result | MissingResult) -> tuple[int, str, str]:
        return place.get(part.dataset, len(place)), part.dataset, part.retriever

    try:
        return Report(
            format=1,
            suite=SuitePart(
                id=run.suite_id,
                datasets=list(run.declared),
                selected=sorted(run.selected, key=lambda name: place.get(name, len(place))),
                settings=_settings(run),
            ),
            retrievers=[
                RetrieverPart.model_validate(each)
                for each in sorted(run.retrievers, key=lambda each: each.name)
            ],
            results=sorted(map(_result, run.evaluations), key=by_suite),
            averages=sorted(
                map(_average, run.averages),
                key=lambda each: (each.retriever, not each.gated, each.metric, each.set.id),
            ),
            diffuse=[_diffuse(loss) for loss in run.diffuse],
            compare_to=[
                PublishedPart.model_validate({"retriever": retriever, **claim.as_json()})
                for retriever, claim in run.claims
            ],
            did_not_run=sorted(
                map(MissingResult.model_validate, run.did_not_run),
                key=by_suite,
            ),
            complaints=[complaint_line(each, run.command) for each in run.complaints],
            status=None if run.ending is None else run.ending.status,
            exit_status=None if run.ending is None else run.ending.exit_status,
            failures=[clean(text) for text in failure_texts(run)],
            environment=dict(sorted(run.environment.items())),
            latency=sorted(
                _latencies(run),
                key=lambda each: (place.get(each.dataset, len(place)), each.retriever),
            ),
        )
    except ValidationError as error:
        raise ReportError(f"the results cannot be reported: {first_complaint(error)}") from error


def first_complaint(error: ValidationError) -> str:
    """The first complaint with the place it concerns: `results[3].metrics.nDCG@10.now`."""
    complaint = error.errors(include_url=False)[0]
    place = ""
    for part in complaint["loc"]:
        place += f"[{part}]" if isinstance(part, int) else f"{'.' if place else ''}{part}"
    message = complaint["msg"][:1].lower() + complaint["msg"][1:]
    where = f"{error.title}.{place}" if error.title != "Report" and place else place
    found = "" if complaint["type"] == "missing" else f" (found {complaint['input']!r:.60})"
    return f"{where or error.title}: {message}{found}"


def _settings(run: SuiteRun) -> SettingsPart | None:
    if not run.suite:
        return None
    return SettingsPart(
        datasets=[DeclaredPart.model_validate(each) for each in run.suite],
        gate=dict(run.gate_settings),
    )


def _result(evaluation: Evaluation) -> Result:
    now, baseline = evaluation.judged_at_10
    return Result(
        retriever=evaluation.retriever,
        dataset=evaluation.dataset,
        split=evaluation.split,
        verdict=cast("Verdict", evaluation.verdict),
        reason=evaluation.reason,
        passed=evaluation.passed,
        flags=list(evaluation.flags),
        queries=evaluation.queries,
        missing=evaluation.missing,
        weight=evaluation.weight,
        judged=JudgedShare(now=now, baseline=baseline),
        notes=list(evaluation.notes),
        metrics={name: metric_result(metric) for name, metric in evaluation.metrics.items()},
        zero_shot=evaluation.zero_shot,
        explanations=[f"{label}: {text}" for label, text, *_ in explanations(evaluation)],
        to_judge=[UnjudgedPart.model_validate(each) for each in evaluation.explanation.to_judge],
        written=evaluation.update.category if evaluation.update is not None else None,
        confirmed=evaluation.confirmed,
        checks=[CheckResult.model_validate(each) for each in evaluation.checks],
        groups={
            name: GatedGroup(
                queries=list(queries),
                metrics={
                    metric.metric.removesuffix(f"[{name}]"): metric_result(metric)
                    for metric in evaluation.gated_groups
                    if metric.metric.endswith(f"[{name}]")
                },
            )
            for name, queries in evaluation.group_queries.items()
        },
        same_text=[list(ids) for ids in evaluation.same_text],
        noise=[RepeatNoise.model_validate(each) for each in evaluation.noise],
        varying=list(evaluation.varying),
    )


def metric_result(metric: MetricVerdict) -> MetricResult:
    """A metric's verdict and numbers, as the file has them."""
    compared = metric.current is not None
    return MetricResult(
        **_measured(metric),
        min_effect=metric.min_effect if compared else None,
        margin=metric.margin if compared else None,
    )


def _measured(metric: MetricVerdict) -> dict[str, Any]:
    alpha = metric.alpha if metric.gated else None
    return {
        "gated": metric.gated,
        "verdict": metric.verdict if metric.gated else None,
        "reason": metric.reason,
        "now": metric.now,
        "baseline": metric.baseline,
        "anchor": metric.anchor,
        "alpha": alpha,
        "against_anchor": _against_anchor(metric.against_anchor, alpha),
        **_numbers(metric.current),
    }


def _nothing(*, gated: bool) -> dict[str, Any]:
    """The fields of an average that is withheld."""
    names = (*Measured.model_fields,)
    return {**dict.fromkeys(names), "gated": gated}


def _average(average: Average) -> AverageResult:
    members = MemberSet(
        name=average.set.name or None, members=sorted(average.set.members), id=average.set.id
    )
    result = average.result
    gated = average.gated
    measured = _measured(result) if result is not None else _nothing(gated=gated)
    return AverageResult(
        retriever=average.retriever,
        metric=average.metric,
        set=members,
        flags=list(result.flags) if result is not None else [],
        withheld=average.withheld,
        label=average.label,
        note=average.note,
        excused=average.excused,
        **measured,
    )


def _diffuse(loss: DiffuseLoss) -> DiffuseResult:
    result = loss.result
    comparison = None if result is None else result.current
    alpha = None if result is None else result.alpha
    return DiffuseResult(
        retriever=loss.retriever,
        metric=loss.metric,
        fell=loss.fell,
        datasets=loss.datasets,
        delta=None if comparison is None else comparison.delta,
        p_drop=None if comparison is None else comparison.p_drop,
        alpha=alpha,
        verdict=loss.verdict,
        against_anchor=None if result is None else _against_anchor(result.against_anchor, alpha),
        withheld=loss.withheld,
        excused=loss.excused,
    )


def _latencies(run: SuiteRun) -> Iterator[LatencyPart]:
    found = offers(run)
    dominated = {each.retriever: each.dominated_by for each in found.offers} if found else {}
    for result in run.latencies:
        sample = result.sample
        yield LatencyPart(
            retriever=result.retriever,
            dataset=result.dataset,
            **{**asdict(result.comparison), "queries": len(sample.ratios)},
            seconds=SearchSeconds(**{f"p{n}": each for n, each in sample.percentiles.items()}),
            queries_per_second=sample.rate,
            **asdict(sample.cost),
            on_processor=sample.on_processor,
            spread=sample.spread,
            dominated_by=dominated.get(result.retriever),
        )


def _numbers(comparison: Comparison | None) -> dict[str, Any]:
    return {name: None if comparison is None else getattr(comparison, name) for name in _NUMBERS}


def _against_anchor(comparison: Comparison | None, alpha: float | None) -> AgainstAnchor | None:
    if comparison is None:
        return None
    return AgainstAnchor(delta=comparison.delta, p_drop=comparison.p_drop, alpha=alpha)
