"""Why a score moved: documents that left the top 100, or their order within it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, TypeAlias

from pytest_beir.explanation.loss_pattern import loss
from pytest_beir.gate.strata import query_weights
from pytest_beir.scoring.measures import parse_metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.explanation.loss_pattern import Enrichment

Grades: TypeAlias = Mapping[str, int]
Ranked: TypeAlias = Iterable[tuple[int, str]]
"""(rank, document id) of every judged document in a query's top 100."""

_LARGEST_LOSERS = 3


@dataclass(frozen=True)
class Split:
    """One query's change in two parts that add up to it.

    `recall` comes from documents that are absent from one of the two top hundreds, `order` from
    all others.
    """

    recall: float
    order: float


@dataclass(frozen=True)
class Diagnosis:
    """What a change of one metric consists of, effects in metric units.

    `recall` and `order` add up to `delta`, the mean change over `n` queries; both are None for a
    metric that is not a sum over documents (RR, Success). `largest_losers_share` is what the
    three largest losers carry of the whole loss, None where nothing was lost. `left` and
    `entered` count the relevant documents that only one of the two top hundreds holds, `fell` and
    `rose` those that changed their rank within it. Of those that left, `gone` are no longer in the
    corpus, so that no search can find them. `deepest` are the ranks of the deepest judged
    document before and now, None without any; `beyond` counts the judged documents that stood
    deeper than any does now. `enrichments` are the features that the loss gathers in, if these
    were looked for (`loss_pattern.enrichments`).
    """

    metric: str
    n: int
    delta: float
    recall: float | None
    order: float | None
    worse: int
    better: int
    largest_losers_share: float | None
    left: int
    entered: int
    fell: int
    rose: int
    deepest: tuple[int | None, int | None]
    beyond: int
    gone: int = 0
    enrichments: tuple[Enrichment, ...] = ()


def diagnose(
    metric: str,
    qrels: Mapping[str, Grades],
    scores: tuple[Mapping[str, float], Mapping[str, float]],
    judged: tuple[Mapping[str, Ranked], Mapping[str, Ranked]],
    *,
    strata: Sequence[str] = (),
    is_gone: Callable[[str, str], bool] = lambda _query, _document: False,
) -> Diagnosis:
    """The change of a metric from one ranking to another, taken apart.

    `scores` are the metric's before and now, by query; `judged` the judged documents' ranks that
    they come from. Strata (`android`, …) weigh alike, as in the comparison. `is_gone` says of a
    query and a document whether that query's corpus holds it no more.
    """
    before, now = scores
    weights = query_weights(before, strata)
    old, new = ({query: _ranks(ranked.get(query, ())) for query in weights} for ranked in judged)
    parts = [
        (weight, split)
        for query, weight in weights.items()
        if (split := split_change(metric, qrels[query], old[query], new[query])) is not None
    ]
    losses = [weight * loss(before[query], now[query]) for query, weight in weights.items()]
    lost = [each for each in losses if each > 0]
    moves = _moves(qrels, old, new, is_gone)
    old_deepest, deepest = _deepest(old), _deepest(new)
    return Diagnosis(
        metric=metric,
        n=len(weights),
        delta=math.fsum(weight * (now[query] - before[query]) for query, weight in weights.items()),
        recall=math.fsum(weight * part.recall for weight, part in parts) if parts else None,
        order=math.fsum(weight * part.order for weight, part in parts) if parts else None,
        worse=len(lost),
        better=sum(each < 0 for each in losses),
        largest_losers_share=sum(nlargest(_LARGEST_LOSERS, lost)) / sum(lost) if lost else None,
        left=moves["left"],
        entered=moves["entered"],
        fell=moves["fell"],
        rose=moves["rose"],
        deepest=(old_deepest, deepest),
        beyond=sum(rank > (deepest or 0) for ranks in old.values() for rank in ranks.values()),
        gone=moves["gone"],
    )


def split_change(
    metric: str, grades: Grades, before: Mapping[str, int], now: Mapping[str, int]
) -> Split | None:
    """One query's change, taken apart; None for a metric that is not a sum over documents.

    `before` and `now` map the judged documents of the two top hundreds to their ranks. A relevant
    document counts by what its share of the metric (discounted gain over the ideal) changed.
    """
    worth = parse_metric(metric).worth([grade for grade in grades.values() if grade > 0])
    if worth is None:
        return None
    cutoff = parse_metric(metric).cutoff or math.inf
    recall: list[float] = []
    order: list[float] = []
    for document, grade in grades.items():
        if grade <= 0 or (document not in before and document not in now):
            continue
        now_worth, was_worth = (
            worth(grade, rank) if rank is not None and rank <= cutoff else 0.0
            for rank in (now.get(document), before.get(document))
        )
        change = now_worth - was_worth
        (order if document in before and document in now else recall).append(change)
    return Split(math.fsum(recall), math.fsum(order))


def _ranks(ranked: Ranked) -> dict[str, int]:
    return {document: rank for rank, document in ranked}


def _moves(
    qrels: Mapping[str, Grades],
    old: Mapping[str, Mapping[str, int]],
    new: Mapping[str, Mapping[str, int]],
    is_gone: Callable[[str, str], bool],
) -> Counter[str]:
    """How many relevant documents left or entered the top 100, fell or rose within it."""
    moves: Counter[str] = Counter()
    for query, before in old.items():
        now, grades = new[query], qrels[query]
        for document in {**before, **now}:
            if grades.get(document, 0) <= 0:
                continue
            if document not in now:
                moves["left"] += 1
                moves["gone"] += is_gone(query, document)
            elif document not in before:
                moves["entered"] += 1
            elif now[document] != before[document]:
                moves["fell" if now[document] > before[document] else "rose"] += 1
    return moves


def _deepest(ranks: Mapping[str, Mapping[str, int]]) -> int | None:
    return max((rank for each in ranks.values() for rank in each.values()), default=None)
