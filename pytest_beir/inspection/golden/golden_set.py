"""A golden set: judged queries and documents that fit together, and what was left out of it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.matching import Matcher, nearest_ids
from pytest_beir.inspection.golden.passages import SEPARATOR, cut, passages_with
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.inspection.golden.documents import Documents
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.judgements import Judgements

_WORDS_OF_A_TEXT = 5


@dataclass(frozen=True)
class Dropped:
    """One judgement that was left out, with the ids it would have had."""

    query_id: str
    query: str
    document: str
    place: str
    reason: str = ""


@dataclass(frozen=True)
class GoldenSet:
    """What is written, and what is not.

    `queries` maps id to text, `groups` id to group (where there is one), `qrels` id to
    {document: grade}; a query that no judgement is left of is in `unjudged` ({id: text}) only.
    `without_relevant` are ids that are written and can only score 0. `near` maps an unknown
    document's id to the one that was probably meant. `matched` counts the reference texts by how
    their documents were found, `unmatched` are those that are in no document, with the reason.
    `form` is the form of the file of judgements; `told` are sentences on how it was read.
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
    form: str = ""
    told: tuple[str, ...] = ()
    matched: Mapping[str, int] = field(default_factory=dict)
    unmatched: tuple[Dropped, ...] = ()
    skipped_files: Mapping[str, str] = field(default_factory=dict)


def query_id_of(text: str) -> str:
    """The id of a query that has none: from its text alone, so that it never moves."""
    return f"q-{sha256(text.encode()).hexdigest()[:10]}"


def make_golden_set(
    judgements: Judgements, documents: Documents, *, passages: int | None = None
) -> GoldenSet:
    """Judgements and documents put together; `passages` is the number of words to cut after.

    Unrated rows, rows of documents that are not there and repetitions are left out and listed.

    Raises:
        DatasetError: Two rows contradict each other, or nothing is left.

    """
    making = _Making(documents.texts, passages)
    for judgement in judgements.rows:
        making.add(judgement)
    golden = making.finish()
    return replace(
        golden,
        unused_fields=tuple(documents.unused),
        skipped_files=documents.skipped,
        form=judgements.form,
        told=(*judgements.told, *making.told()),
    )


class _Making:
    def __init__(self, documents: Mapping[str, tuple[str, str]], words: int | None) -> None:
        self.whole = documents
        self.documents, self.passages = cut(documents, words) if words else (documents, {})
        self.spellings = {_canonical(identifier): identifier for identifier in documents}
        self.matcher = Matcher(documents)
        self.queries: dict[str, tuple[str, str]] = {}  # id: text, where it was first seen
        self.groups: dict[str, tuple[str, str]] = {}
        self.ratings: dict[tuple[str, str], tuple[int, str]] = {}
        self.referred: dict[tuple[str, str], tuple[int, str]] = {}
        self.matched: Counter[str] = Counter()
        self.spread_out = 0
        self.unrated: list[Dropped] = []
        self.unknown: list[Dropped] = []
        self.unmatched: list[Dropped] = []
        self.repeated: list[Dropped] = []

    def add(self, row: Judgement) -> None:
        query = self._query(row)
        reference = row.reference or self._text_in_place_of_an_id(row.document)
        if reference:
            self._refer(query, row, reference)
        elif row.document:  # else a query that an export lists without any rating
            self._rate(query, row)

    def _rate(self, query: str, row: Judgement) -> None:
        document = self._known(row.document)
        dropped = Dropped(query, row.query, document, row.place)
        if row.rating is None:
            self.unrated.append(dropped)
            return
        grade = int(row.rating)
        if document not in self.whole and document not in self.documents:
            if self._take(query, document, grade, row):
                self.unknown.append(dropped)
            return
        targets = self.passages.get(document, (document,))
        self.spread_out += len(targets) > 1
        taken = [self._take(query, target, grade, row) for target in targets]
        if not any(taken):
            self.repeated.append(dropped)

    def _take(self, query: str, document: str, grade: int, row: Judgement) -> bool:
        """Whether the judgement is new; one that says otherwise than an earlier one is an error."""
        earlier = self.ratings.setdefault((query, document), (grade, row.place))
        if earlier[0] != grade:
            raise DatasetError(
                f"{row.place}: query {row.query!r} and document {document!r} are rated"
                f" {grade} here and {earlier[0]} in {earlier[1]}; keep one of them"
            )
        return earlier[1] is row.place

    def _refer(self, query: str, row: Judgement, reference: str) -> None:
        """Judge the documents that hold a text; several texts of one document count once."""
        match = self.matcher.find(reference)
        if row.rating is None or not match.documents:
            reason = "without a rating" if row.rating is None else match.reason
            self.unmatched.append(Dropped(query, row.query, reference, row.place, reason))
            return
        self.matched[match.how or ""] += 1
        for document in match.documents:
            for target in passages_with(self.documents, self.passages.get(document), reference) or (
                document,
            ):
                key, grade = (query, target), int(row.rating)
                if grade > self.referred.get(key, (-1, ""))[0]:
                    self.referred[key] = grade, row.place

    def _known(self, document: str) -> str:
        """The document's id as the documents spell it."""
        if document in self.whole or document in self.documents:
            return document
        return self.spellings.get(_canonical(document), document)

    def _text_in_place_of_an_id(self, document: str) -> str | None:
        """A field for documents may hold their texts instead of their ids."""
        if len(document.split()) < _WORDS_OF_A_TEXT or self._known(document) in self.whole:
            return None
        return document

    def told(self) -> Iterator[str]:
        if self.passages:
            count = sum(len(parts) > 1 for parts in self.passages.values())
            yield f"{plural(count, 'long document')} cut into passages (id{SEPARATOR}number)"
        if self.spread_out:
            judged = plural(self.spread_out, "judgement")
            yield (
                f"{judged} of a whole document count for each of its passages; to judge documents"
                " by any of their passages, leave --passages out and fold the passages of your"
                " answers"
            )

    def finish(self) -> GoldenSet:
        for key, referred in self.referred.items():
            self.ratings.setdefault(key, referred)
        qrels: dict[str, dict[str, int]] = {}
        for (query, document), (rating, _) in sorted(self.ratings.items()):
            if document in self.documents:
                qrels.setdefault(query, {})[document] = rating
        near = nearest_ids({one.document for one in self.unknown}, self.whole)
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
            near=near,
            matched=dict(self.matched),
            unmatched=tuple(self.unmatched),
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
        if not self.unknown and self.unmatched:
            first = self.unmatched[0]
            return (
                f"{first.place}: none of the {len(self.unmatched)} reference texts is in the"
                f" {len(self.whole)} documents ({first.reason}: {first.document[:60]!r}…); are"
                " these the documents that the texts were taken from?"
            )
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
