"""The queries that lost most, and where their relevant documents went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.scoring.scorer import Scores

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
class QueryLoss:
    """A query that lost, with the ranks of its relevant documents before and now.

    Where the dataset is not at hand, `text` is empty and there are no `documents`.
    """

    query: str
    text: str
    before: float
    now: float
    documents: tuple[MovedDocument, ...] = ()


def worst_queries(
    before: Scores, now: Scores, metric: str, dataset: Dataset | None = None
) -> tuple[QueryLoss, ...]:
    """The five queries with the largest loss in `metric`.

    Of each, every relevant document that either ranking holds in its top 100.
    """
    old, new = before.values.get(metric, {}), now.values[metric]
    lost = sorted(
        (round(new[query] - old[query], 4), query)
        for query in new
        if query in old and new[query] < old[query]
    )
    return tuple(
        QueryLoss(query, "", old[query], new[query])
        if dataset is None
        else QueryLoss(
            query,
            dataset.queries[query],
            old[query],
            new[query],
            tuple(_moved(dataset, before, now, query)),
        )
        for change, query in lost[:_SHOWN]
        if change < 0
    )


def _moved(dataset: Dataset, before: Scores, now: Scores, query: str) -> Iterable[MovedDocument]:
    old, new = _ranks(before.judged.get(query, ())), _ranks(now.judged[query])
    grades = dataset.qrels[query]
    for document in {**old, **new}:
        if grades.get(document, 0) > 0:
            yield MovedDocument(
                id=document,
                title=_title(dataset, query, document),
                grade=grades[document],
                old_rank=old.get(document),
                new_rank=new.get(document),
            )


def _ranks(judged: Iterable[tuple[int, str]]) -> dict[str, int]:
    return {document: rank for rank, document in judged}


def _title(dataset: Dataset, query: str, document: str) -> str:
    """The document's title, where there is a corpus; a forum's query names its forum first."""
    part = dataset
    if dataset.members:
        member = query.split("/", 1)[0]
        part = next(each for each in dataset.members if each.name == f"{dataset.name}/{member}")
    if part.corpus is None or document not in part.corpus:
        return ""
    return part.corpus[document]["title"]
