"""Which field of a user's record holds what, by its name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_beir.errors import DatasetError
from pytest_beir.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Tiers: TypeAlias = tuple[tuple[str, ...], ...]
"""Names from the clearest to the vaguest; two clear ones that differ are not chosen between."""

# Names are compared in lower case, without blanks, `_` and `-`: "Doc ID" is "docid". Of a name
# with dots the last part is compared too: "inputs.question" is "question".
QUERY: Tiers = (
    ("query", "querytext", "question", "questiontext", "userquery", "userquestion", "userinput"),
    ("searchquery", "searchterm", "input", "prompt", "utterance", "keywords", "q"),
    ("text",),
)
DOCUMENT: Tiers = (
    (
        *("docid", "documentid", "docids", "documentids"),
        *("relevantdocid", "relevantdocids", "relevantdocs", "relevantdocuments", "relevantids"),
        *("relevantdocumentids", "relevantdocument", "relevantdoc", "relevantchunkids"),
        *("relevantchunks", "relevantsources", "relevantfiles"),
        *("expecteddocid", "expecteddocids", "expecteddocs", "expecteddocuments"),
        *("expecteddocumentid", "expecteddocumentids", "expecteddocument", "expecteddoc"),
        *("expectedsource", "expectedsources", "expectedsourceid", "expectedsourceids"),
        *("expectedid", "expectedids", "expectedchunks", "expectedchunkids", "expectedfiles"),
        *("correctchunks", "correctchunkids", "correctdocids", "correctdocuments"),
        *("goldid", "goldids", "golddocid", "golddocids", "golddocs", "goldsources"),
        *("groundtruthids", "groundtruthdocids", "groundtruthdocs", "referenceids"),
        *("contextid", "contextids", "referencecontextids", "corpusid", "corpusids"),
        *("sourceid", "sourceids", "chunkid", "chunkids", "passageid", "passageids"),
        *("productid", "productids", "pid", "docno"),
    ),
    ("document", "documents", "doc", "docs", "source", "sources", "evidence", "file", "files"),
    ("filename", "filenames", "url", "urls", "page", "positives"),
)
RATING: Tiers = (
    (
        *("rating", "grade", "relevance", "relevancegrade", "relevancescore", "finalrating"),
        *("judgement", "judgment", "gain"),
    ),
    ("label", "score"),
)
QUERY_ID: Tiers = (("queryid", "qid", "questionid", "topicid"),)
GROUP: Tiers = (("group",),)
REFERENCE: Tiers = (
    ("referencecontexts", "referencecontext", "references", "goldcontexts", "goldcontext"),
    ("groundtruthcontexts", "groundtruthcontext", "expectedcontexts", "expectedcontext"),
)
ANSWER: Tiers = (
    ("answer", "answers", "expectedanswer", "groundtruth", "reference", "referenceanswer"),
    ("output", "outputs", "expectedoutput", "response", "expected", "expectedresponse", "ideal"),
)
# What a document is called inside a list of documents.
ID_IN_LIST: Tiers = (("docid", "documentid", "id"), *DOCUMENT)
TEXT_IN_LIST: Tiers = (("text", "content", "pagecontent", "body", "passage"),)

DOCUMENT_NAMES: dict[str, Tiers] = {
    "id": (("id",), ("docid", "documentid", "docno", "chunkid", "passageid", "productid")),
    "title": (("title",), ("name", "heading")),
    "text": (("text", "body", "content", "contents", "pagecontent"), ("passage", "chunk")),
}
DOCUMENT_COLUMNS = "_id (or id, doc_id) and text (or body, content), and may have title"


def plain(name: str) -> str:
    """A name as it is compared."""
    return re.sub(r"[\s_-]+", "", name).lower()


def ranked(names: Iterable[str], tiers: Tiers) -> list[tuple[int, str]]:
    """The names that one of `tiers` holds, each with the number of its tier, clearest first."""
    order = {
        word: (number, place)
        for number, tier in enumerate(tiers)
        for place, word in enumerate(tier)
    }
    found = []
    for name in names:
        known = order.get(plain(name)) or order.get(plain(name.rpartition(".")[2]))
        if known:
            found.append((known, name))
    return [(number, name) for (number, _), name in sorted(found)]


@dataclass(frozen=True)
class FieldNames:
    """What the command line says of the fields; None where the names are to decide."""

    query: str | None = None
    document: str | None = None
    rating: str | None = None
    query_id: str | None = None


@dataclass
class Fields:
    """Chooses the field for a noun in each record, and remembers which fields were used.

    `given` are names that the user chose, by noun.
    """

    given: Mapping[str, str]
    tiers: Mapping[str, Tiers]
    used: dict[str, dict[str, None]] = field(default_factory=dict)

    def value(self, place: str, noun: str, record: Mapping[str, Any]) -> Any:
        """The record's value for a noun, or None where no field holds one.

        Raises:
            DatasetError: Two fields could be meant, and they differ.

        """
        name = self.name(place, noun, record)
        if name is None:
            return None
        self.used.setdefault(noun, {})[name] = None
        return record[name]

    def name(self, place: str, noun: str, record: Mapping[str, Any]) -> str | None:
        """The field that holds a noun.

        Raises:
            DatasetError: Two fields could be meant, and they differ.

        """
        if noun in self.given:
            wanted = plain(self.given[noun])
            return next((name for name in record if plain(name) == wanted), None)
        candidates = ranked(record, self.tiers.get(noun, ()))
        filled = [(tier, name) for tier, name in candidates if record[name] not in (None, "", [])]
        if not filled:
            return candidates[0][1] if candidates else None
        tier, name = filled[0]
        others = [
            other
            for number, other in filled[1:]
            if number == tier == 0 and record[other] != record[name]
        ]
        if others:
            raise DatasetError(
                f"{place}: both {name!r} and {others[0]!r} could hold the {_spoken(noun)}, and"
                f" they differ; choose one with --{_option(noun)}-column"
            )
        return name

    def missing(self, place: str, noun: str, record: Mapping[str, Any]) -> DatasetError:
        """The error that names the fields that are there, and the one that was probably meant."""
        there = ", ".join(name for name in record if name)
        option = f"--{_option(noun)}-column"
        if noun in self.given:
            near = nearest(self.given[noun], record)
            meant = f" (did you mean {near}?)" if near else ""
            return DatasetError(
                f"{place}: no field {self.given[noun]!r}, which {option} names{meant};"
                f" there are: {there}"
            )
        guess = self._guess(noun, record)
        remedy = f"if {guess!r} is meant, add {option}={guess}" if guess else f"name it: {option}=…"
        return DatasetError(
            f"{place}: no field for the {_spoken(noun)}; there are: {there or 'none'}; {remedy}"
        )

    def _guess(self, noun: str, record: Mapping[str, Any]) -> str | None:
        """The field that was probably meant, leaving out those that hold something else."""
        taken = {
            name
            for other, tiers in self.tiers.items()
            if other != noun
            for _, name in ranked(record, tiers)
        }
        free = {plain(name): name for name in record if name and name not in taken}
        for hint in _HINTS.get(noun, ()):
            for word, name in free.items():
                if hint in word:
                    return name
        for tier in self.tiers.get(noun, ()):
            for word in tier:
                near = nearest(word, free)
                if near:
                    return free[near]
        return None


_HINTS = {
    "query": ("quer", "quest", "search", "ask", "frage"),
    "document": ("doc", "chunk", "source", "passage", "product", "page", "file", "id"),
    "rating": ("rat", "relev", "grade", "judg", "label", "score"),
}


def _spoken(noun: str) -> str:
    return {"query_id": "query's id"}.get(noun, noun)


def _option(noun: str) -> str:
    return {"query_id": "query-id"}.get(noun, noun)
