"""What BM25 knows of a whole corpus: whole numbers, so that sums of parts are exact."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class TermStatistics:
    """How many documents and words there are, and in how many documents a word is.

    Words come in the order in which the corpus has them first, where all of them are counted.
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
