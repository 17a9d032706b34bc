"""A run's verdicts in a sentence and in numbers: what failed, what passed, what nobody can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.averages import is_explained
from pytest_beir.reports.numbers import change, count
from pytest_beir.reports.wording import is_large_drop, is_unsure, queries_needed, verdict_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.suite.run import SuiteRun
    from pytest_beir.text_layout import Style

_ALWAYS = ("passed", "regressed", "improved", "cannot tell")
_NAMED = 4  # datasets in the headline
_FAILING = (
    ("error", "ended in an error", "ended in errors"),
    ("regressed", "regressed", "regressed"),
    ("not comparable", "does not compare with its baseline", "do not compare with their baselines"),
)
_CLASSES = {
    "unchanged": "passed",
    "within tolerance": "passed",
    "inconclusive": "cannot tell",
    "error": "errors",
}


def headline(run: SuiteRun) -> str:
    """The outcome in one sentence, what failed by name: `FAILED: scifact regressed.`"""
    outcome = tally_style(run)
    reasons = run.ending.reasons if run.ending else ()
    ended = run.ending.status if run.ending else None
    if ended == "running":
        return f"RUNNING: {len(run.evaluations)} of {plural(len(run.declared), 'dataset')} so far."
    if outcome == "red":
        failures = list(dict.fromkeys(_failures(run)))
        return f"FAILED: {'; '.join(failures or reasons or ['pytest failed'])}."
    if ended == "incomplete":
        return f"INCOMPLETE: {'; '.join(reasons or ('the run was cut off',))}."
    return _passed(run, outcome)


def _passed(run: SuiteRun, outcome: Style) -> str:
    if not run.evaluations and run.latencies:
        timed = joined(dict.fromkeys(each.dataset for each in run.latencies))
        return f"PASSED: searches of {timed} were timed, none is slower; no dataset was scored."
    if not run.evaluations:
        return f"NOTHING RAN: 0 of {plural(len(run.declared), 'dataset')}."
    if outcome == "yellow":
        absent = sum(not each.on_purpose for each in run.did_not_run)
        doubts = [_unsure(run)] if any(map(is_unsure, run.evaluations)) else []
        if absent:
            doubts.append(f"{plural(absent, 'dataset')} did not run")
        return f"PASSED, but {' and '.join(doubts)}."
    better = _names(run, (each for each in run.evaluations if each.verdict == "improved"))
    written = [each for each in run.evaluations if verdict_word(each) == "written"]
    some = f"{len(run.evaluations)} of " if len(run.evaluations) < len(run.declared) else ""
    text = f"PASSED: {some}{plural(len(run.declared), 'dataset')}"
    if written:
        return f"{text}, {plural(len(written), 'new baseline')}."
    return f"{text}, {better} improved." if better else f"{text}, none of them worse."


def _unsure(run: SuiteRun) -> str:
    """What is inconclusive, and what regressed and passes all the same, by name."""
    inconclusive = [each for each in run.evaluations if each.verdict == "inconclusive"]
    likely = [each for each in inconclusive if "likely-drop" in each.flags]
    excused = [each for each in run.evaluations if each.is_excused]
    parts = []
    if inconclusive:
        verb = "are" if len(inconclusive) > 1 else "is"
        parts.append(f"{_names(run, inconclusive)} {verb} inconclusive")
        if likely:
            which = "" if len(likely) == len(inconclusive) else f"{_names(run, likely)}: "
            parts[-1] += f" ({which}{'likely drops' if len(likely) > 1 else 'a likely drop'})"
    if excused:
        parts.append(f"unjudged documents may explain the drop of {_names(run, excused)}")
    return " and ".join(parts)


def _failures(run: SuiteRun) -> Iterator[str]:
    failing = [each for each in run.evaluations if not each.passed]
    new = [each for each in failing if each.verdict == "no baseline"]
    for verdict, one, many in _FAILING:
        names = _names(run, (each for each in failing if each.verdict == verdict))
        several = sum(each.verdict == verdict for each in failing) > 1
        if names:
            yield f"{names} {many if several else one}"
    if new and len(new) == len(run.evaluations):
        yield "nothing to compare with, no dataset has a baseline yet"
    elif new:
        yield f"{_names(run, new)} {'have' if len(new) > 1 else 'has'} no baseline yet"
    slower = [each.dataset for each in run.latencies if each.comparison.verdict == "slower"]
    if slower:
        yield f"searches of {joined(dict.fromkeys(slower))} are slower"
    other = [each for each in failing if each.verdict not in {v for v, _, _ in _FAILING}]
    other = [each for each in other if each not in new]
    if other:
        yield from _otherwise(run, other)
    yield from _over_datasets(run)
    yield from (failure.brief for failure in run.failures)
    if run.complaints:
        flags = dict.fromkeys(each.name for each in run.complaints)
        yield f"strict flags: {', '.join(flags)}"


def _otherwise(run: SuiteRun, failing: Sequence[Evaluation]) -> Iterator[str]:
    """What fails datasets beside their verdicts: floors, pinned queries, a setting."""
    for kind, what in (("floor", "a floor"), ("pin", "a pinned query")):
        missed = [each for each in failing if any(c.kind == kind for c in each.missed)]
        if missed:
            yield f"{_names(run, missed)} missed {what}"
    rest = [each for each in failing if not each.missed]
    if rest:
        verdicts = joined(dict.fromkeys(each.verdict for each in rest))
        yield f"{_names(run, rest)} {'are' if len(rest) > 1 else 'is'} {verdicts}, which fails"


def _over_datasets(run: SuiteRun) -> Iterator[str]:
    for average in run.averages:
        if average.fails:
            yield f"the average of {average.metric} regressed"
    for loss in run.diffuse:
        if loss.fails and not is_explained(loss, run.evaluations):
            yield f"{loss.metric} fell over all datasets together ({loss.fell} of {loss.datasets})"


def _names(run: SuiteRun, some: Iterable[Evaluation]) -> str:
    several = len({each.retriever for each in run.evaluations}) > 1
    names = [f"{e.retriever} {e.dataset}" if several else e.dataset for e in some]
    more = len(names) - _NAMED
    return joined([*names[:_NAMED], f"{more} more"] if more > 1 else names)


def tally(evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """How many datasets are of each class; the first four always, the others where there are any.

    A dataset that would fail, but whose baseline was written, is `written`. One that fails by a
    floor, a pinned query or a strict flag has not `passed`, whatever its verdict.
    """
    counts = dict.fromkeys(
        (*_ALWAYS, "errors", "no baseline", "not comparable", "written", "failed by strict flags"),
        0,
    )
    for evaluation in evaluations:
        kind = _class(evaluation)
        fails = not evaluation.passed or evaluation.strict_failures
        if kind != "passed" or not fails:
            counts[kind] += 1
        if evaluation.strict_failures and kind in {*_ALWAYS} - {"regressed"}:
            counts["failed by strict flags"] += 1
    return {name: number for name, number in counts.items() if number or name in _ALWAYS}


def counts(run: SuiteRun) -> str:
    """The counts in words, as they stand in the last line of a summary."""
    numbers = tally(run.evaluations)
    names = {"errors": "error"} if numbers.get("errors") == 1 else {}
    text = ", ".join(f"{count(number)} {names.get(name, name)}" for name, number in numbers.items())
    averages = sum(average.fails for average in run.averages)
    if averages:
        text += f", {plural(averages, 'regressed average')}"
    losses = sum(loss.fails for loss in run.diffuse)
    if losses:
        text += f", {plural(losses, 'diffuse loss')}"
    for kind, what in (("pin", "a pinned query"), ("floor", "a floor")):
        missed = sum(any(c.kind == kind for c in each.missed) for each in run.evaluations)
        if missed:
            text += f", {count(missed)} missed {what}"
    slower = sum(each.comparison.verdict == "slower" for each in run.latencies)
    if slower:
        text += f", {count(slower)} slower"
    whole = dict.fromkeys(each.name for each in run.complaints if each.evaluation is None)
    if whole:
        text += f", strict: {', '.join(whole)}"
    if run.selected and not run.evaluations:
        return f"{text}; 0 of {plural(len(run.declared), 'dataset')} ran"
    return text + _absent(run)


def failure_texts(run: SuiteRun) -> list[str]:
    """What failed or stopped the run beside the verdicts of its datasets."""
    reasons = run.ending.reasons if run.ending else ()
    return list(dict.fromkeys([*(each.text for each in run.failures), *reasons]))


def _absent(run: SuiteRun) -> str:
    """Name the datasets that should have run and did not; what was deselected is left out."""
    missing = [each for each in run.did_not_run if not each.on_purpose]
    if not missing:
        return ""
    retrievers = {each.retriever for each in run.evaluations}
    several = len(retrievers | {each.retriever for each in missing}) > 1
    names = [f"{each.retriever} {each.dataset}" if several else each.dataset for each in missing]
    more = f" and {count(len(names) - _NAMED)} more" if len(names) > _NAMED else ""
    of = len(missing) + len(run.evaluations)
    whole = plural(len(run.declared) if not several else of, "dataset")
    return f", {count(len(names))} of {whole} did not run ({', '.join(names[:_NAMED])}{more})"


def tally_style(run: SuiteRun) -> Style:
    """Red where anything failed, yellow where it is inconclusive or nothing ran, else green.

    Searches whose times cannot tell are never a doubt.
    """
    if any(not each.passed or each.strict_failures for each in run.evaluations):
        return "red"
    has_failed = run.ending is not None and run.ending.status == "failed"
    if has_failed or run.fails_as_a_whole or run.complaints or run.failures:
        return "red"
    if not run.evaluations and not run.latencies:
        return "yellow"
    if any(is_unsure(evaluation) for evaluation in run.evaluations):
        return "yellow"
    if any(not each.on_purpose for each in run.did_not_run):
        return "yellow"
    return "green"


def _class(evaluation: Evaluation) -> str:
    if is_unsure(evaluation):
        return "cannot tell"
    if verdict_word(evaluation) == "written":
        return "written"
    return _CLASSES.get(evaluation.verdict, evaluation.verdict)


def unsure_drops(run: SuiteRun) -> Iterator[str]:
    """Name each inconclusive drop as large as its margin, and the queries it would take to tell."""
    several = len({evaluation.retriever for evaluation in run.evaluations}) > 1
    for evaluation in run.evaluations:
        if evaluation.verdict != "inconclusive":
            continue
        name = f"{evaluation.retriever} {evaluation.dataset}" if several else evaluation.dataset
        for metric in evaluation.metrics.values():
            if metric.gated and metric.verdict == "inconclusive" and is_large_drop(metric):
                delta = change(metric.current.delta) if metric.current else ""
                needed = queries_needed(metric)
                yield f"{name} {delta}" + (
                    f" would take {count(needed)} queries to tell" if needed else " is undecided"
                )
