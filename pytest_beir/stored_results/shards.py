"""Shards of one suite: whether reports belong together, and the whole that they make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING

from pytest_beir.errors import ReportError
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.explanation.pool import UnjudgedPair
from pytest_beir.phrasing import joined
from pytest_beir.reports.explanations import explanations
from pytest_beir.reports.report_of_run import metric_result, report_of
from pytest_beir.reports.tally import tally_style
from pytest_beir.reports.wording import one_line
from pytest_beir.stored_results.report_folder import Key, refuse_clashes
from pytest_beir.stored_results.shard_compatibility import refuse_foreign
from pytest_beir.suite.assembly import assemble
from pytest_beir.suite.run import DidNotRun, Ending, RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.settings import AverageSettings
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.reports.report import Report
    from pytest_beir.reports.report_result import Result
    from pytest_beir.stored_results.report_folder import ReportFolder
    from pytest_beir.suite.run import SuiteRun

    Stored = Callable[[str, str], Baseline | None]


_ROUNDING = 1e-9


@dataclass(frozen=True)
class Merged:
    """The whole of a suite: `report` holds the shards' results as they were, averages anew.

    `run` is the same for people to read, `scores` what goes into the report's `scores/`, and
    `missing` the datasets that no shard has a result for, by retriever.
    """

    run: SuiteRun
    report: Report
    scores: tuple[Baseline, ...]
    missing: Mapping[str, tuple[str, ...]]


def merge(
    shards: Sequence[ReportFolder],
    stored: Stored,
    *,
    average: AverageSettings | None = None,
    strict: frozenset[str] = frozenset(),
    unused: Sequence[Key] = (),
) -> Merged:
    """The union of shards of one suite, its averages tested over all of it.

    Every result is judged again from its scores. `stored` gives the baseline of a retriever and a
    dataset as the shards met it; `average` are the published ones to show beside ours.

    Raises:
        ReportError: A shard is foreign, contradicts another, or contradicts its own scores.

    """
    refuse_foreign(shards)
    held = _by_key(shards)
    suite = shards[0].suite
    config = shards[0].config.model_copy(update={"average": average} if average else {})
    rules = {
        name: rules_for(config, name, suite, strict=strict)
        for name in dict.fromkeys(retriever for retriever, _ in held)
    }
    absent = tuple(_absent(shards, held))
    run = assemble(
        suite=suite,
        selected=_selected(shards),
        config=config,
        evaluations=[
            judged_again(shard, result, stored(*key), rules[result.retriever])
            for key, (shard, result) in held.items()
        ],
        did_not_run=absent,
        stored=stored,
        unused=unused,
        strict=strict,
        command="",
        environment=_environment(shards),
    )
    lost = tuple(_failures(shards))
    run = replace(run, failures=(*run.failures, *lost))
    if any(shard.report.status is not None for shard in shards):
        is_red = tally_style(run) == "red" or bool(absent)
        run = replace(run, ending=Ending("failed" if is_red else "passed", int(is_red)))
    report = report_of(run)
    results = [held[each.retriever, each.dataset][1] for each in report.results]
    missing: dict[str, tuple[str, ...]] = {}
    for each in absent:
        missing[each.retriever] = (*missing.get(each.retriever, ()), each.dataset)
    return Merged(
        run=run,
        report=report.model_copy(update={"results": results}),
        scores=tuple(scores for shard, result in held.values() if (scores := shard.scores(result))),
        missing=missing,
    )


def _failures(shards: Sequence[ReportFolder]) -> Iterator[RunFailure]:
    """What failed or stopped the run of a shard beside the verdicts of its datasets."""
    for number, shard in enumerate(shards, start=1):
        report = shard.report
        texts = list(dict.fromkeys(report.failures))
        if report.status in ("running", "incomplete") and not texts:
            ended = "was killed" if report.status == "running" else "was cut off"
            texts = [f"its run {ended} before its end"]
        for text in texts:
            yield RunFailure(
                f"shard[{number}]", f"{shard.path}: {text}", f"the run of {shard.path} failed"
            )


def judged_again(
    folder: ReportFolder, result: Result, baseline: Baseline | None, rules: Rules
) -> Evaluation:
    """The evaluation behind a result, from its scores; what only the data could tell is a note.

    It does not pass where its test had failed for another reason.

    Raises:
        ReportError: What is written is not what the scores give: it was edited, or `baseline` is
            not the one that the result was compared with.

    """
    measurement = folder.measurement(result)
    if measurement is None:
        error = failed(result.retriever, result.dataset, result.split, result.reason)
        again = replace(error, queries=result.queries, missing=result.missing)
    else:
        permitted = frozenset([result.written] if result.written else [])
        again = evaluate(measurement, baseline, replace(rules, permitted=permitted))
        _refuse_other_baseline(folder, result, again)
        _refuse_other_verdict(folder, result, again)
        pairs = (UnjudgedPair(**each.model_dump()) for each in result.to_judge)
        told = {f"{label}: {text}" for label, text, *_ in explanations(again)}
        again = replace(
            again,
            passed=again.passed and result.passed,
            notes=(*again.notes, *(each for each in result.explanations if each not in told)),
            explanation=replace(again.explanation, to_judge=tuple(pairs)),
        )
    return replace(again, message=one_line(again))


def _refuse_other_verdict(folder: ReportFolder, result: Result, again: Evaluation) -> None:
    found = [
        f"{what} {written!r}, its scores give {given!r}"
        for what, written, given in (
            ("verdict", result.verdict, again.verdict),
            ("confirmed", result.confirmed, again.confirmed),
            *(
                (f"{name} {field}", vars(metric)[field], vars(now)[field])
                for name, metric in result.metrics.items()
                for now in [metric_result(again.metrics[name])]
                for field in ("verdict", "delta", "p_drop", "alpha")
            ),
        )
        if not _agree(written, given)
    ]
    if result.passed and not again.passed:
        found.append("passed, its scores fail")
    if found:
        raise ReportError(
            f"{folder.path}: {result.retriever} on {result.dataset} contradicts its own scores"
            f" ({'; '.join(found)}): the report was edited, or written by another version of"
            " pytest-beir; make it again"
        )


def _agree(written: object, given: object) -> bool:
    if isinstance(written, float) and isinstance(given, float):
        return isclose(written, given, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    return written == given


def _refuse_other_baseline(folder: ReportFolder, result: Result, again: Evaluation) -> None:
    for name, metric in again.metrics.items():
        written = result.metrics[name]
        for what, before, here in (
            ("baseline", written.baseline, metric.baseline),
            ("anchor", written.anchor, metric.anchor),
        ):
            if not _agree(before, here):
                raise ReportError(
                    f"{folder.path}: {result.retriever} on {result.dataset} was compared with"
                    f" another baseline ({name}: {what} {_shown(before)}, here {_shown(here)}):"
                    " name the folder that the shards used, as it was before they ran"
                    " (--baselines DIR)"
                )


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.6f}"


def _by_key(shards: Sequence[ReportFolder]) -> dict[Key, tuple[ReportFolder, Result]]:
    """Every result once, in the suite's order; ReportError where two shards contradict."""
    held: dict[Key, tuple[ReportFolder, Result]] = {}
    problems = []
    for shard in shards:
        for key, result in shard.results.items():
            known, first = held.setdefault(key, (shard, result))
            if first != result or not _same_scores(known, first, shard, result):
                problems.append(
                    f"{shard.path} contradicts {known.path}: {key[0]} on {key[1]} is"
                    f" {_told(result)} there, {_told(first)} here"
                )
    if problems:
        raise ReportError("; ".join(problems))
    refuse_clashes(
        {
            (shard.path, *key): scores.identity
            for key, (shard, result) in held.items()
            if (scores := shard.scores(result))
        }
    )
    return held


