"""The queries that lost most, and where their relevant documents went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.scored import Scored

_SHOWN = 5


@dataclass(frozen=True)
class MovedDocument:
    """A relevant document of a losing query; ranks from 1, None beyond the top 100."""

    id: str
    title: str
    grade: int
    old_rank: int | None
    new_rank: int | None


@dataclass(frozen=True)
class Loser:
    """A query that lost, with the ranks of its relevant documents before and now."""

    query: str
    text: str
    before: float
    now: float
    documents: tuple[MovedDocument, ...]


def losers_of(scored: Scored, baseline: Baseline, metric: str) -> tuple[Loser, ...]:
    """The five queries with the largest loss in `metric` against the current baseline.

    Of each, every relevant document that either ranking holds in its top 100.
    """
    before = baseline.current.get(metric, {})
    now = scored.scores.values[metric]
    lost = sorted(
        (round(now[query] - before[query], 4), query)
        for query in now
        if query in before and now[query] < before[query]
    )
    return tuple(
        _loser(scored, baseline, query, before[query], now[query])
        for change, query in lost[:_SHOWN]
        if change < 0
    )


def _loser(scored: Scored, baseline: Baseline, query: str, before: float, now: float) -> Loser:
    old = _ranks(baseline.judged.get(query, ()))
    new = _ranks(scored.scores.judged[query])
    grades = scored.dataset.qrels[query]
    relevant = [document for document in {**old, **new} if grades.get(document, 0) > 0]
    documents = [
        MovedDocument(
            id=document,
            title=_title(scored, query, document),
            grade=grades[document],
            old_rank=old.get(document),
            new_rank=new.get(document),
        )
        for document in relevant
    ]
    return Loser(query, scored.dataset.queries[query], before, now, tuple(documents))


def _ranks(judged: Iterable[tuple[int, str]]) -> dict[str, int]:
    return {document: rank for rank, document in judged}


def _title(scored: Scored, query: str, document: str) -> str:
    """The document's title, where there is a corpus; a forum's query names its forum first."""
    dataset = scored.dataset
    part = dataset
    if dataset.members:
        member = query.split("/", 1)[0]
        part = next(each for each in dataset.members if each.name == f"{dataset.name}/{member}")
    if part.corpus is None or document not in part.corpus:
        return ""
    return part.corpus[document]["title"]
