"""A strict flag in words: what it says of the dataset or the run that it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.zero_shot import status
from pytest_beir.reports.flags import meaning
from pytest_beir.reports.numbers import change, limit, score
from pytest_beir.reports.wording import evidence, one_line, update
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.run import Complaint

_DIFFERS = "differs from the catalogue"


def complaint_line(complaint: Complaint, command: str = "pytest --beir") -> str:
    """The complaint in one line: `drift: docs: nDCG@10 −.041 against the anchor (.652 → .611), …`.

    `command` is what was run, and what a remedy adds its options to.
    """
    found = complaint.evaluation
    if found is None:
        told = complaint.reason
    else:
        told = f"{found.dataset}: {_told(complaint.name, found, command)}"
    return clean(f"{complaint.name}: {told}").replace("\N{NO-BREAK SPACE}", " ")


def _told(name: str, evaluation: Evaluation, command: str) -> str:
    if name.startswith("suspect:"):
        return evidence(evaluation.metrics[name.partition(":")[2]])
    told = ""
    if name == "drift":
        drifted = (each for each in evaluation.metrics.values() if name in each.flags)
        told = "; ".join(map(_drift, drifted))
    elif name == "contaminated":
        told = status(evaluation.dataset, evaluation.trained_on).reason
    elif name == "differs-from-catalogue":
        told = "; ".join(text for text in evaluation.warnings if _DIFFERS in text)
    elif name == "stale-baseline":
        remedy = f": {update(command)}" if command else ""
        told = f"{one_line(evaluation)}; {meaning(name)}{remedy}"
    elif name != "corpus-changed":
        told = one_line(evaluation, command)
    return told or meaning(name)


def _drift(metric: MetricVerdict) -> str:
    older = metric.against_anchor or metric.current
    delta = None if older is None else older.delta
    margin = None if older is None else older.margin
    return (
        f"{metric.metric} {change(delta)} against the anchor ({score(metric.anchor)} → "
        f"{score(metric.now)}), at least half the margin {limit(margin)}"
    )
