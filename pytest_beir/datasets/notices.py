"""Warnings about a dataset that can be used as it is, each with a count and what it means."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from pytest_beir.datasets.problem import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    Qrels = Mapping[str, Mapping[str, int]]

_CUTOFF = 10


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def corpus_notices(empty: int, repeated: int) -> Iterator[Notice]:
    """Say how many documents hold no text, and how many repeat an earlier one."""
    if empty:
        yield Notice(
            "empty-documents",
            empty,
            f"{_count(empty, 'document')} without title and text; they cannot be found by content",
        )
    if repeated:
        yield Notice(
            "duplicate-texts",
            repeated,
            f"{_count(repeated, 'document')} with the title and text of an earlier one; "
            "only one of such twins may be judged",
        )


def query_notices(empty: int, unjudged: int) -> Iterator[Notice]:
    """Say how many queries are blank, and how many nobody judged."""
    if empty:
        yield Notice(
            "empty-queries",
            empty,
            f"{_count(empty, 'judged query', 'judged queries')} without text",
        )
    if unjudged:
        yield Notice(
            "unjudged-queries",
            unjudged,
            f"{_count(unjudged, 'query', 'queries')} without any judgement; they are never sent",
        )


def qrels_notices(qrels: Qrels, queries: Collection[str]) -> Iterator[Notice]:
    """Say which judgements cannot count: of unknown queries, or of none that is relevant."""
    lost = [len(grades) for query, grades in qrels.items() if query not in queries]
    if lost:
        yield Notice(
            "judgements-without-queries",
            sum(lost),
            f"{_count(sum(lost), 'judgement')} of {_count(len(lost), 'query', 'queries')} "
            "that the file of queries does not hold; they are left out",
        )
    barren = sum(max(grades.values()) <= 0 for query, grades in qrels.items() if query in queries)
    if barren:
        yield Notice(
            "nothing-relevant",
            barren,
            f"{_count(barren, 'judged query', 'judged queries')} without a relevant document; "
            "every system scores 0 there",
        )


def missing_notice(qrels: Qrels, corpus: Collection[str]) -> Notice | None:
    """Say how many judged documents the corpus lacks, and what nDCG@10 is left to reach."""
    missing: set[str] = set()
    rows = 0
    for grades in qrels.values():
        absent = [document for document in grades if document not in corpus]
        missing.update(absent)
        rows += len(absent)
    if not missing:
        return None
    return Notice(
        "judged-documents-missing",
        len(missing),
        f"{_count(len(missing), 'judged document')} ({_count(rows, 'judgement')}) not in the "
        f"corpus; nDCG@10 cannot exceed {ceiling(qrels, missing):.4f}",
    )


def ceiling(qrels: Qrels, missing: Collection[str]) -> float:
    """Give the mean nDCG@10 of the best rankings that do without the missing documents.

    Gain is the grade, the ideal counts all judgements (as trec_eval does); a query without a
    relevant document has 0.
    """
    total = 0.0
    for grades in qrels.values():
        ideal = _gain(grades.values())
        if ideal > 0:
            there = [grade for document, grade in grades.items() if document not in missing]
            total += _gain(there) / ideal
    return total / len(qrels)


def _gain(grades: Iterable[int]) -> float:
    ranked = sorted((grade for grade in grades if grade > 0), reverse=True)
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(ranked[:_CUTOFF], 1))
