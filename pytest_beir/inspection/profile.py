"""The shape of a dataset: how long, how many, how worded, and how far shared words carry."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.domains import estimate_subject
from pytest_beir.inspection.sample import spread, take_sample
from pytest_beir.inspection.words import asks, code_share, content_words, words
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.inspection.domains import Subject

QUERIES_SEARCHED = 300
_TEXTS_FOR_DOMAINS = 2000
_RELEVANT_LOOKED_AT = 20  # of one query's relevant documents
_TOP = 10


@dataclass(frozen=True)
class Profile:
    """What a dataset looks like; lengths in words, shares between 0 and 1.

    `relevant` is the mean number of relevant documents of a judged query, `grades` the grades in
    use. `asking` is the share of queries worded as questions; `query_codes` and `document_codes`
    are the shares of content words that look like codes, part numbers or acronyms; `overlap` the
    share of a query's content words that one of its relevant documents holds. `found` is the
    share of queries for which BM25 has a relevant document in its top ten, `bm25` its nDCG@10;
    both are measured on `searched` documents. `subject` is an estimate from listed words.
    """

    documents: int
    queries: int
    query_words: float
    document_words: float
    relevant: float
    grades: tuple[int, ...]
    asking: float
    query_codes: float
    document_codes: float
    overlap: float
    found: float
    bm25: float
    searched: int
    subject: Subject

    @property
    def domains(self) -> Mapping[str, float]:
        """The shares of the subjects, empty where there are too few words to tell."""
        return self.subject.shares


def profile_dataset(dataset: Dataset) -> Profile:
    """Measure a dataset; of a large one, a sample that does not depend on chance.

    Raises:
        DatasetError: there is no corpus.

    """
    corpus = dataset.corpus
    if corpus is None:
        raise DatasetError(
            f"{dataset.folder}: no corpus.jsonl, and a shape is that of documents too; put the"
            " documents there"
        )
    queries = list(dataset.queries)
    searched = spread(queries, QUERIES_SEARCHED)
    sample = take_sample(corpus, [dataset.qrels[query] for query in searched])
    texts = [f"{one['title']} {one['text']}" for one in sample.spread.values()]
    asked = list(dataset.queries.values())
    lexical = _lexical_success(dataset, searched, sample.documents)
    grades = {grade for judged in dataset.qrels.values() for grade in judged.values()}
    relevant = [sum(grade > 0 for grade in judged.values()) for judged in dataset.qrels.values()]
    return Profile(
        documents=len(corpus),
        queries=len(queries),
        query_words=fmean(len(words(text)) for text in asked),
        document_words=fmean(len(words(text)) for text in texts),
        relevant=fmean(relevant),
        grades=tuple(sorted(grades)),
        asking=fmean(asks(text) for text in asked),
        query_codes=_mean_codes(asked),
        document_codes=_mean_codes(spread(texts, _TEXTS_FOR_DOMAINS)),
        overlap=_overlap(dataset, searched, sample.documents),
        found=lexical.found,
        bm25=lexical.ndcg,
        searched=len(sample.documents),
        subject=estimate_subject(asked, spread(texts, _TEXTS_FOR_DOMAINS)),
    )


@dataclass(frozen=True)
class _LexicalSuccess:
    """What BM25 finds: `found` is the share of queries with a hit in the top ten."""

    found: float
    ndcg: float


def _mean_codes(texts: Iterable[str]) -> float:
    shares = [share for share in map(code_share, texts) if share is not None]
    return fmean(shares) if shares else 0.0


def _overlap(
    dataset: Dataset, queries: Sequence[str], documents: Mapping[str, Mapping[str, str]]
) -> float:
    """The share of a query's content words that a relevant document of it holds.

    The mean over queries of the mean over their relevant documents (at most twenty of each).
    """
    shares = []
    for query in queries:
        asked = set(content_words(dataset.queries[query]))
        relevant = [
            document
            for document, grade in dataset.qrels[query].items()
            if grade > 0 and document in documents
        ]
        if asked and relevant:
            held = [
                len(asked & _words_of(documents[document])) / len(asked)
                for document in spread(relevant, _RELEVANT_LOOKED_AT)
            ]
            shares.append(fmean(held))
    return fmean(shares) if shares else 0.0


def _lexical_success(
    dataset: Dataset, queries: Sequence[str], documents: Mapping[str, dict[str, str]]
) -> _LexicalSuccess:
    """Search the documents with BM25, and score it on those queries."""
    retriever = BM25()
    retriever.index(documents)
    run = retriever.search({query: dataset.queries[query] for query in queries}, _TOP + 1)
    scores = score(
        {query: dataset.qrels[query] for query in queries},
        run,
        ("nDCG@10", "Success@10"),
        drop_identical_ids=dataset.drop_identical_ids,
    )
    return _LexicalSuccess(
        fmean(scores.values["Success@10"].values()), fmean(scores.values["nDCG@10"].values())
    )


def _words_of(document: Mapping[str, str]) -> set[str]:
    return set(content_words(f"{document['title']} {document['text']}"))
