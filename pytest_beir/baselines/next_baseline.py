"""The baseline that follows: which columns stay, and which become today's scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import Baseline, History
from pytest_beir.baselines.comparability import comparable
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Acceptance, Identity
    from pytest_beir.baselines.update import Update
    from pytest_beir.scoring.scorer import Scores


def next_baseline(
    old: Baseline | None,
    scores: Scores,
    update: Update,
    *,
    retriever: str,
    identity: Identity,
    definitions: Mapping[str, str],
    accepted: Acceptance,
    versions: Mapping[str, str | None],
) -> Baseline:
    """The baseline after `update`, `scores` being today's over `identity`.

    The current columns move together, with `top10` and `judged`; the anchor columns likewise. A
    metric that the old baseline lacks, or defines otherwise, gets today's scores in both vectors;
    one that is no longer recorded leaves when the current columns move. ValueError if one vector
    should stay though the two do not compare, or if nothing should move.
    """
    if not (update.current or update.anchor):
        raise ValueError("an update that replaces neither vector")
    if old is None or comparable(old, identity, {}).reasons:
        if not (update.current and update.anchor):
            raise ValueError("without a comparable baseline both vectors are new")
        kept: Baseline | None = None
    else:
        kept = old
    new = _of_today(
        scores,
        retriever=retriever,
        identity=identity,
        definitions=definitions,
        accepted=accepted,
        versions=versions,
    )
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
        retriever=retriever,
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


def _of_today(
    scores: Scores,
    *,
    retriever: str,
    identity: Identity,
    definitions: Mapping[str, str],
    accepted: Acceptance,
    versions: Mapping[str, str | None],
) -> Baseline:
    metrics = [metric for metric in scores.values if metric != JUDGED]
    columns = {metric: dict(scores.values[metric]) for metric in (*metrics, JUDGED)}
    return Baseline(
        retriever,
        identity,
        {metric: definitions[metric] for metric in columns if metric in definitions},
        columns,
        {metric: columns[metric] for metric in metrics},
        {query: tuple(ids) for query, ids in scores.top10.items()},
        {query: tuple(pairs) for query, pairs in scores.judged.items()},
        History(accepted, dict.fromkeys(metrics, accepted), dict(versions)),
    )
