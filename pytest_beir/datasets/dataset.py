"""A dataset as the rest of the project sees it: judged queries, their judgements, a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping
    from pathlib import Path

    from pytest_beir.datasets.corpus import Corpus


DIFFERS = "differs-from-catalogue"
"""The flag of a folder that is not the published dataset; `Dataset.flags` holds no other."""


@dataclass(frozen=True)
class Fingerprints:
    """SHA-256 (hex) of parsed content, so that line ends or gzip change nothing.

    `corpus` is None where the folder holds no corpus.
    """

    queries: str
    qrels: str
    corpus: str | None


@dataclass(frozen=True)
class Counts:
    """How much there is: `documents` is None without a corpus, `queries` are the judged ones."""

    documents: int | None
    queries: int
    judgements: int


@dataclass(frozen=True)
class DatasetIdentity:
    """What scores were measured on: two results compare only if these agree (corpus apart).

    `members` are the parts of a dataset that is divided. The counts are those of `Counts`.
    """

    name: str
    split: str
    documents: int | None
    queries: int
    judgements: int
    fingerprints: Fingerprints
    members: tuple[str, ...] = ()
    drop_identical_ids: bool = False


@dataclass(frozen=True)
class Dataset:
    """One split of one dataset, read and checked.

    `queries` maps query id to text and holds judged queries only; `qrels` maps each of them to
    {document id: grade}. A dataset of several parts (CQADupStack's forums) has `members`; its own
    `queries` and `qrels` are then their union with ids prefixed by the member (`android/123`),
    its `corpus` is None, and each member has its full name (`cqadupstack/android`).
    """

    name: str
    split: str
    folder: Path
    queries: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, int]]
    corpus: Corpus | None
    fingerprints: Fingerprints
    counts: Counts
    drop_identical_ids: bool = False
    metadata: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    members: tuple[Dataset, ...] = ()
    flags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Dataset, ...]:
        """What is retrieved separately: the members, or the dataset itself."""
        return self.members or (self,)

    @property
    def strata(self) -> tuple[str, ...]:
        """The members' short names (`android`), empty for an undivided dataset."""
        return tuple(member.name.removeprefix(f"{self.name}/") for member in self.members)

    @cached_property
    def same_text(self) -> tuple[tuple[str, ...], ...]:
        """The judged queries that share one text after Unicode and case folding, in groups.

        Ids are sorted, groups by their first id. The parts of a divided dataset have queries of
        their own, whatever their texts are.
        """
        return of_same_text(self.queries, is_divided=bool(self.members))

    def why_nothing_scores(self) -> str | None:
        """Why no ranking of this dataset can score above 0, None where one can."""
        return why_nothing_scores(
            (part.qrels, part.corpus, part.drop_identical_ids) for part in self.parts
        )

    @property
    def identity(self) -> DatasetIdentity:
        """What a baseline remembers of the dataset, to know later what it compares with."""
        return DatasetIdentity(
            name=self.name,
            split=self.split,
            documents=self.counts.documents,
            queries=self.counts.queries,
            judgements=self.counts.judgements,
            fingerprints=self.fingerprints,
            members=self.strata,
            drop_identical_ids=self.drop_identical_ids,
        )


def why_nothing_scores(
    parts: Iterable[tuple[Mapping[str, Mapping[str, int]], Container[str] | None, bool]],
) -> str | None:
    """Why no ranking can score above 0, None where one can.

    Of each part the judgements, the documents (None: unknown), and whether a document that has
    its query's id is dropped.
    """
    relevant = dropped = 0
    for qrels, documents, drops in parts:
        for query, grades in qrels.items():
            for document in (each for each, grade in grades.items() if grade > 0):
                relevant += 1
                if drops and document == query:
                    dropped += 1
                elif documents is None or document in documents:
                    return None
    if not relevant:
        return "no judgement has a grade above 0"
    if dropped == relevant:
        if relevant == 1:
            return (
                "the only relevant document has its query's id and is dropped (drop_identical_ids)"
            )
        return (
            f"all {relevant} relevant documents have their query's id and are dropped"
            " (drop_identical_ids)"
        )
    if relevant - dropped == 1:
        which = " that is not dropped as an identical id" if dropped else ""
        return f"the only relevant document{which} is not in the corpus"
    which = " that are not dropped as identical ids" if dropped else ""
    return f"none of the {relevant - dropped} relevant documents{which} is in the corpus"


def of_same_text(
    queries: Mapping[str, str], *, is_divided: bool = False
) -> tuple[tuple[str, ...], ...]:
    """The queries that share one text after Unicode and case folding, in groups, by their ids.

    With `is_divided` ids begin with the name of their part and a slash.
    """
    folded = {query: _folded(text) for query, text in queries.items()}
    if len(set(folded.values())) == len(folded):  # as in most datasets
        return ()
    alike: dict[tuple[str, str], list[str]] = {}
    for query in sorted(folded):
        part = query.partition("/")[0] if is_divided else ""
        alike.setdefault((part, folded[query]), []).append(query)
    return tuple(tuple(ids) for ids in alike.values() if len(ids) > 1)


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return normalize("NFKC", normalize("NFKC", text).casefold())
