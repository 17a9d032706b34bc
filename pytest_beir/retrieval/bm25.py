"""The reference retriever: BM25 on a tokenizer in plain sight, by rank_bm25's formula or bm25s."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pytest_beir.errors import RetrieverError, UsageError
from pytest_beir.retrieval.term_statistics import TermStatistics, inverse_frequency

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

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
    r"""Give the words of a text: runs of `\w` characters, lower-cased, nothing else.

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

        scores: _Scores
        if self.engine == _BM25S:
            scores = _Bm25s(documents(), self.k1, self.b)
        elif self.engine == _RANK_BM25:
            scores = _RankBm25(documents(), self.k1, self.b, self.epsilon)
        else:
            scores = _Okapi(documents(), self.k1, self.b, self.epsilon)
        self._index = _Ranked(ids, scores)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The best `top_k` documents of each query, best first; all if there are fewer."""
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
    def _okapi(self) -> _Okapi:
        scores = None if self._index is None else self._index.scores
        if not isinstance(scores, _Okapi):
            raise RetrieverError("BM25 has statistics of what it indexed by the engine okapi alone")
        return scores


class _Scores(Protocol):
    """What an engine knows of the corpus."""

    def of(self, words: list[str]) -> NDArray[Any]:
        """The score of every document; repeated words count again."""


class _Okapi:
    """Postings by word, so that a query touches its words alone: a document and a count for each.

    Weights are computed from them when a query asks, in double precision. A posting takes 6 bytes.
    """

    def __init__(self, documents: Iterable[list[str]], k1: float, b: float, epsilon: float) -> None:
        self._number: dict[str, int] = {}
        words, counts, sizes, lengths = array("i"), array("H"), array("i"), array("d")
        number = self._number
        for document in documents:
            counted = Counter(document)
            lengths.append(len(document))
            sizes.append(len(counted))
            for word, times in counted.items():
                words.append(number.setdefault(word, len(number)))
                counts.append(min(times, 2**16 - 1))
        self._k1, self._b, self._epsilon = k1, b, epsilon
        self._length = _numbers(lengths, np.float64)
        self._gain = k1 + 1
        self._postings(words, counts, sizes)
        self._frequency = np.diff(self._ends, prepend=0)
        self._idf: NDArray[np.float64] | dict[int, float]
        self._idf = inverse_frequency(self._frequency.tolist(), len(self._length), epsilon)
        self._norm = self._normalised(self._length.sum() / max(1, len(self._length)) or 1.0)

    def statistics(self, words: set[str] | None) -> TermStatistics:
        """Counts of these documents, for these words or (None) for all of them."""
        number = self._number
        counted = number if words is None else words & number.keys()
        return TermStatistics(
            documents=len(self._length),
            length=int(self._length.sum()),
            frequency={word: int(self._frequency[number[word]]) for word in counted},
        )

    def weigh(self, whole: TermStatistics) -> None:
        """Let the statistics of a whole corpus, of which these documents are a part, count."""
        number = self._number
        weights = whole.weights(self._epsilon).items()
        self._idf = {number[word]: weight for word, weight in weights if word in number}
        self._norm = self._normalised(whole.mean_length)

    def _normalised(self, mean_length: float) -> NDArray[np.float64]:
        norm: NDArray[np.float64] = self._k1 * (1 - self._b + self._b * self._length / mean_length)
        return norm

    def _postings(self, words: array[int], counts: array[int], sizes: array[int]) -> None:
        """Sort by word what was counted by document."""
        word = _numbers(words, np.int32)
        by_word = np.argsort(word, kind="stable")
        self._ends = np.cumsum(np.bincount(word, minlength=len(self._number)))
        rows = np.repeat(np.arange(len(sizes), dtype=np.int32), _numbers(sizes, np.int32))
        self._documents = rows[by_word]
        self._times = _numbers(counts, np.uint16)[by_word]

    def of(self, words: list[str]) -> NDArray[np.float64]:
        """The score of every document, as `rank_bm25.BM25Okapi.get_scores` gives it."""
        scores = np.zeros(len(self._norm))
        for word in words:
            number = self._number.get(word)
            if number is None or self._idf[number] == 0:
                continue
            place = slice(self._ends[number - 1] if number else 0, self._ends[number])
            rows = self._documents[place]
            times = self._times[place].astype(np.float64)
            scores[rows] += self._idf[number] * (times * self._gain / (times + self._norm[rows]))
        return scores


def _numbers(values: array[Any], kind: type[np.generic]) -> NDArray[Any]:
    """The same memory as NumPy sees it, which takes no empty one."""
    return np.frombuffer(values, dtype=kind) if values else np.empty(0, dtype=kind)


class _RankBm25:
    """The index of rank_bm25 itself, which divides by zero where no document has a word."""

    def __init__(self, documents: Iterable[list[str]], k1: float, b: float, epsilon: float) -> None:
        from rank_bm25 import BM25Okapi

        texts = list(documents)
        self._count = len(texts)
        self._index: Any = None
        if any(texts):
            self._index = BM25Okapi(texts, k1=k1, b=b, epsilon=epsilon)

    def of(self, words: list[str]) -> NDArray[np.float64]:
        """The score of every document."""
        if self._index is None:
            return np.zeros(self._count)
        scores: NDArray[np.float64] = self._index.get_scores(words)
        return scores


class _Bm25s:
    """An index of bm25s over the same words."""

    def __init__(self, documents: Iterable[list[str]], k1: float, b: float) -> None:
        try:
            import bm25s
        except ImportError as error:
            raise UsageError(
                "BM25(engine='bm25s') needs bm25s: pip install 'pytest-beir[fast]'"
            ) from error
        self._index: Any = None
        number: dict[str, int] = {}
        numbers = [[number.setdefault(word, len(number)) for word in text] for text in documents]
        self._count = len(numbers)
        if number:
            self._index = bm25s.BM25(k1=k1, b=b, method="lucene")
            self._index.index((numbers, number), show_progress=False, create_empty_token=False)
        self._number = number

    def of(self, words: list[str]) -> NDArray[np.float32]:
        """The score of every document."""
        numbers = [self._number[word] for word in words if word in self._number]
        if not numbers:
            return np.zeros(self._count, dtype=np.float32)
        scores: NDArray[np.float32] = self._index.get_scores_from_ids(numbers)
        return scores


class _Ranked:
    """The documents of a corpus, ranked by an engine's scores."""

    def __init__(self, ids: list[str], scores: _Scores) -> None:
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
