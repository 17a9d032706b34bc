"""What may be wrong with a dataset: errors that stop a reading, warnings that are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, NoReturn

from pytest_beir.errors import DatasetError
from pytest_beir.phrasing import plural, shortened

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    Qrels = Mapping[str, Mapping[str, int]]

Report = Callable[[DatasetError], None]
"""Where a reader puts an error; it goes on reading unless the receiver raises."""

REPEATED = "duplicate-judgement"

_CUTOFF = 10
_MANY = 0.05  # of the queries; fewer may be a coincidence of ids and texts


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


@dataclass
class Tolerance:
    """A report that counts judgements given twice, and raises at any other problem.

    A second judgement of another grade is always a problem. `receiver` takes what is not
    tolerated in place of raising.
    """

    receiver: Report = stop
    repeated: int = 0

    def __call__(self, problem: DatasetError) -> None:
        if problem.kind == REPEATED:
            self.repeated += 1
        else:
            self.receiver(problem)

    def notices(self) -> Iterator[Notice]:
        """Say how many judgements were given twice."""
        if self.repeated:
            judged = plural(self.repeated, "judgement")
            yield Notice(REPEATED, self.repeated, f"{judged} given twice; each counts once")


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


def query_notices(texts: Mapping[str, str], unjudged: int) -> Iterator[Notice]:
    """Say how many queries are blank or repeat another's text, and how many nobody judged."""
    empty = sum(not text.strip() for text in texts.values())
    if empty:
        yield Notice("empty-queries", empty, f"{plural(empty, 'query')} without text")
    copies = _copies(texts)
    if copies:
        pairs = [f"{first!r} and {other!r}" for other, first in copies.items()]
        yield Notice(
            "duplicate-queries",
            len(copies),
            f"{plural(len(copies), 'query')} with the text of another one ({listed(pairs)}); what"
            " happens to one happens to all of them, so a comparison counts them as one query:"
            " keep one, or merge their judgements",
        )
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
    lost = 0
    orphans: set[str] = set()
    barren = 0
    for qrels in files.values():
        for query, grades in qrels.items():
            if query not in queries:
                lost += len(grades)
                orphans.add(query)
            elif max(grades.values()) <= 0:
                barren += 1
    if lost:
        yield Notice(
            "judgements-without-queries",
            lost,
            f"{plural(lost, 'judgement')} of {plural(len(orphans), 'query')} that the file "
            f"of queries does not hold ({shortened(sorted(orphans))}); they are left out",
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
            f"corpus ({shortened(sorted(missing))}); nDCG@10 cannot exceed {', '.join(limits)}",
        )


def own_document_notices(
    files: Mapping[str, Qrels],
    texts: Mapping[str, str],
    corpus: Mapping[str, Mapping[str, str]] | None,
    *,
    dropped: bool | None,
) -> Iterator[Notice]:
    """Say what follows where a query is a document of the corpus, under the same id.

    `dropped` says whether such a document is dropped from its query's ranking, None if that is
    not known.
    """
    relevant = 0
    limits = []
    for name, qrels in files.items():
        own = [
            query
            for query, grades in qrels.items()
            if grades.get(query, 0) > 0
            and (dropped or (corpus is not None and _is_own(corpus, query, texts[query])))
        ]
        if own:
            relevant += len(own)
            place = f" in {name}" if name else ""
            limits.append(f"{ceiling(qrels, (), without_own=True):.4f}{place}")
    if relevant and dropped is not False:
        what = "are dropped" if dropped else "would be dropped with drop_identical_ids"
        yield Notice(
            "relevant-documents-dropped",
            relevant,
            f"{plural(relevant, 'relevant judgement')} of the document with the query's own id,"
            f" which {what}; nDCG@10 cannot exceed {', '.join(limits)} then",
        )
    if corpus is None or dropped:
        return
    same = [query for query in texts if _is_own(corpus, query, texts[query])]
    if len(same) > max(1, len(texts) * _MANY):
        yield Notice(
            "queries-are-documents",
            len(same),
            f"{plural(len(same), 'query')} with id and text of a document ({shortened(same)}),"
            " which will find themselves first; set drop_identical_ids: true for this dataset in"
            " beir.yaml if that is not what is asked for",
        )


def _is_own(corpus: Mapping[str, Mapping[str, str]], query: str, text: str) -> bool:
    if query not in corpus:
        return False
    document = corpus[query]
    title, body, asked = (_plain(each) for each in (document["title"], document["text"], text))
    return bool(asked) and asked in (title, body, f"{title} {body}")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _copies(texts: Mapping[str, str]) -> dict[str, str]:
    """The queries whose text an earlier one has, each with that one."""
    first: dict[str, str] = {}
    copies = {}
    for query, text in texts.items():
        plain = _plain(text)
        if plain and first.setdefault(plain, query) != query:
            copies[query] = first[plain]
    return copies


def listed(texts: Sequence[str], most: int = 3) -> str:
    """The first of some texts, and whether there are more."""
    return ", ".join(texts[:most]) + (", …" if len(texts) > most else "")


def ceiling(qrels: Qrels, missing: Collection[str], *, without_own: bool = False) -> float:
    """The mean nDCG@10 of the best rankings that do without the missing documents.

    With `without_own` a query also does without the document that has its own id.

    Gain is the grade, the ideal counts all judgements (as trec_eval does); a query without a
    relevant document has 0.
    """
    total = 0.0
    for query, grades in qrels.items():
        ideal = _gain(grades.values())
        if ideal > 0:
            there = [
                grade
                for document, grade in grades.items()
                if document not in missing and not (without_own and document == query)
            ]
            total += _gain(there) / ideal
    return total / len(qrels)


def _gain(grades: Iterable[int]) -> float:
    ranked = sorted((grade for grade in grades if grade > 0), reverse=True)
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(ranked[:_CUTOFF], 1))
