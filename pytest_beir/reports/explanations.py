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

    from pytest_beir.evaluation.evaluation import Evaluation
    from pytest_beir.text_layout import Style


class Explanation(NamedTuple):
    """One sentence about a dataset, what it is about, and how it is to be shown."""

    label: str
    text: str
    style: Style


def explanations(evaluation: Evaluation, *, counts: bool = True) -> Iterator[Explanation]:
    """What there is to say beside the numbers; with `counts` the diagnosis repeats who lost."""
    findings = evaluation.findings
    for message in findings.broken_pins:
        yield Explanation("pinned", message.removeprefix("pinned "), "red")
    for metric in findings.gated_groups:
        if metric.verdict == "regressed":
            yield Explanation("group", evidence(metric), "red")
    if findings.diagnosis is not None:
        text = "; ".join(sentences(findings.diagnosis, counts=counts))
        yield Explanation("cause", text, "plain")
    pool = pool_line(findings.pool, findings.bounds) if findings.pool is not None else None
    if pool:
        yield Explanation("pool", pool, "yellow")
    yield from _circumstances(evaluation)


def _circumstances(evaluation: Evaluation) -> Iterator[Explanation]:
    """What holds whether or not anything dropped."""
    findings = evaluation.findings
    if findings.noise:
        style: Style = "yellow" if findings.varying else "dim"
        yield Explanation("repeated", repeats_line(findings.noise, findings.varying), style)
    if findings.groups:
        yield Explanation("groups", "; ".join(map(group_line, findings.groups)), "dim")
    level = next((m.level for m in evaluation.metrics.values() if m.level is not None), None)
    if evaluation.verdict == "no baseline" and level is not None:
        words = first_words(evaluation.queries, alpha=level, margin=evaluation.margin)
        if words:
            yield Explanation("can see", words, "yellow")
