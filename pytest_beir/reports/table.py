"""One retriever's results as tables of texts: a row per dataset, and what may be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_beir.reports.numbers import change, probability, score, share
from pytest_beir.reports.wording import metric_style, side, style, tested, verdict_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.text_layout import Style


@dataclass(frozen=True)
class Column:
    """A column's title; `spared` orders what a narrow page leaves out, None for what it keeps."""

    title: str
    align: Literal["left", "right"] = "right"
    spared: int | None = None
    is_detail: bool = False


@dataclass(frozen=True)
class Row:
    """The texts of one row, in the order of the table's columns, and its style."""

    cells: tuple[str, ...]
    style: Style


@dataclass(frozen=True)
class Table:
    """Rows under columns; `note` explains a mark in them."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""


_DATASET = Column("dataset", "left")
_METRIC = Column("metric", "left")
_NUMBERS = (
    Column("baseline", spared=2),
    Column("now"),
    Column("change"),
    Column("lower", is_detail=True),
    Column("p", spared=1),
    Column("judged", spared=0),
)
_VERDICT = Column("verdict", "left")
ANCHORED = "* the anchor: only against it is the drop significant"


def main_table(evaluations: Sequence[Evaluation]) -> Table:
    """What was gated, one row per dataset and gated metric; errors have a row too."""
    names = [name for name in metric_names(evaluations) if _is_gated(name, evaluations)]
    several = len(names) > 1
    columns = (_DATASET, *([_METRIC] if several else []), *_NUMBERS, _VERDICT)
    rows, is_anchored = [], False
    for each in evaluations:
        gated = [each.metrics[name] for name in names if name in each.metrics]
        for position, metric in enumerate(gated or [None]):
            name = each.dataset if position == 0 else ""
            label = (metric.metric if metric else "–",) if several else ()
            rows.append(Row((name, *label, *_cells(each, metric)), _style(each, metric)))
            is_anchored = is_anchored or _is_against_anchor(metric)
    return Table(" and ".join(names), columns, tuple(rows), ANCHORED if is_anchored else "")


def recorded_tables(evaluations: Sequence[Evaluation]) -> tuple[Table, ...]:
    """A table for each metric that is only recorded."""
    return tuple(
        _recorded(name, evaluations)
        for name in metric_names(evaluations)
        if not _is_gated(name, evaluations)
    )


def metric_names(evaluations: Sequence[Evaluation]) -> list[str]:
    """The metrics that any of the evaluations has, those gated anywhere first."""
    names = dict.fromkeys(name for each in evaluations for name in each.metrics)
    return sorted(names, key=lambda name: not _is_gated(name, evaluations))


def _recorded(name: str, evaluations: Sequence[Evaluation]) -> Table:
    rows = tuple(
        Row((each.dataset, *_cells(each, each.metrics[name])), _style(each, each.metrics[name]))
        for each in evaluations
        if name in each.metrics
    )
    return Table(f"{name}, recorded only", (_DATASET, *_NUMBERS, _VERDICT), rows)


def _is_gated(name: str, evaluations: Sequence[Evaluation]) -> bool:
    return any(each.metrics[name].gated for each in evaluations if name in each.metrics)


def _cells(evaluation: Evaluation, metric: MetricVerdict | None) -> Iterator[str]:
    """The numbers and the verdict of one metric; dashes where nothing was measured."""
    if metric is None:
        yield from ["–"] * len(_NUMBERS)
        yield evaluation.verdict
        return
    comparison, before, _ = tested(metric)
    yield score(before) + ("*" if _is_against_anchor(metric) else "")
    yield score(metric.now)
    if comparison is None:
        yield from ["–"] * 3
    else:
        yield change(comparison.delta)
        yield change(comparison.lower)
        yield probability(side(comparison), metric.alpha)
    yield _judged(evaluation)
    yield _verdict(evaluation, metric)


def _judged(evaluation: Evaluation) -> str:
    """The share of the top ten that is judged, and what it was where that differs: `10→8 %`."""
    now, before = evaluation.judged_at_10
    if now is None:
        return "–"
    shown = share(now)
    if before is None or share(before) == shown:
        return shown
    return f"{100 * before:.0f}→{shown}"


def _verdict(evaluation: Evaluation, metric: MetricVerdict) -> str:
    if not metric.gated:
        return "suspect" if f"suspect:{metric.metric}" in evaluation.flags else ""
    # A dataset may be refused as a whole, whatever its metrics say.
    is_own = any(each.verdict == evaluation.verdict for each in evaluation.metrics.values())
    if not is_own or metric.verdict == evaluation.verdict:
        return verdict_word(evaluation)
    return metric.verdict or "–"


def _style(evaluation: Evaluation, metric: MetricVerdict | None) -> Style:
    if metric is None:
        return style(evaluation)
    if metric.gated:
        return metric_style(evaluation, metric)
    return "yellow" if _verdict(evaluation, metric) == "suspect" else "dim"


def _is_against_anchor(metric: MetricVerdict | None) -> bool:
    return metric is not None and tested(metric)[2] == "anchor"
