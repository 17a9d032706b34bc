"""A result of a report as the evaluation that it was, from its scores and its baseline."""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from typing import TYPE_CHECKING

from pytest_beir.errors import ReportError
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.measurement import stored_measurement
from pytest_beir.evaluation.result import failed
from pytest_beir.explanation.pool import UnjudgedPair
from pytest_beir.gate.verdict import MetricVerdict
from pytest_beir.reports.wording import one_line
from pytest_beir.stored_results.report_folder import RESUMED

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.reports.report import Metric, Result
    from pytest_beir.stored_results.report_folder import ReportFolder

_ROUNDING = 1e-9


def restored(
    folder: ReportFolder, result: Result, baseline: Baseline | None, rules: Rules
) -> Evaluation:
    """The evaluation behind a result; what only the judgements could tell again is a note.

    The comparisons are computed anew, verdicts and flags are the report's own. Raises ReportError
    where `baseline` is not the one that the result was compared with.
    """
    scores = folder.scores(result)
    if scores is None:
        again = failed(result.retriever, result.dataset, result.split, result.reason)
    else:
        version, resumed = folder.version(result.retriever), RESUMED in result.flags
        measurement = stored_measurement(scores, version=version, resumed=resumed)
        again = evaluate(measurement, baseline, rules)
        again = replace(again, trained_on=folder.trained_on(result.retriever))
        _refuse_other_baseline(folder, result, again)
    found = replace(
        again,
        split=result.split,
        verdict=result.verdict,
        reason=result.reason,
        passed=result.passed,
        queries=result.queries,
        missing=result.missing,
        weight=result.weight,
        flags=tuple(result.flags),
        notes=(*result.notes, *result.explanations),
        judged_at_10=(result.judged.now, result.judged.baseline),
        metrics={
            name: _metric(name, metric, again.metrics.get(name))
            for name, metric in result.metrics.items()
        },
        zero_shot=result.zero_shot,
        explanation=replace(
            again.explanation,
            to_judge=tuple(UnjudgedPair(**each.model_dump()) for each in result.to_judge),
        ),
    )
    found = replace(found, message=one_line(found))
    failures = (flag for flag in found.failing_flags if flag.split(":")[0] in rules.strict)
    return replace(found, strict_failures=tuple(failures))


def _metric(name: str, written: Metric, again: MetricVerdict | None) -> MetricVerdict:
    """A metric as it was judged; of one that has no scores of its own only what is written."""
    now = written.now if written.now is not None else 0.0
    start = again or MetricVerdict(
        metric=name, gated=written.gated, verdict=None, reason=None, now=now
    )
    return replace(
        start,
        verdict=written.verdict,  # type: ignore[arg-type]  # a word of the gate, read from a file
        reason=written.reason,
        baseline=written.baseline,
        anchor=written.anchor,
        alpha=written.alpha,
    )


def _refuse_other_baseline(folder: ReportFolder, result: Result, again: Evaluation) -> None:
    for name, metric in again.metrics.items():
        written = result.metrics[name]
        for what, before, here in (
            ("baseline", written.baseline, metric.baseline),
            ("anchor", written.anchor, metric.anchor),
        ):
            if not _equal(before, here):
                raise ReportError(
                    f"{folder.path}: {result.retriever} on {result.dataset} was compared with"
                    f" another baseline ({name}: {what} {_shown(before)}, here {_shown(here)}):"
                    " name the folder that the shards used, as it was before they ran"
                    " (--baselines DIR)"
                )


def _equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, abs_tol=_ROUNDING)


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.6f}"
