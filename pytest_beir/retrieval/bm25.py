"""The reference retriever: Okapi BM25 as rank_bm25 computes it, on a tokenizer in plain sight."""

from __future__ import annotations

import re
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.errors import RetrieverError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_WORD = re.compile(r"\w+")
_FIELDS = ("title", "text")


def tokenize(text: str) -> list[str]:
    r"""Give the words of a text: runs of `\w` characters, lower-cased, nothing else.

    No stemming and no stop words. Underscores and digits belong to words; hyphens and
    apostrophes end them.
    """
    return _WORD.findall(text.lower())


class BM25:
    """BM25Okapi of rank_bm25 over title and text, by the contract of any retriever.

    A query is answered with min(top_k, documents) documents, whatever it asks: documents without
    any of its words score 0 and follow in descending id order, so that no query counts as missing.
    `fields` are the parts of a document that are searched, joined by a space. A word that is in
    more than half of the documents has the positive weight `epsilon` x the mean weight, as
    rank_bm25 has it.
    """

    name = "bm25"
    trained_on: tuple[str, ...] = ()

    def __init__(
        self,
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
        *,
        fields: Sequence[str] = _FIELDS,
    ) -> None:
        fields = (fields,) if isinstance(fields, str) else tuple(fields)
        if not fields or not set(fields) <= set(_FIELDS):
            raise UsageError(f"BM25 has no fields {fields!r}: choose from {', '.join(_FIELDS)}")
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon
        self.fields = fields
        self._postings: _Postings | None = None

    @property
    def version(self) -> str:
        """What decides the rankings: rank_bm25's version, the parameters and the fields."""
        return (
            f"rank_bm25 {version('rank_bm25')}, k1={self.k1}, b={self.b}, epsilon={self.epsilon},"
            f" {'+'.join(self.fields)}"
        )

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Take in the corpus, in place of the one before."""
        ids = []
        words = []
        for document, content in corpus.items():
            ids.append(document)
            words.append(tokenize(" ".join(content.get(field, "") for field in self.fields)))
        self._postings = _Postings(ids, words, self.k1, self.b, self.epsilon)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The best `top_k` documents of each query, best first; all if there are fewer."""
        if self._postings is None:
            raise RetrieverError("BM25 was asked to search before it was given a corpus to index")
        postings = self._postings
        return {query: postings.best(tokenize(text), top_k) for query, text in queries.items()}

    def close(self) -> None:
        """Forget the corpus."""
        self._postings = None


class _Postings:
    """The weight of every word in every document, by word: a query then touches its words alone.

    `rank_bm25.BM25Okapi.get_scores` asks every document for every word of a query. Weights are
    computed by its formula from its own word counts and weights.
    """

    def __init__(
        self, ids: list[str], documents: list[list[str]], k1: float, b: float, epsilon: float
    ) -> None:
        self._ids = ids
        # The place of each id among all: ties are broken by descending id.
        self._place = np.empty(len(ids), dtype=np.int64)
        self._place[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        self._word: dict[str, slice] = {}
        self._documents = np.empty(0, dtype=np.int64)
        self._weights = np.empty(0, dtype=np.float64)
        if any(documents):  # BM25Okapi divides by the number of documents and of words
            self._weigh(documents, k1, b, epsilon)

    def _weigh(self, documents: list[list[str]], k1: float, b: float, epsilon: float) -> None:
        from rank_bm25 import BM25Okapi

        okapi = BM25Okapi(documents, k1=k1, b=b, epsilon=epsilon)
        counted = okapi.doc_freqs
        number = {word: place for place, word in enumerate(okapi.idf)}
        sizes = [len(frequencies) for frequencies in counted]
        total = sum(sizes)
        rows = np.repeat(np.arange(len(sizes)), sizes)
        words = np.fromiter(map(number.__getitem__, chain.from_iterable(counted)), np.int64, total)
        times = np.fromiter(
            chain.from_iterable(frequencies.values() for frequencies in counted), np.float64, total
        )
        idf = np.fromiter(okapi.idf.values(), np.float64, len(number))
        length = np.array(okapi.doc_len)[rows]
        norm = k1 * (1 - b + b * length / okapi.avgdl)
        weights = idf[words] * (times * (k1 + 1) / (times + norm))

        by_word = np.argsort(words, kind="stable")
        self._documents = rows[by_word]
        self._weights = weights[by_word]
        ends = np.cumsum(np.bincount(words, minlength=len(number))).tolist()
        starts = [0, *ends[:-1]]
        self._word = {word: slice(starts[one], ends[one]) for word, one in number.items()}

    def scores(self, words: list[str]) -> NDArray[np.float64]:
        """The score of every document, as `get_scores` gives it; repeated words count again."""
        scores = np.zeros(len(self._ids))
        for word in words:
            place = self._word.get(word)
            if place is not None:
                scores[self._documents[place]] += self._weights[place]
        return scores

    def best(self, words: list[str], top_k: int) -> dict[str, float]:
        """The best documents and their scores: 32-bit score, then id, both descending."""
        depth = min(max(top_k, 0), len(self._ids))
        if depth == 0:
            return {}
        scores = self.scores(words)
        single = scores.astype(np.float32)
        least = np.partition(single, -depth)[-depth]
        near = np.flatnonzero(single >= least)
        order = near[np.lexsort((self._place[near], single[near]))[::-1][:depth]]
        return {self._ids[one]: float(scores[one]) for one in order}
