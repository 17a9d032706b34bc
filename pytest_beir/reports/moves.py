"""Which of a losing query's documents to show: those whose move cost the most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.explanation.worst_queries import MovedDocument

_SHOWN = 5


def costliest(documents: Sequence[MovedDocument]) -> tuple[list[MovedDocument], int]:
    """The documents that lost most by their move, and how many others there are.

    A move costs the document's grade times the change of its discount, 1 / log2(rank + 1).
    """
    ordered = sorted(documents, key=lambda each: (-_cost(each), each.id))
    return ordered[:_SHOWN], max(len(ordered) - _SHOWN, 0)


def _cost(document: MovedDocument) -> float:
    return document.grade * (_discount(document.old_rank) - _discount(document.new_rank))


def _discount(rank: int | None) -> float:
    return 0.0 if rank is None else 1.0 / math.log2(rank + 1)
