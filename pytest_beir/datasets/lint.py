"""What may be wrong with a dataset: errors that stop a reading, warnings that are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, NoReturn

from pytest_beir.errors import DatasetError
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    Qrels = Mapping[str, Mapping[str, int]]

Report = Callable[[DatasetError], None]
"""Where a reader puts an error; it goes on reading unless the receiver raises."""

_CUTOFF = 10


@dataclass(frozen=True)
class Notice:
    """One warning: a stable code, how many are concerned, the text with that number in it."""

    code: str
    count: int
    message: str

    def __str__(self) -> str:
        return self.message


def stop(problem: DatasetError) -> NoReturn:
    """Raise the problem: what loading does with the first error.

    Raises:
        DatasetError: always, with file, line and message.

    """
    raise problem


def corpus_notices(empty: int, repeated: int) -> Iterator[Notice]:
    """Say how many documents hold no text, and how many repeat an earlier one."""
    if empty:
        yield Notice(
            "empty-documents",
            empty,
            f"{plural(empty, 'document')} without title and text; they cannot be found by content",
        )
    if repeated:
        yield Notice(
            "duplicate-texts",
            repeated,
            f"{plural(repeated, 'document')} with the title and text of an earlier one; "
            "only one of such twins may be judged",
        )


def query_notices(empty: int, unjudged: int) -> Iterator[Notice]:
    """Say how many queries are blank, and how many nobody judged."""
    if empty:
        yield Notice("empty-queries", empty, f"{plural(empty, 'query')} without text")
    if unjudged:
        yield Notice(
            "unjudged-queries",
            unjudged,
            f"{plural(unjudged, 'query')} without any judgement; they are never sent",
        )


def qrels_notices(files: Mapping[str, Qrels], queries: Collection[str]) -> Iterator[Notice]:
    """Say which judgements cannot count: of unknown queries, or of none that is relevant.

    `files` maps what is named in the text (nothing if it is "") to its judgements.
    """
    lost, orphans = 0, 0
    barren = 0
    for qrels in files.values():
        for query, grades in qrels.items():
            if query not in queries:
                lost += len(grades)
                orphans += 1
            elif max(grades.values()) <= 0:
                barren += 1
    if lost:
        yield Notice(
            "judgements-without-queries",
            lost,
            f"{plural(lost, 'judgement')} of {plural(orphans, 'query')} that the file "
            "of queries does not hold; they are left out",
        )
    if barren:
        yield Notice(
            "nothing-relevant",
            barren,
            f"{plural(barren, 'judged query')} without a relevant document; "
            "every system scores 0 there",
        )


def missing_notices(files: Mapping[str, Qrels], corpus: Collection[str]) -> Iterator[Notice]:
    """Say how many judged documents the corpus lacks, and what nDCG@10 is left to reach."""
    missing: set[str] = set()
    rows = 0
    limits = []
    for name, qrels in files.items():
        absent = [
            document for grades in qrels.values() for document in grades if document not in corpus
        ]
        if absent:
            missing.update(absent)
            rows += len(absent)
            place = f" in {name}" if name else ""
            limits.append(f"{ceiling(qrels, set(absent)):.4f}{place}")
    if missing:
        yield Notice(
            "judged-documents-missing",
            len(missing),
            f"{plural(len(missing), 'judged document')} ({plural(rows, 'judgement')}) not in the "
            f"corpus; nDCG@10 cannot exceed {', '.join(limits)}",
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
