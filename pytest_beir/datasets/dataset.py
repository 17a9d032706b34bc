"""A dataset as the rest of the project sees it: judged queries, their judgements, a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_beir.datasets.corpus import Corpus


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
    its `corpus` is None, and each member bears its full name (`cqadupstack/android`).
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
