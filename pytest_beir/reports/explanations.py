"""What explains a dataset's result, in labelled sentences: cause, pool, groups, pins, noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_beir.reports.diagnosis import sentences
from pytest_beir.reports.groups import group_line
from pytest_beir.reports.noise import repeats_line
from pytest_beir.reports.pool import pool_line
from pytest_beir.reports.power import first_words
from pytest_beir.reports.wording import evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.text_layout import Style


class Remark(NamedTuple):
    """One sentence about a dataset, what it is about, and how it is to be shown."""

    label: str
    text: str
    style: Style


def explanations(evaluation: Evaluation, *, counts: bool = True) -> Iterator[Remark]:
    """What there is to say beside the numbers; with `counts` the diagnosis repeats who lost."""
    found = evaluation.explanation
    for check in evaluation.missed:
        label = "pinned" if check.kind == "pin" else check.kind
        yield Remark(label, check.message.removeprefix("pinned ").removeprefix("floor: "), "red")
    for metric in evaluation.gated_groups:
        if metric.verdict == "regressed":
            yield Remark("group", evidence(metric), "red")
    if found.diagnosis is not None:
        text = "; ".join(sentences(found.diagnosis, counts=counts))
        yield Remark("cause", text, "plain")
    pool = pool_line(evaluation.pool, found.bounds) if evaluation.pool is not None else None
    if pool:
        yield Remark("pool", pool, "yellow")
    yield from _circumstances(evaluation)


def _circumstances(evaluation: Evaluation) -> Iterator[Remark]:
    """What holds whether or not anything dropped."""
    if evaluation.noise:
        style: Style = "yellow" if evaluation.varying else "dim"
        yield Remark("repeated", repeats_line(evaluation.noise, evaluation.varying), style)
    if evaluation.explanation.groups:
        lines = map(group_line, evaluation.explanation.groups)
        yield Remark("groups", "; ".join(lines), "dim")
    level = next((m.level for m in evaluation.metrics.values() if m.level is not None), None)
    if evaluation.verdict == "no baseline" and level is not None:
        words = first_words(evaluation.queries, alpha=level, margin=evaluation.margin)
        if words:
            yield Remark("can see", words, "yellow")
