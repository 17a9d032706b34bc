"""An evaluation as a baseline: what an update writes, and the line that tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.baselines.next_baseline import next_baseline
from pytest_beir.baselines.update import Update
from pytest_beir.errors import BaselineError
from pytest_beir.reports.numbers import score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Acceptance, Baseline
    from pytest_beir.evaluation.evaluation import Evaluation


def updated(
    old: Baseline | None,
    evaluation: Evaluation,
    update: Update,
    *,
    accepted: Acceptance,
    versions: Mapping[str, str | None],
) -> Baseline:
    """The baseline that follows `old` once `update` has put the evaluation's scores into it."""
    if evaluation.scores is None or evaluation.identity is None:
        raise BaselineError(f"{evaluation.dataset}: nothing was scored")
    return next_baseline(
        old,
        evaluation.scores,
        update,
        retriever=evaluation.retriever,
        identity=evaluation.identity,
        definitions=evaluation.definitions,
        accepted=accepted,
        versions=versions,
    )


def as_measured(
    evaluation: Evaluation, *, accepted: Acceptance, versions: Mapping[str, str | None]
) -> Baseline:
    """The evaluation's scores in the form of a baseline, as a report holds them in `scores/`."""
    both = Update("new", current=True, anchor=True)
    return updated(None, evaluation, both, accepted=accepted, versions=versions)


def update_line(old: Baseline | None, evaluation: Evaluation, category: str) -> str:
    """What was written, old to new: `scifact: improved, nDCG@10 .651 → .672`."""
    moves = []
    for metric in evaluation.metrics.values():
        if metric.gated:
            before = f"{score(metric.baseline)} → " if old and metric.baseline is not None else ""
            moves.append(f"{metric.metric} {before}{score(metric.now)}")
    return f"{evaluation.dataset}: {category}, {', '.join(moves)}"
