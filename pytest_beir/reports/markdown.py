"""`beir.md`: a run as a comment on a pull request, in GitHub's Markdown."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.explanations import costliest
from pytest_beir.reports.numbers import rank, score
from pytest_beir.reports.remark import MARKDOWN
from pytest_beir.reports.wording import deciding
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.explanation.worst_queries import QueryLoss
    from pytest_beir.reports.paragraphs import Paragraph
    from pytest_beir.reports.remark import Hints, Remark
    from pytest_beir.reports.story import Chapter, Story
    from pytest_beir.reports.table import Row, Table

NAME = "beir.md"
LONGEST = 60_000
"""Characters; GitHub refuses a comment of more than 65,536."""
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~&$])")
_REFERENCE = re.compile(r"((?<!\w)@|#)(?=\w)")
_ARROWS = {"regressed": "🔻", "improved": "🔺", "unchanged": "", "within tolerance": ""}
_MARKS = {"error": "❌", "not comparable": "❌", "no baseline": "❔", "inconclusive": "❔"}
_CUT = "The rest is left out, to keep this short: the whole is in `beir.json` of the report."


def files(story: Story) -> Mapping[str, str]:
    """{file name: content} of this report."""
    return {NAME: render(story)}


def render(story: Story) -> str:
    """The comment, shorter than what GitHub accepts: details go first where it would be longer."""
    for detail in _DETAILS:
        text = _text(story, detail)
        if len(text) <= LONGEST:
            return text
    return f"{text[: LONGEST - len(_CUT) - 2].rpartition(chr(10))[0]}\n\n{_CUT}\n"


_DETAILS = (2, 1, 0)
"""How much is told: all of it, without the losing queries, without anything folded."""


def escape(text: str) -> str:
    """`text` on one line, shown by GitHub as it is: no cell, markup, reference or mention in it."""
    shown = _MARKUP.sub(r"\\\1", clean(text))
    return _REFERENCE.sub(r"\1<!-- -->", shown)


def _text(story: Story, detail: int) -> str:
    hints = _hints(story, detail)
    mark = {"failed": "❌", "passed": "✅", "running": "⏳"}.get(story.outcome, "⚠️")
    parts = [f"## {mark} BEIR {escape(story.headline)}", escape(story.last_line)]
    if story.changed_baselines:
        parts.insert(0, "### This change moves baselines")
        parts.insert(1, "\n".join(_notes(story.changed_baselines, hints)))
    for chapter in story.chapters:
        parts += _chapter(story, chapter, detail)
    if story.latency is not None:
        parts += [f"### {escape(story.latency.title)}", _table(story.latency)]
        parts.append("\n".join(_notes(story.latency_notes, hints)))
    parts.append("\n".join(_notes(story.remarks, hints)))
    for step in story.steps:
        parts.append(
            f"**{step.label}** {escape(joined(step.datasets))}, {step.why}:\n"
            f"```console\n{step.command}\n```"
        )
    if story.legend:
        legend = "\n".join(_notes(story.legend, hints))
        parts.append(_folded("How to read this", legend))
    return "\n\n".join(part for part in parts if part) + "\n"


def _hints(story: Story, detail: int) -> Hints:
    """What the comment can point to: as much of it as is there."""
    own = {"data"} if detail else set()
    if detail == max(_DETAILS):
        own |= {"failed", "passed"}
    hidden = {"failed", "passed", "data"} - own
    kept = {name: text for name, text in story.hints.items() if name not in hidden}
    return {**kept, **{name: text for name, text in MARKDOWN.items() if name in own}}


def _chapter(story: Story, chapter: Chapter, detail: int) -> Iterator[str]:
    hints = _hints(story, detail)
    yield f"### {escape(chapter.title)}"
    yield _table(chapter.table)
    for paragraph in chapter.paragraphs:
        yield _paragraph(paragraph, hints)
        if detail > 1 and paragraph.evaluation.explanation.losses:
            yield _losses(paragraph, texts=story.texts)
    yield "\n".join(_notes((*chapter.averages, *chapter.notes), hints))
    if detail:
        for table in chapter.recorded:
            yield _folded(table.title, _table(table))
        details = [*_notes(chapter.details, hints)]
        details += [
            f"- {escape(each.evaluation.dataset)} **{line.label}**: {escape(line.text)}"
            for each in chapter.paragraphs
            for line in each.details
        ]
        if details:
            yield _folded("Limits, sets and other details", "\n".join(details))


def _table(table: Table) -> str:
    header = _line(tuple(column.title for column in table.columns))
    rule = f"| {' | '.join('---' if c.align == 'left' else '---:' for c in table.columns)} |"
    rows = [_row(row) for row in table.rows]
    note = [f"\n{escape(table.note)}"] if table.note else []
    return "\n".join([header, rule, *rows, *note])


def _row(row: Row) -> str:
    *cells, verdict = row.cells
    mark = {**_ARROWS, **_MARKS}.get(verdict, "")
    return _line((*cells, f"{mark} {verdict}".strip()))


def _line(texts: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape, texts))} |"


def _paragraph(paragraph: Paragraph, hints: Hints) -> str:
    lines = "\n".join(f"- {each.label}: {escape(each.told(hints))}" for each in paragraph.lines)
    headline = f"**{escape(paragraph.evaluation.dataset)}** {escape(paragraph.happened)}"
    return headline + (f"\n{lines}" if lines else "")


def _notes(notes: Sequence[Remark], hints: Hints) -> Iterator[str]:
    for note in notes:
        yield f"- **{escape(note.label)}**: {escape(note.told(hints))}"


def _losses(paragraph: Paragraph, *, texts: bool) -> str:
    evaluation = paragraph.evaluation
    metric = deciding(evaluation)
    lines = [line for each in evaluation.explanation.losses for line in _loser(each, texts=texts)]
    what = f" ({metric.metric})" if metric else ""
    return _folded(f"{evaluation.dataset}: the queries that lost most{what}", "\n".join(lines))


def _loser(loser: QueryLoss, *, texts: bool) -> Iterator[str]:
    text = f": {escape(loser.text)}" if texts and loser.text else ""
    moved = f"{score(loser.before)} → {score(loser.now)}"
    yield f"- {moved}, query {escape(loser.query)}{text}"
    shown, more = costliest(loser.documents)
    for document in shown:
        title = f": {escape(document.title)}" if texts and document.title else ""
        ranks = f"{rank(document.old_rank)} → {rank(document.new_rank)}"
        yield f"  - rank {ranks}, grade {document.grade}, document {escape(document.id)}{title}"
    if more:
        yield f"  - and {plural(more, 'other relevant document')}"


def _folded(title: str, content: str) -> str:
    summary = html.escape(clean(title), quote=False)
    return f"<details><summary>{summary}</summary>\n\n{content}\n\n</details>"
