"""A golden set: judged queries and documents that fit together, and what was left out of it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.near_ids import nearest_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_beir.inspection.golden.documents import Documents
    from pytest_beir.inspection.golden.judgements import Judgement


@dataclass(frozen=True)
class Dropped:
    """One judgement that was left out, with the ids it would have had."""

    query_id: str
    query: str
    document: str
    place: str


@dataclass(frozen=True)
class GoldenSet:
    """What is written, and what is not.

    `queries` maps id to text, `groups` id to group (where there is one), `qrels` id to
    {document: grade}; a query that no judgement is left of is in `unjudged` ({id: text}) only.
    `without_relevant` are ids that are written and can only score 0. `near` maps an unknown
    document's id to the one that was probably meant.
    """

    documents: Mapping[str, tuple[str, str]]
    queries: Mapping[str, str]
    groups: Mapping[str, str]
    qrels: Mapping[str, Mapping[str, int]]
    unrated: tuple[Dropped, ...]
    unknown: tuple[Dropped, ...]
    repeated: tuple[Dropped, ...]
    unjudged: Mapping[str, str]
    without_relevant: tuple[str, ...]
    empty_documents: tuple[str, ...]
    unused_fields: tuple[str, ...] = ()
    near: Mapping[str, str] = field(default_factory=dict)


def query_id_of(text: str) -> str:
    """Give the id of a query that bears none: from its text alone, so that it never moves."""
    return f"q-{sha256(text.encode()).hexdigest()[:10]}"


def make_golden_set(judgements: Iterable[Judgement], documents: Documents) -> GoldenSet:
    """Put judgements and documents together.

    Unrated rows, rows of documents that are not there and repetitions are left out and listed.

    Raises:
        DatasetError: two rows contradict each other, or nothing is left.

    """
    making = _Making(documents.texts)
    for judgement in judgements:
        making.add(judgement)
    return making.finish(tuple(documents.unused))


class _Making:
    def __init__(self, documents: Mapping[str, tuple[str, str]]) -> None:
        self.documents = documents
        self.spellings = {_canonical(identifier): identifier for identifier in documents}
        self.queries: dict[str, tuple[str, str]] = {}  # id: text, where it was first seen
        self.groups: dict[str, tuple[str, str]] = {}
        self.ratings: dict[tuple[str, str], tuple[int, str]] = {}
        self.unrated: list[Dropped] = []
        self.unknown: list[Dropped] = []
        self.repeated: list[Dropped] = []

    def add(self, row: Judgement) -> None:
        query = self._query(row)
        if not row.document:
            return  # a query that an export lists without any rating
        document = row.document
        if document not in self.documents:
            document = self.spellings.get(_canonical(document), document)
        dropped = Dropped(query, row.query, document, row.place)
        if row.rating is None:
            self.unrated.append(dropped)
            return
        earlier = self.ratings.get((query, document))
        if earlier is None:
            self.ratings[query, document] = (row.rating, row.place)
            if document not in self.documents:
                self.unknown.append(dropped)
        elif earlier[0] == row.rating:
            self.repeated.append(dropped)
        else:
            raise DatasetError(
                f"{row.place}: query {row.query!r} and document {document!r} are rated"
                f" {row.rating} here and {earlier[0]} in {earlier[1]}; keep one of them"
            )

    def finish(self, unused_fields: tuple[str, ...]) -> GoldenSet:
        qrels: dict[str, dict[str, int]] = {}
        for (query, document), (rating, _) in sorted(self.ratings.items()):
            if document in self.documents:
                qrels.setdefault(query, {})[document] = rating
        near = nearest_ids({one.document for one in self.unknown}, self.documents)
        if not qrels:
            raise DatasetError(self._nothing_left(near))
        texts = {query: self.queries[query][0] for query in sorted(self.queries)}
        return GoldenSet(
            documents=self.documents,
            queries={query: text for query, text in texts.items() if query in qrels},
            groups={query: group for query, (group, _) in self.groups.items() if query in qrels},
            qrels=qrels,
            unrated=tuple(self.unrated),
            unknown=tuple(self.unknown),
            repeated=tuple(self.repeated),
            unjudged={query: text for query, text in texts.items() if query not in qrels},
            without_relevant=tuple(
                query for query in qrels if not any(grade > 0 for grade in qrels[query].values())
            ),
            empty_documents=tuple(
                identifier
                for identifier, (title, text) in self.documents.items()
                if not f"{title}{text}".strip()
            ),
            unused_fields=unused_fields,
            near=near,
        )

    def _query(self, row: Judgement) -> str:
        query = row.query_id or query_id_of(row.query)
        text, place = self.queries.setdefault(query, (row.query, row.place))
        if text != row.query:
            raise DatasetError(
                f"{row.place}: the query id {query!r} stands for {row.query!r} here and for"
                f" {text!r} in {place}; ids are unique"
            )
        if row.group:
            group, place = self.groups.setdefault(query, (row.group, row.place))
            if group != row.group:
                raise DatasetError(
                    f"{row.place}: query {row.query!r} is in group {row.group!r} here and in"
                    f" {group!r} in {place}; a query has one group"
                )
        return query

    def _nothing_left(self, near: Mapping[str, str]) -> str:
        if not self.unknown:
            return "no rated document in the judgements: every rating is blank"
        first = self.unknown[0]
        meant = f"; did you mean {near[first.document]!r}?" if first.document in near else ""
        shown = ", ".join(repr(identifier) for identifier in list(self.documents)[:3])
        return (
            f"{first.place}: none of the rated documents is among the {len(self.documents)}"
            f" documents: {first.document!r} is not (they are {shown}, …){meant}"
        )


def _canonical(identifier: str) -> str:
    """One spelling of what looks the same: file systems differ in how they compose accents."""
    return unicodedata.normalize("NFC", identifier.strip())
