"""What queries have in common: properties that a loss may gather in, read off their texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, TypeAlias

from pytest_beir.inspection.sample import spread
from pytest_beir.inspection.words import STOP_WORDS, code_share, tokens, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Document: TypeAlias = Mapping[str, str]

_QUERIES_LOOKED_AT = 1_000
_RELEVANT_LOOKED_AT = 3  # of one query's relevant documents
_RARE_IN = 500  # a word is rare if at most one document in so many holds it
_SHORTEST_STEM = 4
_LONGEST_ENDING = 3


@dataclass(frozen=True)
class QueryFeature:
    """A property that some queries have.

    `label` completes "losses gather in …", `hint` says what to look at then. `having` are the
    queries that have it, of the `examined` ones.
    """

    label: str
    hint: str
    having: frozenset[str]
    examined: frozenset[str]


def features_of(
    queries: Mapping[str, str],
    qrels: Mapping[str, Mapping[str, int]],
    fetch: Callable[[str, str], Document | None] | None = None,
    sample: Iterable[Document] = (),
) -> tuple[QueryFeature, ...]:
    """The features by which these queries differ.

    `queries` maps query id to text. `fetch` gives a document (`title`, `text`) by query id and
    document id, None where there is none; without it only the queries' own features are told. Of
    many queries a thousand are looked at, spread evenly, with three relevant documents of each.
    `sample` are documents that show which words are rare; a few thousand suffice.
    """
    own = [*_by_length(queries), _with_codes(queries)]
    rarity = _document_frequencies(sample)
    if rarity is not None:
        own.append(_with_rare_words(queries, *rarity))
    if fetch is None:
        return tuple(own)
    looked_at = spread(sorted(queries), _QUERIES_LOOKED_AT)
    relevant = {query: _relevant(query, qrels[query], fetch) for query in looked_at}
    read = {query: found for query, found in relevant.items() if found}
    return tuple([*own, *_by_documents(queries, read)] if read else own)


def _by_length(queries: Mapping[str, str]) -> list[QueryFeature]:
    lengths = {query: float(len(words(text))) for query, text in queries.items()}
    middle = median(lengths.values())
    hint = "look at how queries are weighed or cut"
    return [
        _above(lengths, f"long queries (over {middle:g} words)", hint),
        QueryFeature(
            f"short queries (up to {middle:g} words)",
            hint,
            frozenset(query for query, length in lengths.items() if length <= middle),
            frozenset(queries),
        ),
    ]


def _with_codes(queries: Mapping[str, str]) -> QueryFeature:
    return QueryFeature(
        "queries that hold a code, a part number or an acronym",
        "look at how such words are cut into tokens, and at exact matches",
        frozenset(query for query, text in queries.items() if code_share(text)),
        frozenset(queries),
    )


def _with_rare_words(
    queries: Mapping[str, str], frequencies: Mapping[str, int], documents: int
) -> QueryFeature:
    most = max(1, documents // _RARE_IN)
    shares = {
        query: fmean([frequencies.get(word, 0) <= most for word in found]) if found else 0.0
        for query, found in ((query, _content(text)) for query, text in queries.items())
    }
    label = f"queries full of rare words (each in at most {most} of {documents:,} documents)"
    return _above(shares, label, "look at exact matches, and at words outside the vocabulary")


def _by_documents(
    queries: Mapping[str, str], relevant: Mapping[str, Sequence[Document]]
) -> list[QueryFeature]:
    asked = {query: _content(queries[query]) for query in relevant}
    lengths = {
        query: fmean(len(words(_whole(document))) for document in documents)
        for query, documents in relevant.items()
    }
    titles, held, altered = (
        {
            query: max(share(asked[query], document) for document in documents)
            for query, documents in relevant.items()
        }
        for share in (_share_in_title, _share_held, _share_altered)
    )
    length = f"{median(lengths.values()):.0f}"
    fewest = {query: -share for query, share in held.items()}
    return [
        _above(
            lengths,
            f"queries with long relevant documents (over {length} words)",
            "look at where documents are cut, and at how length is weighed",
        ),
        _above(
            titles,
            "queries with words that stand in a relevant document's title, not in its text",
            "look at whether titles are indexed, and how they are weighed",
        ),
        _above(
            altered,
            "queries that hold a relevant document's words in another form (plural, tense)",
            "look at the stemmer and the analyser",
        ),
        _above(
            held,
            "queries that share many words with a relevant document",
            "look at exact matches",
        ),
        _above(
            fewest,
            "queries that share few words with their relevant documents",
            "look at what finds documents without shared words: stems, synonyms, embeddings",
        ),
    ]


def _above(values: Mapping[str, float], label: str, hint: str) -> QueryFeature:
    """Those above the median have the feature."""
    middle = median(values.values())
    having = frozenset(query for query, value in values.items() if value > middle)
    return QueryFeature(label, hint, having, frozenset(values))


def _share_in_title(asked: frozenset[str], document: Document) -> float:
    title, text = _content(document.get("title", "")), _content(document.get("text", ""))
    return _share(asked, (asked & title) - text)


def _share_held(asked: frozenset[str], document: Document) -> float:
    return _share(asked, asked & _content(_whole(document)))


def _share_altered(asked: frozenset[str], document: Document) -> float:
    held = _content(_whole(document))
    return _share(asked, {word for word in asked - held if _has_other_form(word, held)})


def _has_other_form(word: str, held: Iterable[str]) -> bool:
    if len(word) < _SHORTEST_STEM:
        return False
    stem = word[: max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING)]
    return any(other.startswith(stem) for other in held)


def _share(asked: frozenset[str], found: frozenset[str] | set[str]) -> float:
    return len(found) / len(asked) if asked else 0.0


def _content(text: str) -> frozenset[str]:
    """The words of a text as written, but for case; common ones are left out."""
    return frozenset(
        word for word in map(str.lower, tokens(text)) if word not in STOP_WORDS and len(word) > 1
    )


def _whole(document: Document) -> str:
    return f"{document.get('title', '')} {document.get('text', '')}"


def _relevant(
    query: str, grades: Mapping[str, int], fetch: Callable[[str, str], Document | None]
) -> list[Document]:
    best = sorted((-grade, document) for document, grade in grades.items() if grade > 0)
    found = (fetch(query, document) for _, document in best[:_RELEVANT_LOOKED_AT])
    return [document for document in found if document is not None]


def _document_frequencies(sample: Iterable[Document]) -> tuple[Counter[str], int] | None:
    frequencies: Counter[str] = Counter()
    documents = 0
    for document in sample:
        documents += 1
        frequencies.update(_content(_whole(document)))
    return (frequencies, documents) if documents else None
