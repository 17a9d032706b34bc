"""What a run says on a terminal, as lines: progress, summary, and the details of a failure.

Nothing here prints. A line's style is for the caller to turn into colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.averages import add_averages
from pytest_beir.reports.failure import failure_block
from pytest_beir.reports.next_steps import next_steps
from pytest_beir.reports.notes import LABEL, add_limits, add_note, add_notes
from pytest_beir.reports.numbers import change, probability, score
from pytest_beir.reports.table import add_tables
from pytest_beir.reports.tally import counts, tally_style, unsure_drops
from pytest_beir.reports.wording import deciding, one_line, side, style, tested
from pytest_beir.text_layout import WIDTH, Line, Page, clean, columns, cut_middle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.run import RetrieverFamily, SuiteRun

__all__ = ["Line", "failure_block", "one_line", "progress_line", "summary"]

_NAME = 18


def progress_line(
    evaluation: Evaluation,
    *,
    show_retriever: bool = False,
    ascii: bool = False,  # noqa: A002
) -> Line:
    """One line for a dataset that has just been judged: what moved, p, and the verdict."""
    page = Page(ascii=ascii)
    name = f"{evaluation.retriever} {evaluation.dataset}" if show_retriever else evaluation.dataset
    metric = deciding(evaluation)
    if metric is None:
        rest = page.spell(clean(f"{evaluation.verdict}: {evaluation.reason}"))
        room = _NAME
    else:
        rest = page.spell(_moved(page, evaluation, metric))
        room = max(min(_NAME, WIDTH - columns(rest) - 1), 8)
    short = cut_middle(page.spell(clean(name)), room, ascii=ascii)
    page.add(f"{short}{' ' * (room - columns(short))} {rest}", style(evaluation))
    return page.lines[0]


def summary(
    run: SuiteRun,
    *,
    shape_matches: Sequence[str] = (),
    ascii: bool = False,  # noqa: A002
) -> list[Line]:
    """The whole run in lines of at most 80 columns; the last line counts the verdicts.

    `shape_matches` are datasets whose shape is that of the user's data.
    """
    page = Page(ascii=ascii)
    for family in run.retrievers:
        evaluations = [each for each in run.evaluations if each.retriever == family.name]
        page.blank()
        page.add(_heading(run, family, len(evaluations)), "bold")
        add_tables(page, evaluations)
        page.blank()
        add_notes(page, evaluations, family)
        add_limits(page, evaluations, family)
        averages = [each for each in run.averages if each.retriever == family.name]
        add_averages(page, averages, evaluations, shape_matches)
        for retriever, claim in run.claims:
            if retriever == family.name:
                add_note(page, "published", claim.line, "dim")
    page.blank()
    _add_not_run(page, run)
    _add_unused(page, run)
    _add_failing(page, run)
    _add_updates(page, run)
    _add_commands(page, run)
    page.blank()
    page.paragraph(f"BEIR: {'; '.join([counts(run), *unsure_drops(run)])}", tally_style(run))
    return page.lines


def _moved(page: Page, evaluation: Evaluation, metric: MetricVerdict) -> str:
    comparison, before, _ = tested(metric)
    if comparison is None:
        return f"{metric.metric:<8} {score(metric.now):<31}{evaluation.verdict}"
    arrow = page.spell(f"{score(before)} → {score(metric.now)}")
    p = probability(side(comparison), metric.alpha)
    delta = change(comparison.delta)
    return f"{metric.metric:<8} {arrow:<12} {delta:>6}  p {p:<6}  {evaluation.verdict}"


def _heading(run: SuiteRun, family: RetrieverFamily, ran: int) -> str:
    some = f"{ran} of " if ran != len(run.declared) else ""
    version = f" (version {family.version})" if family.version else ""
    return f"{clean(family.name)}: {some}{plural(len(run.declared), 'dataset')}{clean(version)}"


def _add_not_run(page: Page, run: SuiteRun) -> None:
    several = len(run.retrievers) > 1
    reasons: dict[tuple[str, bool], list[str]] = {}
    for missing in run.did_not_run:
        name = f"{missing.retriever} {missing.dataset}" if several else missing.dataset
        reasons.setdefault((missing.reason, missing.on_purpose), []).append(name)
    for (reason, on_purpose), names in reasons.items():
        add_note(
            page, "did not run", f"{joined(names)}: {reason}", "dim" if on_purpose else "yellow"
        )


def _add_unused(page: Page, run: SuiteRun) -> None:
    names: dict[str, list[str]] = {}
    for retriever, dataset in run.unused_baselines:
        names.setdefault(retriever, []).append(dataset)
    for retriever, datasets in names.items():
        text = f"baselines of {retriever} for {joined(datasets)}, which no suite names"
        add_note(page, "unused", f"{text}: declare them, or --beir-prune", "yellow")


def _add_failing(page: Page, run: SuiteRun) -> None:
    """Name what fails the run as a whole; what the flags mean stands above."""
    for wrong in run.misnamed:
        add_note(page, "failed", wrong.text, "red")
    whole = list(dict.fromkeys(each.name for each in run.complaints if each.evaluation is None))
    if whole:
        add_note(page, "strict", f"{joined(whole)}: declared to fail", "red")


def _add_updates(page: Page, run: SuiteRun) -> None:
    several = len(run.retrievers) > 1
    for update in run.updates:
        add_note(page, "written", update, "green")
    for each in run.evaluations:
        if each.update_refused:
            name = f"{each.retriever} {each.dataset}" if several else each.dataset
            add_note(page, "not written", f"{name}: {each.update_refused}", "yellow")


def _add_commands(page: Page, run: SuiteRun) -> None:
    for step in next_steps(run):
        add_note(page, step.label, f"{joined(step.datasets)}, {step.why}:", "dim")
        page.command(step.command, "dim", indent=" " * LABEL)
