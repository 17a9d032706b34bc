"""The baseline that follows: which columns stay, and which become today's scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import Baseline, History
from pytest_beir.baselines.comparability import comparable
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Acceptance
    from pytest_beir.baselines.update import Update
    from pytest_beir.datasets.dataset import DatasetIdentity
    from pytest_beir.scoring.scorer import Scores


def first_baseline(
    retriever: str,
    scores: Scores,
    identity: DatasetIdentity,
    definitions: Mapping[str, str],
    *,
    accepted: Acceptance,
    versions: Mapping[str, str | None],
    same_text: tuple[tuple[str, ...], ...] = (),
    recorded: Mapping[str, str] | None = None,
    second: Scores | None = None,
) -> Baseline:
    """Scores in the form of a baseline that has no history: both vectors are theirs."""
    metrics = [metric for metric in scores.values if metric != JUDGED]
    columns = {metric: dict(scores.values[metric]) for metric in (*metrics, JUDGED)}
    return Baseline(
        retriever=retriever,
        identity=identity,
        definitions={metric: definitions[metric] for metric in columns if metric in definitions},
        scores=replace(scores, values=columns),
        anchor={metric: columns[metric] for metric in metrics},
        history=History(accepted, dict.fromkeys(metrics, accepted), dict(versions)),
        same_text=same_text,
        recorded=dict(recorded or {}),
        second=second,
    )


def next_baseline(old: Baseline | None, new: Baseline, update: Update) -> Baseline:
    """The baseline after `update`, `new` being today's scores as a first baseline.

    The current columns move together, with the top tens and judged ranks; the anchor columns
    likewise. A metric that the old baseline lacks, or defines otherwise, gets today's scores in
    both vectors; one that is no longer recorded leaves when the current columns move.

    Raises:
        ValueError: One vector should stay though the two do not compare, or nothing should move.

    """
    new = replace(new, second=None)
    if not (update.current or update.anchor):
        raise ValueError("an update that replaces neither vector")
    if old is None or comparable(old, new.identity, {}).reasons:
        if not (update.current and update.anchor):
            raise ValueError("without a comparable baseline both vectors are new")
        kept: Baseline | None = None
    else:
        kept = old
    updates = old.history.updates + 1 if old else 1
    if kept is None or (update.current and update.anchor):
        return replace(new, history=replace(new.history, updates=updates))
    # What stays in C's place is the old baseline; of the anchors, those that today may not replace.
    home = new if update.current else kept
    renewed = {metric for metric in home.metrics if _is_renewed(metric, kept, new, update)}
    anchor = {m: (new if m in renewed else kept).anchor[m] for m in home.metrics}
    origins = {m: (new if m in renewed else kept).history.anchors[m] for m in home.metrics}
    return replace(
        home,
        retriever=new.retriever,
        anchor=anchor,
        history=replace(home.history, anchors=origins, updates=updates),
    )


def _is_renewed(metric: str, old: Baseline, new: Baseline, update: Update) -> bool:
    same = (
        metric in old.anchor
        and metric in new.anchor
        and old.definitions.get(metric) == new.definitions.get(metric)
    )
    # An anchor under another definition is none; and beside a C that stays, nothing else may stand.
    return not same if update.current else same
