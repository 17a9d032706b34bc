"""How far the words that a query shares with its documents carry."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from pytest_beir.inspection.sample import spread
from pytest_beir.inspection.words import content_words
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.datasets.dataset import Dataset

_RELEVANT_LOOKED_AT = 20  # of one query's relevant documents
_TOP = 10


@dataclass(frozen=True)
class LexicalSuccess:
    """What BM25 finds: `found` is the share of queries with a hit in the top ten."""

    found: float
    ndcg: float


def overlap(
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


def lexical_success(
    dataset: Dataset, queries: Sequence[str], documents: Mapping[str, dict[str, str]]
) -> LexicalSuccess:
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
    return LexicalSuccess(
        fmean(scores.values["Success@10"].values()), fmean(scores.values["nDCG@10"].values())
    )


def _words_of(document: Mapping[str, str]) -> set[str]:
    return set(content_words(f"{document['title']} {document['text']}"))
