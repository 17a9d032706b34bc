"""One retriever's results as a table for each metric: the datasets' names give way to numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.reports.numbers import change, probability, score
from pytest_beir.reports.wording import metric_style, side, style, tested
from pytest_beir.text_layout import columns, cut_middle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.text_layout import Page, Style

HEADER = ("dataset", "baseline", "now", "Δ", "lower", "p", "judged@10", "verdict")
_NAME, _JUDGED, _VERDICT = 0, 6, 7
_LEFT = {_NAME, _VERDICT}
# Gaps are one column wide, the last two; what is left over widens them in this order.
_WIDEN = (3, 5, 6, 4, 2, 1)


@dataclass(frozen=True)
class Row:
    """The texts of one row, in the order of `HEADER`, and its style."""

    cells: tuple[str, ...]
    style: Style


def add_tables(page: Page, evaluations: Sequence[Evaluation]) -> None:
    """Add a table per metric, gated metrics first; an error stands in the first of them."""
    names = metric_names(evaluations)
    tables: list[tuple[str, list[Row]]] = []
    for position, name in enumerate(names):
        rows = [
            _row(evaluation, evaluation.metrics.get(name), first=position == 0)
            for evaluation in evaluations
            if position == 0 or name in evaluation.metrics
        ]
        header = Row(HEADER if position == 0 else _without_judged(HEADER), "dim")
        gated = any(e.metrics[name].gated for e in evaluations if name in e.metrics)
        tables.append((f"{name}, {'gated' if gated else 'recorded only'}", [header, *rows]))
    if not names and evaluations:
        rows = [_row(evaluation, None, first=True) for evaluation in evaluations]
        tables.append(("", [Row(HEADER, "dim"), *rows]))
    layout = _Layout(page, [row for _, rows in tables for row in rows])
    for title, rows in tables:
        page.blank()
        if title:
            page.add(title, "bold")
        for row in rows:
            page.add(layout.text(row), row.style)
    if any("*" in row.cells[1] for _, rows in tables for row in rows):
        page.add("* the anchor: only against it is the drop significant", "dim")


def metric_names(evaluations: Sequence[Evaluation]) -> list[str]:
    """The metrics that any of the evaluations has, those gated anywhere first."""
    gated: dict[str, bool] = {}
    for evaluation in evaluations:
        for name, metric in evaluation.metrics.items():
            gated[name] = gated.get(name, False) or metric.gated
    return sorted(gated, key=lambda name: not gated[name])


def cells(evaluation: Evaluation, metric: MetricVerdict | None) -> tuple[str, ...]:
    """The texts of one row, in the order of `HEADER`; dashes where nothing was measured."""
    if metric is None:
        return (evaluation.dataset, *["–"] * 6, evaluation.verdict)
    comparison, before, against = tested(metric)
    now, judged_before = evaluation.judged_at_10
    judged = score(now)
    if judged_before is not None and score(judged_before) != judged:
        judged = f"{score(judged_before)}→{judged}"
    numbers = ["–"] * 3
    if comparison is not None:
        p = probability(side(comparison), metric.alpha)
        numbers = [change(comparison.delta), change(comparison.lower), p]
    stored = score(before) + ("*" if against == "anchor" else "")
    return (
        evaluation.dataset,
        stored,
        score(metric.now),
        *numbers,
        judged,
        _verdict(evaluation, metric),
    )


def _row(evaluation: Evaluation, metric: MetricVerdict | None, *, first: bool) -> Row:
    shown = cells(evaluation, metric)
    if metric is None:
        return Row(shown, style(evaluation))
    suspect = not metric.gated and _verdict(evaluation, metric) == "suspect"
    quiet: Style = "yellow" if suspect else "dim"
    return Row(
        shown if first else _without_judged(shown),
        metric_style(evaluation, metric) if metric.gated else quiet,
    )


def _without_judged(texts: tuple[str, ...]) -> tuple[str, ...]:
    return (*texts[:_JUDGED], "", *texts[_JUDGED + 1 :])


def _verdict(evaluation: Evaluation, metric: MetricVerdict) -> str:
    if not metric.gated:
        return "suspect" if f"suspect:{metric.metric}" in evaluation.flags else ""
    # A dataset may be refused as a whole, whatever its metrics say.
    is_own = any(each.verdict == evaluation.verdict for each in evaluation.metrics.values())
    return metric.verdict or "–" if is_own else evaluation.verdict


class _Layout:
    """Widths of the columns: each as wide as its texts, but for the name, which is cut."""

    def __init__(self, page: Page, rows: Sequence[Row]) -> None:
        self._page = page
        spelled = [[page.spell(text) for text in row.cells] for row in rows]
        self._widths = [max(map(columns, texts)) for texts in zip(*spelled, strict=True)]
        self._gaps = [0, *[1] * (_VERDICT - 1), 2]
        spare = page.width - sum(self._widths) - sum(self._gaps)
        for column in _WIDEN[: max(spare, 0)]:
            self._gaps[column] += 1
        self._widths[_NAME] = max(self._widths[_NAME] + min(spare, 0), 1)

    def text(self, row: Row) -> str:
        """The row on one line."""
        line = ""
        for column, cell in enumerate(row.cells):
            shown = self._page.spell(cell)
            if column == _NAME:
                shown = cut_middle(shown, self._widths[column], ascii=self._page.ascii)
            space = " " * (self._widths[column] - columns(shown))
            line += " " * self._gaps[column] + (shown + space if column in _LEFT else space + shown)
        return line
