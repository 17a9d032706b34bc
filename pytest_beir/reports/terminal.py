"""What a run says on a terminal, as lines: the story of the run, and a line per dataset.

Nothing here prints. A line's style is for the caller to turn into colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined
from pytest_beir.reports.failure import add_losses, failure_block
from pytest_beir.reports.numbers import change, probability, score
from pytest_beir.reports.table import Row
from pytest_beir.reports.wording import deciding, one_line, side, style, tested, verdict_word
from pytest_beir.text_layout import WIDTH, Line, Page, clean, columns, cut_middle

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.reports.paragraphs import Paragraph
    from pytest_beir.reports.remark import Hints, Remark
    from pytest_beir.reports.story import Chapter, Story
    from pytest_beir.reports.table import Table

__all__ = ["Line", "failure_block", "one_line", "progress_line", "status_words", "summary"]

_NAME = 18
_LABEL = 10
_SHORTEST_NAME = 12  # columns are left out before a dataset's name is cut below it
_FULL = 8  # paragraphs with all of their lines


def progress_line(
    evaluation: Evaluation,
    *,
    show_retriever: bool = False,
    ascii: bool = False,  # noqa: A002
    width: int = WIDTH,
) -> Line:
    """One line for a dataset that has just been judged: what moved, p, and the verdict."""
    page = Page(ascii=ascii, width=width)
    name = f"{evaluation.retriever} {evaluation.dataset}" if show_retriever else evaluation.dataset
    metric = deciding(evaluation)
    if metric is None:
        rest = page.spell(clean(f"{evaluation.verdict}: {evaluation.reason}"))
        room = _NAME
    else:
        rest = page.spell(_moved(page, evaluation, metric))
        room = max(min(_NAME, width - columns(rest) - 1), 8)
    short = cut_middle(page.spell(clean(name)), room, ascii=ascii)
    page.add(f"{short}{' ' * (room - columns(short))} {rest}", style(evaluation))
    return page.lines[0]


def status_words(evaluation: Evaluation, *, ascii: bool = False) -> str:  # noqa: A002
    """What stands behind `PASSED` or `FAILED` under `-v`: ` (nDCG@10 −.041: regressed)`."""
    metric = deciding(evaluation)
    delta = metric.current.delta if metric is not None and metric.current is not None else None
    told = verdict_word(evaluation)
    if metric is not None:
        number = score(metric.now) if delta is None else change(delta)
        told = f"{metric.metric} {number}: {told}"
    return Page(ascii=ascii).spell(f" ({told})")


def summary(
    story: Story,
    *,
    verbose: bool = False,
    ascii: bool = False,  # noqa: A002
    width: int = WIDTH,
    report: Path | None = None,
) -> list[Line]:
    """The whole run in lines of at most `width` columns; the last line counts the verdicts.

    `report` is the folder where its report lies.

    Unless `verbose`, what explains the numbers stays out: limits, sets, recorded metrics.
    """
    page = Page(ascii=ascii, width=width)
    page.paragraph(story.headline, story.style)
    for chapter in story.chapters:
        _add_chapter(page, story, chapter, verbose=verbose)
    if story.latency is not None:
        page.blank()
        page.paragraph(story.latency.title, "bold")
        _add_table(page, story.latency, verbose=verbose)
        for note in story.latency_notes:
            _add_note(page, note, story.hints)
    if story.legend:
        page.blank()
        _add_legend(page, story.legend)
    page.blank()
    for moved in story.changed_baselines:
        page.paragraph(f"baseline {moved.label} is changed here: {moved.text}", moved.style)
    for remark in story.remarks:
        _add_note(page, remark, story.hints)
    page.blank()
    for step in story.steps:
        page.paragraph(f"{step.label}: {joined(step.datasets)}, {step.why}:", "dim")
        page.command(step.command, "dim", indent="    ")
    if report is not None:
        from pytest_beir.reports import folder

        page.blank()
        page.paragraph(f"report: {folder.place(report)}", "dim")
    page.blank()
    page.paragraph(story.last_line, story.style)
    return page.lines


def _add_chapter(page: Page, story: Story, chapter: Chapter, *, verbose: bool) -> None:
    page.blank()
    page.paragraph(chapter.title, "bold")
    _add_table(page, chapter.table, verbose=verbose)
    for number, paragraph in enumerate(chapter.paragraphs):
        is_full = number < _FULL or verbose
        if is_full or chapter.paragraphs[number - 1].lines:
            page.blank()
        _add_paragraph(page, story, paragraph, is_full=is_full, verbose=verbose)
    page.blank()
    for note in (*chapter.notes, *chapter.averages):
        _add_note(page, note, story.hints)
    if verbose:
        for table in chapter.recorded:
            page.blank()
            page.paragraph(table.title, "bold")
            _add_table(page, table, verbose=True)
        page.blank()
        for detail in chapter.details:
            _add_note(page, detail, story.hints)


def _add_paragraph(
    page: Page, story: Story, paragraph: Paragraph, *, is_full: bool, verbose: bool
) -> None:
    page.paragraph(paragraph.headline, paragraph.style)
    if not is_full:
        return
    for line in (*paragraph.lines, *(paragraph.details if verbose else ())):
        indent = f"  {line.label:<{_LABEL - 3}} "
        if len(indent) > _LABEL:
            indent = f"  {line.label}: "
        page.paragraph(line.told(story.hints), line.style, indent=indent, hanging=" " * _LABEL)
    if verbose and paragraph.evaluation.passed and paragraph.evaluation.explanation.losses:
        add_losses(page, paragraph.evaluation, texts=story.texts)


def _add_note(page: Page, note: Remark, hints: Hints) -> None:
    page.paragraph(f"{note.label}: {note.told(hints)}", note.style)


def _add_legend(page: Page, legend: tuple[Remark, ...]) -> None:
    page.add("How to read this", "bold")
    for entry in legend:
        page.paragraph(entry.text, indent=f"  {entry.label:<8} ", hanging=" " * 11)


def _add_table(page: Page, table: Table, *, verbose: bool) -> None:
    header = Row(tuple(column.title for column in table.columns), "dim")
    layout = _Layout(page, table, [header, *table.rows], verbose=verbose)
    for row in (header, *table.rows):
        page.add(layout.text(row), row.style)
    if table.note:
        page.paragraph(table.note, "dim")


def _moved(page: Page, evaluation: Evaluation, metric: MetricVerdict) -> str:
    comparison, before, _ = tested(metric)
    word = verdict_word(evaluation)
    if comparison is None:
        return f"{metric.metric:<8} {score(metric.now):<31}{word}"
    arrow = page.spell(f"{score(before)} → {score(metric.now)}")
    p = probability(side(comparison), metric.alpha)
    delta = change(comparison.delta)
    return f"{metric.metric:<8} {arrow:<12} {delta:>6}  p {p:<6}  {word}"


class _Layout:
    """Widths of the columns: each as wide as its texts, but for the name, which is cut.

    On a narrow page the columns that can be spared go first.
    """

    def __init__(self, page: Page, table: Table, rows: list[Row], *, verbose: bool) -> None:
        self._page = page
        self._columns = table.columns
        shown = [n for n, each in enumerate(table.columns) if verbose or not each.is_detail]
        spelled = [[page.spell(text) for text in row.cells] for row in rows]
        self._widths = [max(map(columns, texts)) for texts in zip(*spelled, strict=True)]
        spare = self._spare(shown)
        while spare < 0 and self._widths[0] + spare < _SHORTEST_NAME:
            sparable = [n for n in shown if table.columns[n].spared is not None]
            if not sparable:
                break
            shown.remove(min(sparable, key=lambda n: table.columns[n].spared or 0))
            spare = self._spare(shown)
        self._shown = shown
        self._gap = 2 if spare >= len(shown) - 1 else 1
        self._widths[0] = max(self._widths[0] + min(spare, 0), 1)

    def _spare(self, shown: list[int]) -> int:
        return self._page.width - sum(self._widths[n] for n in shown) - (len(shown) - 1)

    def text(self, row: Row) -> str:
        """The row on one line."""
        line = ""
        for position, number in enumerate(self._shown):
            text = self._page.spell(row.cells[number])
            if number == 0:
                text = cut_middle(text, self._widths[0], ascii=self._page.ascii)
            space = " " * (self._widths[number] - columns(text))
            left = self._columns[number].align == "left"
            line += " " * (self._gap if position else 0) + (text + space if left else space + text)
        return line