def _same_scores(known: ReportFolder, first: Result, shard: ReportFolder, result: Result) -> bool:
    if known is shard:
        return True
    one, other = known.scores(first), shard.scores(result)
    return one is other or bool(one and other and one.has_scores_of(other))


def _told(result: Result) -> str:
    scores = [
        f"{name} {each.now:.4f}" for name, each in result.metrics.items() if each.now is not None
    ]
    return ", ".join([result.verdict, *scores])


def _absent(shards: Sequence[ReportFolder], held: Mapping[Key, object]) -> Iterator[DidNotRun]:
    """The declared datasets without a result, with the reason of the shard that was to run them."""
    reasons = {
        (each.retriever, each.dataset): each.reason
        for shard in shards
        for each in shard.report.did_not_run
        if each.dataset in shard.report.suite.selected
    }
    retrievers = [*(each.name for s in shards for each in s.report.retrievers)]
    retrievers += [retriever for retriever, _ in reasons]
    for retriever in dict.fromkeys(retrievers):
        for dataset in shards[0].suite:
            key = retriever, dataset.name
            if key not in held:
                reason = reasons.get(key, "no shard holds it")
                yield DidNotRun(*key, reason, on_purpose=False)


def _selected(shards: Sequence[ReportFolder]) -> tuple[str, ...]:
    chosen = {name for shard in shards for name in shard.report.suite.selected}
    return tuple(each.name for each in shards[0].suite if each.name in chosen)


def _environment(shards: Sequence[ReportFolder]) -> dict[str, str]:
    """What ran the shards; where they differ, all values."""
    found: dict[str, list[str]] = {}
    for shard in shards:
        for name, value in shard.report.environment.items():
            text = value if isinstance(value, str) else value.text
            found.setdefault(name, []).append(text)
    return {name: ", ".join(sorted(set(values))) for name, values in found.items()}


def missing_words(missing: Mapping[str, Sequence[str]]) -> str:
    """The datasets that no shard has a result for, in a sentence; empty where there are none."""
    return "; ".join(
        f"{retriever} has no result for {joined(names)}" for retriever, names in missing.items()
    )
