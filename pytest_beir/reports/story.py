"""A run as a story: composed once from its results, rendered by every report.

A renderer lays these parts out, and decides nothing about the run itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.averages import average_details, average_notes, diffuse_notes, disagreement
from pytest_beir.reports.baseline_changes import change_remarks
from pytest_beir.reports.latency import latency_notes, latency_table
from pytest_beir.reports.next_steps import Step, next_steps, repeating
from pytest_beir.reports.notes import (
    changed_versions,
    data_details,
    limits,
    notes,
    version_notes,
)
from pytest_beir.reports.numbers import limit
from pytest_beir.reports.paragraphs import Paragraph, paragraphs
from pytest_beir.reports.remark import TEST_RUN, Remark
from pytest_beir.reports.strict import complaint_line
from pytest_beir.reports.table import Table, main_table, recorded_tables
from pytest_beir.reports.tally import counts, failure_texts, headline, tally_style, unsure_drops

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.baselines.change import BaselineChange
    from pytest_beir.reports.next_steps import Remedy
    from pytest_beir.reports.remark import Hints
    from pytest_beir.reports.report import Report
    from pytest_beir.suite.run import RetrieverFamily, SuiteRun
    from pytest_beir.text_layout import Style

Outcome: TypeAlias = Literal["running", "incomplete", "failed", "passed, with doubts", "passed"]

_FIRST_LEGEND = (
    Remark("nDCG@10", "are the best ten answers relevant, the best first? 1 is best", "plain"),
    Remark("baseline", "the stored score that a later run is compared with", "plain"),
    Remark("judged", "share of the top ten with a judgement; others count as wrong", "plain"),
)
_LEGEND = (
    Remark("p", "chance that a harmless change looks this bad, or this good", "plain"),
    Remark("limit", "a drop fails where p is at or below it", "plain"),
)
_NO_BASELINE = Remark("verdict", "no baseline: nothing to compare with, so the test fails", "plain")
_COMMIT = Remark("next", "commit the baselines folder: later runs, on CI too, need it", "plain")


@dataclass(frozen=True)
class Chapter:
    """One retriever: its table, what needs a look, its averages, and what is shown on demand."""

    family: RetrieverFamily
    title: str
    table: Table
    paragraphs: tuple[Paragraph, ...]
    notes: tuple[Remark, ...]
    averages: tuple[Remark, ...]
    recorded: tuple[Table, ...]
    details: tuple[Remark, ...]


@dataclass(frozen=True)
class StoredMean:
    """A metric's mean in a baseline as it was once committed, and the anchor's."""

    date: str
    commit: str
    metric: str
    mean: float
    anchor: float


@dataclass(frozen=True)
class Story:
    """A run from its headline to its last line.

    `remarks` are about the run as a whole: what did not run, what was written. `texts` says
    whether queries and documents may be quoted, or only named by their ids. `report` is there
    where machines are to read something else than what would be made from `run`.
    `changed_baselines` are those that this change moves, where it is gated on older ones; `stored`
    are the baselines of the run by retriever and dataset, `drift` their means over past updates.
    `latency` has quality beside cost, where searches were timed.
    """

    run: SuiteRun
    outcome: Outcome
    headline: str
    legend: tuple[Remark, ...]
    chapters: tuple[Chapter, ...]
    remarks: tuple[Remark, ...]
    steps: tuple[Step, ...]
    last_line: str
    style: Style
    texts: bool = True
    report: Report | None = None
    changed_baselines: tuple[Remark, ...] = ()
    stored: Mapping[tuple[str, str], Baseline] = field(default_factory=dict)
    drift: Mapping[tuple[str, str], Sequence[StoredMean]] = field(default_factory=dict)
    hints: Hints = field(default_factory=dict)
    latency: Table | None = None
    latency_notes: tuple[Remark, ...] = ()


def compose(
    run: SuiteRun,
    *,
    shape_matches: Sequence[str] = (),
    texts: bool = True,
    is_first: bool = False,
    report: Report | None = None,
    changed_baselines: Iterable[BaselineChange] = (),
    stored: Mapping[tuple[str, str], Baseline] | None = None,
    versions: Mapping[tuple[str, str], Mapping[str, str | None]] | None = None,
    drift: Mapping[tuple[str, str], Sequence[StoredMean]] | None = None,
    hints: Hints = TEST_RUN,
    remedy: Remedy | None = None,
) -> Story:
    """The story of a run.

    `shape_matches` are datasets whose shape is that of the user's data; `is_first` explains the
    table of a project that has no baseline yet. `hints` are those of the front door, `remedy` what
    it offers to store results with, by default the run's own command.
    """
    style = tally_style(run)
    return Story(
        run=run,
        outcome=_outcome(run, style),
        headline=headline(run),
        legend=tuple(_legend(run, is_first=is_first)),
        chapters=tuple(
            _chapter(
                run, family, shape_matches, changed_versions(stored, versions), is_first=is_first
            )
            for family in run.retrievers
        ),
        remarks=(*_remarks(run), *([_COMMIT] if is_first and run.updates else [])),
        steps=tuple(next_steps(run, remedy or repeating(run.command))),
        last_line=f"BEIR: {'; '.join([counts(run), *unsure_drops(run)])}",
        style=style,
        texts=texts,
        report=report,
        changed_baselines=tuple(change_remarks(changed_baselines)),
        stored=stored or {},
        drift=drift or {},
        hints=hints,
        latency=latency_table(run),
        latency_notes=tuple(latency_notes(run)),
    )


def _legend(run: SuiteRun, *, is_first: bool) -> Iterator[Remark]:
    """What the words of a first table mean, or those of a doubt or a failure."""
    verdicts = {each.verdict for each in run.evaluations}
    if is_first:
        yield from _FIRST_LEGEND
        if any(not each.passed and each.verdict == "no baseline" for each in run.evaluations):
            yield _NO_BASELINE
    elif verdicts & {"regressed", "inconclusive"} or run.fails_as_a_whole:
        yield from _LEGEND
        if "regressed" in verdicts:
            whole = limit(run.retrievers[0].alpha)
            told = f"the same p on the scale of the whole run, whose limit is {whole}"
            yield Remark("adjusted", told, "plain")


def _outcome(run: SuiteRun, style: Style) -> Outcome:
    """How the run came out: never `passed` unless the run of pytest has passed as well."""
    ended = run.ending.status if run.ending else None
    if ended == "running":
        return "running"
    if style == "red":
        return "failed"
    if ended == "incomplete":
        return "incomplete"
    return "passed, with doubts" if style == "yellow" else "passed"


def _chapter(
    run: SuiteRun,
    family: RetrieverFamily,
    shape_matches: Sequence[str],
    versions: Mapping[tuple[str, str], str],
    *,
    is_first: bool,
) -> Chapter:
    evaluations = [each for each in run.evaluations if each.retriever == family.name]
    averages = [each for each in run.averages if each.retriever == family.name]
    table = main_table(evaluations)
    some = f"{len(evaluations)} of " if len(evaluations) != len(run.declared) else ""
    version = f" {family.version}" if family.version else ""
    metrics = f"{table.title} on " if table.title else ""
    warning = disagreement(evaluations, shape_matches) if averages else ""
    return Chapter(
        family=family,
        title=f"{family.name}{version}: {metrics}{some}{plural(len(run.declared), 'dataset')}",
        table=table,
        paragraphs=paragraphs(evaluations, family),
        notes=(*version_notes(evaluations, versions), *notes(evaluations)),
        averages=(
            *([Remark("read first", warning, "bold")] if warning else []),
            *([] if is_first else average_notes(averages)),
            *diffuse_notes(
                [each for each in run.diffuse if each.retriever == family.name], evaluations
            ),
            *(
                Remark("published", claim.line, "dim")
                for retriever, claim in run.claims
                if retriever == family.name
            ),
        ),
        recorded=recorded_tables(evaluations),
        details=(
            *limits(evaluations, family),
            *average_details(averages),
            *data_details(evaluations),
        ),
    )


def _remarks(run: SuiteRun) -> Iterator[Remark]:
    yield from _not_run(run)
    unused: dict[str, list[str]] = {}
    for retriever, dataset in run.unused_baselines:
        unused.setdefault(retriever, []).append(dataset)
    for retriever, datasets in unused.items():
        text = f"baselines of {retriever} for {joined(datasets)}, which no suite names"
        remedy = "declare them, or delete them with `pytest --beir --beir-prune`"
        yield Remark("unused", f"{text}: {remedy}", "yellow")
    for text in failure_texts(run):
        yield Remark("failed", text, "red")
    for complaint in run.complaints:
        if complaint.evaluation is None:
            yield Remark("strict", complaint_line(complaint, run.command), "red")
    for update in run.updates:
        yield Remark("written", update, "green")
    for each in run.evaluations:
        if each.update_refused:
            text = f"{_name(run, each.retriever, each.dataset)}: {each.update_refused}"
            yield Remark("not written", text, "yellow")


def _not_run(run: SuiteRun) -> Iterator[Remark]:
    reasons: dict[tuple[str, bool], list[str]] = {}
    for missing in run.did_not_run:
        key = missing.reason, missing.on_purpose
        reasons.setdefault(key, []).append(_name(run, missing.retriever, missing.dataset))
    for (reason, on_purpose), names in reasons.items():
        style: Style = "dim" if on_purpose else "yellow"
        yield Remark("did not run", f"{joined(names)}: {reason}", style)


def _name(run: SuiteRun, retriever: str, dataset: str) -> str:
    return f"{retriever} {dataset}" if len(run.retrievers) > 1 else dataset
