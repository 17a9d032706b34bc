"""How BM25 scores: what an engine knows of a corpus, or of a part of one."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pytest_beir.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class TermStatistics:
    """How many documents and words there are, and in how many documents a word is.

    Whole numbers, so that sums of parts are exact. Words come in the order in which the corpus
    has them first, where all of them are counted.
    """

    documents: int
    length: int
    frequency: Mapping[str, int]

    @staticmethod
    def merged(parts: Sequence[TermStatistics]) -> TermStatistics:
        """The statistics of parts together, which come in the order of the corpus."""
        frequency: dict[str, int] = {}
        for part in parts:
            for word, count in part.frequency.items():
                frequency[word] = frequency.get(word, 0) + count
        return TermStatistics(
            documents=sum(part.documents for part in parts),
            length=sum(part.length for part in parts),
            frequency=frequency,
        )

    @property
    def mean_length(self) -> float:
        """Words per document; 1 where there are none, to divide by."""
        return self.length / max(1, self.documents) or 1.0

    def weights(self, epsilon: float) -> dict[str, float]:
        """The weight of each word."""
        weights = inverse_frequency(list(self.frequency.values()), self.documents, epsilon)
        return dict(zip(self.frequency, weights.tolist(), strict=True))


def inverse_frequency(
    frequency: Sequence[int], documents: int, epsilon: float
) -> NDArray[np.float64]:
    """The weight of words that are in so many documents.

    One that would be negative becomes `epsilon` x the mean weight.
    """
    idf = np.array([log(documents - n + 0.5) - log(n + 0.5) for n in frequency])
    if len(idf):
        idf[idf < 0] = epsilon * (idf.sum() / len(idf))
    return idf


class Engine(Protocol):
    """What an engine knows of the corpus."""

    def of(self, words: list[str]) -> NDArray[Any]:
        """The score of every document; repeated words count again."""


class Okapi:
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


class RankBm25:
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


class Bm25s:
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
