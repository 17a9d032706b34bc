"""The reference retriever: BM25 on a tokenizer in plain sight, by rank_bm25's formula or bm25s."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.bm25_engines import Bm25s, Okapi, RankBm25, TermStatistics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_beir.retrieval.bm25_engines import Engine

_WORD = re.compile(r"\w+")
_FIELDS = ("title", "text")
_OKAPI, _RANK_BM25, _BM25S = "okapi", "rank_bm25", "bm25s"
_ENGINES = (_OKAPI, _RANK_BM25, _BM25S)
# The English stop words that Lucene's analyzer has.
_ENGLISH = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then"  # noqa: SIM905  # a list of words
    " there these they this to was will with".split()
)


def tokenize(text: str) -> list[str]:
    r"""The words of a text: runs of `\w` characters, lower-cased, nothing else.

    No stemming and no stop words. Underscores and digits belong to words; hyphens and
    apostrophes end them.
    """
    return _WORD.findall(text.lower())


class BM25:
    """BM25 over title and text, by the contract of any retriever.

    A query is answered with min(top_k, documents) documents, whatever it asks: documents without
    any of its words score 0 and follow in descending id order. `fields` are the parts of a
    document that are searched, joined by a space. With a `language`, words are stemmed by its
    Snowball stemmer, and English stop words left out.

    The engine `okapi` computes by rank_bm25's formula: a word in more than half of the documents,
    whose weight would be negative, weighs `epsilon` x the mean weight, by default nothing. The
    engine `rank_bm25` lets that library itself compute, five times as large in memory. The engine
    `bm25s` computes by Lucene's formula, in the library of this name.
    """

    name = "bm25"
    trained_on: tuple[str, ...] = ()

    def __init__(
        self,
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.0,
        *,
        fields: Sequence[str] = _FIELDS,
        language: str | None = None,
        engine: str = _OKAPI,
    ) -> None:
        fields = (fields,) if isinstance(fields, str) else tuple(fields)
        if not fields or not set(fields) <= set(_FIELDS):
            raise UsageError(f"BM25 has no fields {fields!r}: choose from {', '.join(_FIELDS)}")
        if engine not in _ENGINES:
            raise UsageError(f"BM25 has no engine {engine!r}: choose from {', '.join(_ENGINES)}")
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon
        self.fields = fields
        self.language = language
        self.engine = engine
        library = () if engine == _OKAPI else (engine,)
        self.libraries = (*library, *_stemmer_library(language))
        self._words = _analyzer(language)
        self._index: _Ranked | None = None

    @property
    def shardable(self) -> bool:
        """Whether parts of a corpus can be searched apart: the libraries count within one index."""
        return self.engine == _OKAPI

    @property
    def version(self) -> str:
        """What decides the rankings: the engine, the parameters, the language and the fields."""
        engine = self.engine
        if engine != _OKAPI:
            engine = f"{engine} {version(engine)}"
        epsilon = "" if self.engine == _BM25S else f", epsilon={self.epsilon}"
        language = f", {self.language}" if self.language else ""
        return f"{engine}, k1={self.k1}, b={self.b}{epsilon}{language}, {'+'.join(self.fields)}"

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Take in the corpus, in place of the one before."""
        self._index = None
        ids: list[str] = []

        def documents() -> Iterator[list[str]]:
            for document, content in corpus.items():
                ids.append(document)
                yield self._words(" ".join(content.get(field, "") for field in self.fields))

        scores: Engine
        if self.engine == _BM25S:
            scores = Bm25s(documents(), self.k1, self.b)
        elif self.engine == _RANK_BM25:
            scores = RankBm25(documents(), self.k1, self.b, self.epsilon)
        else:
            scores = Okapi(documents(), self.k1, self.b, self.epsilon)
        self._index = _Ranked(ids, scores)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The best `top_k` documents of each query, best first; all if there are fewer.

        Raises:
            RetrieverError: No corpus has been indexed.

        """
        if self._index is None:
            raise RetrieverError("BM25 was asked to search before it was given a corpus to index")
        best = self._index.best
        return {query: best(self._words(text), top_k) for query, text in queries.items()}

    def statistics(self, queries: Mapping[str, str]) -> TermStatistics:
        """What the indexed part of a corpus adds to the statistics that these queries need."""
        words = {word for text in queries.values() for word in self._words(text)}
        # The mean weight, which epsilon is a share of, is that of every word.
        return self._okapi.statistics(None if self.epsilon else words)

    def merge_statistics(self, parts: Sequence[TermStatistics]) -> TermStatistics:
        """The statistics of the whole corpus from those of its parts, in the corpus's order."""
        return TermStatistics.merged(parts)

    def adopt(self, whole: TermStatistics) -> None:
        """Score from now on by the statistics of the whole corpus."""
        self._okapi.weigh(whole)

    def close(self) -> None:
        """Forget the corpus."""
        self._index = None

    @property
    def _okapi(self) -> Okapi:
        scores = None if self._index is None else self._index.scores
        if not isinstance(scores, Okapi):
            raise RetrieverError("BM25 has statistics of what it indexed by the engine okapi alone")
        return scores


class _Ranked:
    """The documents of a corpus, ranked by an engine's scores."""

    def __init__(self, ids: list[str], scores: Engine) -> None:
        self._ids = ids
        self.scores = scores
        # The place of each id among all: ties are broken by descending id.
        self._place = np.empty(len(ids), dtype=np.int32)
        self._place[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))

    def best(self, words: list[str], top_k: int) -> dict[str, float]:
        """The best documents and their scores: 32-bit score, then id, both descending."""
        depth = min(max(top_k, 0), len(self._ids))
        if depth == 0:
            return {}
        scores = self.scores.of(words)
        single = scores.astype(np.float32)
        least = np.partition(single, -depth)[-depth]
        near = np.flatnonzero(single >= least)
        order = near[np.lexsort((self._place[near], single[near]))[::-1][:depth]]
        return {self._ids[one]: float(scores[one]) for one in order}


def _analyzer(language: str | None) -> Callable[[str], list[str]]:
    """The words that are searched: all, or the stems of those that are no stop words."""
    if language is None:
        return tokenize
    stop = _ENGLISH if language == "english" else frozenset()
    stem = _stemmer(language)
    return lambda text: stem([word for word in tokenize(text) if word not in stop])


def _stemmer(language: str) -> Callable[[list[str]], list[str]]:
    try:
        import Stemmer as Snowball  # its module is called so
    except ImportError as error:
        raise UsageError(
            f"BM25(language={language!r}) needs PyStemmer: pip install 'pytest-beir[fast]'"
        ) from error
    if language not in Snowball.algorithms():
        raise UsageError(
            f"BM25 has no language {language!r}: choose from {', '.join(Snowball.algorithms())}"
        )
    stems: Callable[[list[str]], list[str]] = Snowball.Stemmer(language).stemWords
    return stems


def _stemmer_library(language: str | None) -> tuple[str, ...]:
    return () if language is None else ("PyStemmer",)
