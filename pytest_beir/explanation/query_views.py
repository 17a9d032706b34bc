"""The queries that moved most, with both top tens in full, as a reader wants to see them."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest, nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.scoring.scorer import Scores

_WORST = 5
_BEST = 3
_LONGEST = 120  # characters of a text that stands for a title


@dataclass(frozen=True)
class RankedDocument:
    """A document of a top ten; `grade` is None where nobody has judged it for the query."""

    id: str
    title: str
    grade: int | None


@dataclass(frozen=True)
class QueryView:
    """A query that moved, with its top ten in the baseline (`old`) and now (`new`)."""

    query: str
    text: str
    before: float
    now: float
    old: tuple[RankedDocument, ...]
    new: tuple[RankedDocument, ...]


def query_views(
    before: Scores, now: Scores, metric: str, dataset: Dataset
) -> tuple[QueryView, ...]:
    """The five queries that lost most in `metric`, then the three that gained most."""
    old, new = before.values.get(metric, {}), now.values[metric]
    moves = [(round(new[query] - old[query], 4), query) for query in new if query in old]
    worst = nsmallest(_WORST, (move for move in moves if move[0] < 0))
    best = nlargest(_BEST, (move for move in moves if move[0] > 0))
    return tuple(
        QueryView(
            query=query,
            text=dataset.queries[query],
            before=old[query],
            now=new[query],
            old=tuple(_ranked(dataset, query, before.top10.get(query, ()))),
            new=tuple(_ranked(dataset, query, now.top10.get(query, ()))),
        )
        for _, query in [*worst, *best]
    )


def _ranked(dataset: Dataset, query: str, documents: Sequence[str]) -> Iterator[RankedDocument]:
    grades = dataset.qrels[query]
    for document in documents:
        yield RankedDocument(document, title(dataset, query, document), grades.get(document))


def title(dataset: Dataset, query: str, document: str) -> str:
    """The document's title, else how its text begins; a forum's query names its forum first."""
    part = dataset
    if dataset.members:
        member = query.split("/", 1)[0]
        part = next(each for each in dataset.members if each.name == f"{dataset.name}/{member}")
    if part.corpus is None or document not in part.corpus:
        return ""
    found = part.corpus[document]
    return found["title"] or found["text"][:_LONGEST]
