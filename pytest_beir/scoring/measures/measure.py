"""A measure, a metric (a measure with its cut-off), and the judged documents that both score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from pytest_beir.errors import ScoringError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cutoff: TypeAlias = Literal["needed", "optional", "none"]
Worth: TypeAlias = Callable[[int, int], float]
"""What a document of a grade adds to a metric at a rank."""

# Beyond it 2**grade is no longer a number that can be divided by.
_LARGEST_EXPONENT = 1000

_RANKED = "ranked by 32-bit score then id, both descending; an unanswered query scores 0"


@dataclass(frozen=True)
class Hits:
    """Judged documents of some queries, as arrays; a row is a query, from 0 to `queries` - 1.

    `rows`, `ranks` and `grades` describe the judged documents that were retrieved, by row and
    rank. `ideal_rows`, `ideal_ranks` and `ideal_grades` describe all judgements with a positive
    grade, by row and grade, largest first. `retrieved` counts each row's documents.
    """

    queries: int
    rows: NDArray[np.intp]
    ranks: NDArray[np.intp]
    grades: NDArray[np.int64]
    ideal_rows: NDArray[np.intp]
    ideal_ranks: NDArray[np.intp]
    ideal_grades: NDArray[np.int64]
    retrieved: NDArray[np.intp]

    def relevant(self, metric: Metric) -> NDArray[np.float64]:
        """How many relevant documents each row has within the metric's cut-off."""
        counted = metric.within(self.ranks) & (self.grades >= metric.rel)
        return np.bincount(self.rows[counted], minlength=self.queries).astype(np.float64)

    def all_relevant(self, metric: Metric) -> NDArray[np.intp]:
        """How many relevant documents each row has, retrieved or not."""
        rows = self.ideal_rows[self.ideal_grades >= metric.rel]
        return np.bincount(rows, minlength=self.queries)


@dataclass(frozen=True)
class Measure:
    """A kind of metric: how it is written, defined and computed.

    `definition` has the places `{k}` and `{rel}`; `without_cutoff` is the definition of the same
    measure without a cut-off. `takes` names the parameters that the measure knows: `rel`, `dcg`,
    `binary`. `column` gives each row's score, between 0 and 1. `worth` gives, for the positive
    grades of a query's judgements, what a document adds; None for what is not a sum over
    documents. `spellings` are other people's names for it, in lower case.
    """

    kind: str
    definition: str
    column: Callable[[Hits, Metric], NDArray[np.float64]]
    worth: Callable[[Metric, Sequence[int]], Worth] | None = None
    spellings: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    cutoff: Cutoff = "needed"
    without_cutoff: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """How the measure is written, `k` being the cut-off: `nDCG@k`, `nDCG`, …"""
        tail = "" if self.cutoff == "none" else "@k"
        forms = [f"{self.kind}{tail}"]
        forms += [self.kind] if self.cutoff == "optional" else []
        forms += [f"{self.kind}{tail}(binary)"] if "binary" in self.takes else []
        forms += [f"{self.kind}(dcg='exp-log2'){tail}"] if "dcg" in self.takes else []
        forms += [f"{self.kind}(rel=2){tail}"] if "rel" in self.takes else []
        return tuple(forms)


@dataclass(frozen=True)
class Metric:
    """A measure with its parameters, by the name that is written: `nDCG@10`, `P(rel=2)@5`.

    `cutoff` is None where every document returned counts. `rel` is the lowest grade that counts
    as relevant; `binary` turns positive grades into 1, `exponential` a grade g into 2**g - 1.
    """

    name: str
    measure: Measure
    cutoff: int | None
    rel: int = 1
    binary: bool = False
    exponential: bool = False

    @property
    def kind(self) -> str:
        """The measure's name: nDCG, R, P, RR, …"""
        return self.measure.kind

    @property
    def definition(self) -> str:
        """The metric in words, stored with a baseline: another text is another metric."""
        measure = self.measure
        text = measure.definition if self.cutoff or not measure.without_cutoff else ""
        what = (text or measure.without_cutoff).format(k=self.cutoff, rel=self.rel)
        if self.exponential:
            what = what.replace("gain = grade if positive", "gain = 2**grade - 1 if positive")
        grades = "; every positive grade counts as 1" if self.binary else ""
        return f"{what}{grades}; {_RANKED}"

    def column(self, hits: Hits) -> list[float]:
        """One score, between 0 and 1, for each row."""
        plain: list[float] = self.measure.column(hits, self).tolist()
        return plain

    def worth(self, positive: Sequence[int]) -> Worth | None:
        """What a document adds, given a query's positive grades; None where nothing adds up."""
        return self.measure.worth(self, positive) if self.measure.worth else None

    def within(self, ranks: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of some ranks count."""
        return ranks <= (self.cutoff or np.iinfo(np.intp).max)

    def gain(self, grade: int) -> int:
        """What a document of this grade is worth at rank 1, before any normalising."""
        if grade <= 0:
            return 0
        if self.binary:
            return 1
        return 2**grade - 1 if self.exponential else grade

    def gains(self, grades: NDArray[np.int64]) -> NDArray[np.float64]:
        """The gains of some positive grades.

        Raises:
            ScoringError: A grade is too large for the exponential gain.

        """
        if self.binary:
            return np.ones(len(grades))
        if not self.exponential:
            return grades.astype(np.float64)
        if grades.max(initial=0) > _LARGEST_EXPONENT:
            raise ScoringError(
                f"{self.name}: the gain 2**grade - 1 takes grades up to {_LARGEST_EXPONENT},"
                f" and there is one of {grades.max()}; use nDCG@k"
            )
        return np.exp2(grades) - 1
