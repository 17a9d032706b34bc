"""A run as a story: composed once from its results, rendered by every report.

A renderer lays these parts out, and decides nothing about the run itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.averages import average_details, average_notes, diffuse_notes, disagreement
from pytest_beir.reports.baseline_changes import change_remarks
from pytest_beir.reports.explanations import Remark
from pytest_beir.reports.flags import meaning, shown_flags
from pytest_beir.reports.next_steps import Step, next_steps
from pytest_beir.reports.numbers import limit
from pytest_beir.reports.paragraphs import Paragraph, paragraphs
from pytest_beir.reports.strict import complaint_line
from pytest_beir.reports.table import Table, main_table, recorded_tables
from pytest_beir.reports.tally import counts, failure_texts, headline, tally_style, unsure_drops
from pytest_beir.reports.wording import deciding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.baselines.change import BaselineChange
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.reports.report import Report
    from pytest_beir.suite.run import RetrieverFamily, SuiteRun
    from pytest_beir.text_layout import Style

Outcome: TypeAlias = Literal["running", "incomplete", "failed", "passed, with doubts", "passed"]

GUIDE = "docs/reading-the-summary.md"
LEGEND = (
    Remark("baseline", "the stored score, 1 is best; now is today's", "plain"),
    Remark("nDCG@10", "are the best ten answers relevant, the best of them first?", "plain"),
    Remark("change", "now less baseline, over the same queries", "plain"),
    Remark("p", "how often a harmless change would look this bad, or this good", "plain"),
    Remark("judged", "share of the top ten with a judgement; others count as wrong", "plain"),
    Remark("verdict", f"what each word means: {GUIDE}", "plain"),
)


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
) -> Story:
    """The story of a run.

    `shape_matches` are datasets whose shape is that of the user's data; `is_first` adds a legend
    for a project that has no baseline yet.
    """
    style = tally_style(run)
    return Story(
        run=run,
        outcome=_outcome(run, style),
        headline=headline(run),
        legend=LEGEND if is_first else (),
        chapters=tuple(
            _chapter(
                run, family, shape_matches, _changed_versions(stored, versions), is_first=is_first
            )
            for family in run.retrievers
        ),
        remarks=tuple(_remarks(run)),
        steps=tuple(next_steps(run)),
        last_line=f"BEIR: {'; '.join([counts(run), *unsure_drops(run)])}",
        style=style,
        texts=texts,
        report=report,
        changed_baselines=tuple(change_remarks(changed_baselines)),
        stored=stored or {},
        drift=drift or {},
    )


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
        notes=(*_other_versions(evaluations, versions), *_notes(evaluations)),
        averages=(
            *([Remark("read first", warning, "bold")] if warning else []),
            *([] if is_first else average_notes(averages)),
            *diffuse_notes([each for each in run.diffuse if each.retriever == family.name]),
            *(
                Remark("published", claim.line, "dim")
                for retriever, claim in run.claims
                if retriever == family.name
            ),
        ),
        recorded=recorded_tables(evaluations),
        details=(*_limits(evaluations, family), *average_details(averages), *_data(evaluations)),
    )


def _notes(evaluations: Sequence[Evaluation]) -> Iterator[Remark]:
    """Flags of datasets whose verdict needs no look, by flag; and what is new in the data."""
    bearers: dict[str, list[str]] = {}
    for each in evaluations:
        if each.verdict not in {"regressed", "inconclusive"}:
            for flag in shown_flags(each):
                bearers.setdefault(flag, []).append(each.dataset)
    for flag, datasets in bearers.items():
        told = meaning(flag)
        text = f"{joined(datasets)}{f': {told}' if told else ''}"
        yield Remark(flag, text, "yellow")
    for each in evaluations:
        for note in each.notes:
            yield Remark("note", f"{each.dataset}: {note}", "plain")
        for warning in each.warnings:
            if warning not in _repeated(each):
                yield Remark("warning", f"{each.dataset}: {warning}", "yellow")
    repeated = sum(len(_repeated(each)) for each in evaluations)
    if repeated:
        known = f"{plural(repeated, 'warning')} on the data, as in the runs before"
        yield Remark("data", f"{known}: with the details (-v)", "dim")


def _other_versions(
    evaluations: Sequence[Evaluation], versions: Mapping[tuple[str, str], str]
) -> Iterator[Remark]:
    """What runs in another version than the baseline did, beside each dataset that dropped."""
    dropped: dict[str, list[str]] = {}
    for each in evaluations:
        moved = versions.get((each.retriever, each.dataset))
        metric = deciding(each)
        fell = metric is not None and metric.current is not None and metric.current.delta < 0
        if moved and fell:
            dropped.setdefault(moved, []).append(each.dataset)
    for moved, datasets in dropped.items():
        yield Remark("versions", f"{joined(datasets)}: {moved} since the baseline", "yellow")


def _changed_versions(
    stored: Mapping[tuple[str, str], Baseline] | None,
    versions: Mapping[tuple[str, str], Mapping[str, str | None]] | None,
) -> dict[tuple[str, str], str]:
    """{key: `numpy 1.26.4 → 2.0.0`} of what made the baseline in another version."""
    changed = {}
    for key, now in (versions or {}).items():
        before = stored[key].history.versions if stored and key in stored else {}
        moved = [
            f"{name} {before[name]} → {version}"
            for name, version in now.items()
            if name != "pytest-beir" and before.get(name) not in (None, version)
        ]
        if moved:
            changed[key] = ", ".join(moved)
    return changed


def _data(evaluations: Sequence[Evaluation]) -> Iterator[Remark]:
    for each in evaluations:
        for warning in _repeated(each):
            yield Remark("warning", f"{each.dataset}: {warning}", "yellow")


def _repeated(evaluation: Evaluation) -> tuple[str, ...]:
    """Warnings that an earlier run has given, which has stored a baseline of these data."""
    if evaluation.verdict in {"no baseline", "not comparable", "error"}:
        return ()
    return evaluation.data_warnings


def _limits(evaluations: Sequence[Evaluation], family: RetrieverFamily) -> Iterator[Remark]:
    """The limits and levels in force: the usual ones, then the datasets that differ."""
    tested = [
        (each.dataset, metric)
        for each in evaluations
        for metric in each.metrics.values()
        if metric.gated and metric.current is not None
    ]
    if not tested:
        return
    usual = Counter(_limits_of(metric) for _, metric in tested).most_common(1)[0][0]
    level, effect, margin = usual
    text = (
        f"fails at p ≤ {level} with a loss of min_effect {effect} or more; margin {margin}; "
        f"α\N{NO-BREAK SPACE}{limit(family.alpha)} over {plural(family.family, 'test')}"
    )
    several = len({metric.metric for _, metric in tested}) > 1
    others: dict[str, list[str]] = {}
    for dataset, metric in tested:
        own = _limits_of(metric)
        twice = " against current and anchor each" if metric.against_anchor is not None else ""
        named = ((f"p ≤ {own[0]}{twice}", 0), (f"min_effect {own[1]}", 1), (f"margin {own[2]}", 2))
        parts = [part for part, place in named if own[place] != usual[place]]
        if parts:
            name = f"{dataset} {metric.metric}" if several else dataset
            others.setdefault(", ".join(parts), []).append(name)
    if others:
        text += f"; but {'; '.join(f'{p} for {joined(names)}' for p, names in others.items())}"
    yield Remark("limits", text, "dim")


def _limits_of(metric: MetricVerdict) -> tuple[str, str, str]:
    return limit(metric.alpha), limit(metric.min_effect), limit(metric.margin)


def _remarks(run: SuiteRun) -> Iterator[Remark]:
    yield from _not_run(run)
    unused: dict[str, list[str]] = {}
    for retriever, dataset in run.unused_baselines:
        unused.setdefault(retriever, []).append(dataset)
    for retriever, datasets in unused.items():
        text = f"baselines of {retriever} for {joined(datasets)}, which no suite names"
        yield Remark("unused", f"{text}: declare them, or --beir-prune", "yellow")
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
