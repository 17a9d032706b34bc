"""The best documents of one answer, in the order that scoring uses.

Scoring comes after retrieval and states the same order for itself; a test holds the two together.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def best_first(scores: Mapping[str, float], depth: int | None = None) -> dict[str, float]:
    """The best `depth` documents (all without it) with their scores, best first.

    Scores compare as 32-bit floats, equal ones by descending id, both as trec_eval compares.
    """
    single = dict(zip(scores, array("f", scores.values()), strict=True))
    ids = sorted(sorted(single, reverse=True), key=single.__getitem__, reverse=True)
    return {document: scores[document] for document in ids[:depth]}
