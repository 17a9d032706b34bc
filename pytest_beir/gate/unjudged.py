"""Unjudged documents of the top tens, to be listed for somebody who can judge them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.gate.pool import Qrels, TopTen


@dataclass(frozen=True)
class Unjudged:
    """A document that stands in top tens though nothing judges it there."""

    document: str
    queries: tuple[str, ...]
    best_rank: int


@dataclass(frozen=True)
class ToJudge:
    """A pair of query and document to judge, with its ranks now and before (None: below ten)."""

    query: str
    document: str
    rank: int | None
    baseline_rank: int | None


def unjudged_documents(
    qrels: Qrels, top10: TopTen, *, strata: Sequence[str] = ()
) -> tuple[Unjudged, ...]:
    """The unjudged documents of the top tens: those of most queries first, then by best rank.

    With strata a document bears the name of its part (`android/77`), as its queries do.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for query, documents in top10.items():
        part = f"{query.partition('/')[0]}/" if strata else ""
        for rank, document in enumerate(documents, 1):
            if document not in qrels[query]:
                found.setdefault(part + document, []).append((rank, query))
    listed = [
        Unjudged(document, tuple(sorted(query for _, query in places)), min(places)[0])
        for document, places in found.items()
    ]
    return tuple(sorted(listed, key=lambda u: (-len(u.queries), u.best_rank, u.document)))


def to_judge(qrels: Qrels, before: TopTen, now: TopTen) -> tuple[ToJudge, ...]:
    """What somebody should judge before the two runs can be told apart, highest ranks first."""
    rows = []
    for query, grades in qrels.items():
        old, new = (
            {document: rank for rank, document in enumerate(side.get(query, ()), 1)}
            for side in (before, now)
        )
        rows += [
            ToJudge(query, document, new.get(document), old.get(document))
            for document in {**new, **old}
            if document not in grades
        ]
    return tuple(sorted(rows, key=lambda row: (_best_rank(row), row.query, row.document)))


def _best_rank(row: ToJudge) -> int:
    return min(rank for rank in (row.rank, row.baseline_rank) if rank is not None)
