"""`beir.md`: a run as a comment on a pull request, in GitHub's Markdown."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.averages import disagreement, labelled
from pytest_beir.reports.explanations import explanations
from pytest_beir.reports.moves import costliest
from pytest_beir.reports.next_steps import next_steps
from pytest_beir.reports.numbers import rank, score
from pytest_beir.reports.strict import complaint_line
from pytest_beir.reports.table import HEADER, cells, metric_names
from pytest_beir.reports.tally import counts, tally_style, unsure_drops
from pytest_beir.reports.text_file import write_text
from pytest_beir.reports.wording import deciding, evidence, one_line
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.explanation.worst_queries import QueryLoss
    from pytest_beir.suite.run import RetrieverFamily, SuiteRun

NAME = "beir.md"
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&$])")
_REFERENCE = re.compile(r"((?<!\w)@|#)(?=\w)")
_ALIGNED = "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"


def render(run: SuiteRun, *, texts: bool = True, shape_matches: Sequence[str] = ()) -> str:
    """The comment; with `texts=False` queries and documents are named by id alone."""
    parts = [_headline(run)]
    for family in run.retrievers:
        evaluations = [each for each in run.evaluations if each.retriever == family.name]
        parts += _retriever(family, evaluations)
        parts.append("\n".join(_remarks(evaluations)))
        averages = "\n".join(_averages(run, family))
        if averages:
            warning = disagreement(evaluations, shape_matches)
            parts += [f"**Read first**: {escape(warning)}." if warning else "", averages]
        parts += _losses(evaluations, texts=texts)
    parts.append("\n".join(_remainder(run)))
    return "\n\n".join(part for part in parts if part) + "\n"


def write(
    run: SuiteRun, folder: Path, *, texts: bool = True, shape_matches: Sequence[str] = ()
) -> Path:
    """Write `beir.md` into `folder`, whole or not at all, and return its path."""
    text = render(run, texts=texts, shape_matches=shape_matches)
    return write_text(folder / NAME, text)


def escape(text: str) -> str:
    """`text` on one line, shown by GitHub as it is: no cell, markup, reference or mention in it."""
    shown = _MARKUP.sub(r"\\\1", clean(text))
    return _REFERENCE.sub(r"\1<!-- -->", shown)


def _headline(run: SuiteRun) -> str:
    outcome = {"red": "failed", "yellow": "passed, with doubts"}.get(tally_style(run), "passed")
    drops = list(unsure_drops(run))
    shown = f"## BEIR {outcome}: {escape(counts(run))}"
    return f"{shown}\n\n{escape('; '.join(drops))}." if drops else shown


def _retriever(family: RetrieverFamily, evaluations: Sequence[Evaluation]) -> Iterator[str]:
    version = f" (version {escape(family.version)})" if family.version else ""
    yield f"### {escape(family.name)}{version}"
    names = metric_names(evaluations)
    for position, name in enumerate(names or [""]):
        bearers = [e for e in evaluations if position == 0 or name in e.metrics]
        gated = any(e.metrics[name].gated for e in bearers if name in e.metrics)
        rows = [cells(each, each.metrics.get(name)) for each in bearers]
        table = "\n".join([_cells(HEADER), _ALIGNED, *map(_cells, rows)])
        if gated or position == 0:
            yield f"**{escape(name)}**" if name else ""
            yield table
        else:
            yield _folded(f"{name}, recorded only", table)


def _averages(run: SuiteRun, family: RetrieverFamily) -> Iterator[str]:
    own = [average for average in run.averages if average.retriever == family.name]
    for label, text, _ in labelled(own):
        yield f"- **{label}**: {escape(text)}"
    for retriever, claim in run.claims:
        if retriever == family.name:
            yield f"- **published**: {escape(claim.line)}"


def _remarks(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    for each in evaluations:
        marks = [*each.flags, *(f"strict: {flag}" for flag in each.strict_failures)]
        if not each.passed or marks or each.verdict == "inconclusive":
            said = one_line(each)
            told = said if said.startswith(each.verdict) else f"{each.verdict}: {said}"
            suspects = [
                evidence(metric)
                for metric in each.metrics.values()
                if f"suspect:{metric.metric}" in each.flags
            ]
            found = [f"{label}: {text}" for label, text, _ in explanations(each)]
            shown = "; ".join([told, *suspects, *found]) + (
                f" [{', '.join(marks)}]" if marks else ""
            )
            yield f"- **{escape(each.dataset)}** {escape(shown)}"


def _losses(evaluations: Sequence[Evaluation], *, texts: bool) -> Iterator[str]:
    for each in evaluations:
        metric = deciding(each)
        if each.explanation.losses and metric:
            lines = [line for loss in each.explanation.losses for line in _loss(loss, texts=texts)]
            title = f"{each.dataset}: the queries that lost most ({metric.metric})"
            yield _folded(title, "\n".join(lines))


def _loss(loss: QueryLoss, *, texts: bool) -> Iterator[str]:
    text = f": {escape(loss.text)}" if texts and loss.text else ""
    moved = f"{score(loss.before)} → {score(loss.now)}"
    yield f"- {moved}, query {escape(loss.query)}{text}"
    shown, more = costliest(loss.documents)
    for document in shown:
        title = f": {escape(document.title)}" if texts and document.title else ""
        ranks = f"{rank(document.old_rank)} → {rank(document.new_rank)}"
        yield f"  - rank {ranks}, grade {document.grade}, document {escape(document.id)}{title}"
    if more:
        yield f"  - and {plural(more, 'other relevant document')}"


def _remainder(run: SuiteRun) -> Iterator[str]:
    for missing in run.did_not_run:
        name = f"{missing.retriever} on {missing.dataset}"
        yield f"- did not run: {escape(name)} ({escape(missing.reason)})"
    for retriever, dataset in run.unused_baselines:
        yield f"- unused baseline: {escape(f'{retriever} on {dataset}')}"
    for wrong in run.misnamed:
        yield f"- failed: {escape(wrong.text)}"
    for complaint in run.complaints:
        if complaint.evaluation is None:
            yield f"- strict: {escape(complaint_line(complaint))}"
    for update in run.updates:
        yield f"- written: {escape(update)}"
    for each in run.evaluations:
        if each.update_refused:
            yield f"- not written: {escape(each.dataset)}, {escape(each.update_refused)}"
    for step in next_steps(run):
        yield f"- {step.label} {escape(joined(step.datasets))}, {step.why}: `{step.command}`"


def _cells(texts: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape, texts))} |"


def _folded(title: str, content: str) -> str:
    summary = html.escape(clean(title), quote=False)
    return f"<details><summary>{summary}</summary>\n\n{content}\n\n</details>"
