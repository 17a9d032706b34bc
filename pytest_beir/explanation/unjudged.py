"""Unjudged documents of the top tens, to be listed for somebody who can judge them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_beir.explanation.pool import Qrels, TopTen


@dataclass(frozen=True)
class ToJudge:
    """A pair of query and document to judge, with its ranks now and before (None: below ten)."""

    query: str
    document: str
    rank: int | None
    baseline_rank: int | None


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
