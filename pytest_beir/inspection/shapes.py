"""The shapes of the catalogue's datasets, in the terms of a user's profile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pytest_beir.datasets.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.datasets.catalog import Entry, MeasuredShape


@dataclass(frozen=True)
class Shape:
    """What one dataset of the catalogue looks like, in the terms of a `Profile`; None: unknown.

    `bm25` is a published nDCG@10 on the whole corpus.
    """

    name: str
    title: str
    documents: int
    query_words: float | None
    document_words: float | None
    relevant: float | None
    is_graded: bool | None
    asking: float
    query_codes: float
    overlap: float | None
    bm25: float
    domains: Mapping[str, float]


@cache
def load_shapes() -> tuple[Shape, ...]:
    """The shapes of MS MARCO and the zero-shot datasets, in the catalogue's order.

    Samples (NanoBEIR) have the shapes of what they sample, and bundled collections are made up:
    neither says anything of its own.
    """
    entries = load_catalog().entries.values()
    return tuple(_shape(entry, entry.shape) for entry in entries if entry.shape is not None)


def _shape(entry: Entry, measured: MeasuredShape) -> Shape:
    grades = {int(grade): count for grade, count in entry.grades.items()}
    positive = {grade: count for grade, count in grades.items() if grade > 0}
    return Shape(
        name=entry.name,
        title=entry.title,
        documents=entry.documents,
        query_words=entry.mean_query_words,
        document_words=entry.mean_document_words,
        relevant=sum(positive.values()) / entry.queries if positive else measured.relevant,
        is_graded=len(positive) > 1 if positive else None,
        asking=measured.asking,
        query_codes=measured.query_codes,
        overlap=measured.overlap,
        bm25=measured.bm25,
        domains=measured.domains,
    )
