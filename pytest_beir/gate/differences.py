"""Differences between two systems, query by query, on a lattice that removes float noise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytest_beir.errors import ComparisonError
from pytest_beir.phrasing import shortened

Scores: TypeAlias = Mapping[str, float] | Sequence[float]
Floats: TypeAlias = NDArray[np.float64]
Units: TypeAlias = NDArray[np.int64]
Values: TypeAlias = tuple[Units, NDArray[np.intp]]
_Number = TypeVar("_Number", np.float64, np.int64)

QUANTUM = Fraction(1, 10_000)  # what trec_eval prints
FLOAT_NOISE = 1e-9  # of a score: a change below it is none
_MOST_UNITS = 2**40  # sums over millions of queries stay within 64 bits
_SHARES = 232_792_560  # a multiple of every number up to 20, for recall over so many documents
_OFF_A_SHARE = 1e-5  # in such units: what floats leave of a whole number


@dataclass(frozen=True)
class Stratum:
    """Queries that are resampled together: each adds `weight` times its difference to the mean."""

    units: Units
    weight: Fraction

    @property
    def n(self) -> int:
        return len(self.units)

    @cached_property
    def values(self) -> Values:
        """Distinct differences in ascending order, and how many queries have each."""
        return np.unique(self.units, return_counts=True)


@dataclass(frozen=True)
class Differences:
    """Candidate minus baseline, as whole numbers of `quantum`, in one or more strata.

    `unrounded` is the mean before rounding, in metric units, and `moves` how many fell and rose
    before it; left out, the rounded ones stand for them.
    """

    strata: tuple[Stratum, ...]
    quantum: Fraction = QUANTUM
    unrounded: float | None = None
    moves: tuple[int, int] | None = None

    @property
    def n(self) -> int:
        return sum(stratum.n for stratum in self.strata)

    @cached_property
    def worse(self) -> int:
        return sum(int(np.count_nonzero(stratum.units < 0)) for stratum in self.strata)

    @cached_property
    def better(self) -> int:
        return sum(int(np.count_nonzero(stratum.units > 0)) for stratum in self.strata)

    @property
    def changed(self) -> int:
        return self.worse + self.better

    @property
    def fell_and_rose(self) -> tuple[int, int]:
        """How many fell and how many rose at all, by however little."""
        return (self.worse, self.better) if self.moves is None else self.moves

    @property
    def effect(self) -> float:
        """The mean in metric units as limits are judged by: before rounding."""
        return float(self.mean * self.quantum) if self.unrounded is None else self.unrounded

    @cached_property
    def mean(self) -> Fraction:
        """The weighted mean in quanta, exact."""
        return sum((s.weight * int(s.units.sum()) for s in self.strata), Fraction(0))


def pair(baseline: Scores, candidate: Scores) -> tuple[Floats, Floats]:
    """Both sets of scores as arrays in the same order, that of the baseline.

    Takes two mappings by query id or two aligned sequences.

    Raises:
        ComparisonError: Ids or lengths differ, or a score is not a finite number.

    """
    names: Sequence[object]
    if isinstance(baseline, Mapping) and isinstance(candidate, Mapping):
        _same_queries(baseline, candidate)
        names = list(baseline)
        before, after = list(baseline.values()), [candidate[query] for query in baseline]
    elif isinstance(baseline, Mapping) or isinstance(candidate, Mapping):
        raise ComparisonError(
            "one set of scores is a mapping by query id, the other a sequence: give both alike"
        )
    else:
        before, after = list(baseline), list(candidate)
        if len(before) != len(after):
            raise ComparisonError(
                f"the baseline has {len(before)} scores, the candidate {len(after)}: "
                "aligned sequences need one score per query in the same order"
            )
        names = range(len(before))
    if not names:
        raise ComparisonError("there are no queries to compare")
    return _finite(before, names, "baseline"), _finite(after, names, "candidate")


def difference(
    pairs: Sequence[tuple[Floats, Floats]],
    shares: Sequence[Fraction],
    copies: Sequence[NDArray[np.intp] | None] | None = None,
) -> Differences:
    """Rounded differences of aligned scores; each stratum's queries divide its share of the mean.

    Rounded half to even to 1e-4, unless all are exact shares (thirds, twentieths) on a coarser
    lattice. Differences beyond 1e8 are kept to twelve digits instead. `copies` gives each query
    the number of its unit: the queries of one unit are added up and drawn together.

    Raises:
        ComparisonError: Two scores of one query differ by more than a float can hold.

    """
    with np.errstate(over="ignore"):
        gaps = [candidate - baseline for baseline, candidate in pairs]
    largest = max(float(np.abs(gap).max()) for gap in gaps)
    if not np.isfinite(largest):
        raise ComparisonError("two scores of one query differ by more than a float can hold")
    quantum = _quantum(gaps, largest)
    scale, divisor = float(quantum.denominator), float(quantum.numerator)
    strata, moves, means = [], [0, 0], []
    for gap, share, unit in zip(gaps, shares, copies or [None] * len(gaps), strict=True):
        rounded = np.rint(gap * scale / divisor).astype(np.int64)
        whole = gap
        if unit is not None:
            rounded, whole = _added(rounded, unit), _added(gap, unit)
        strata.append(Stratum(rounded, share / len(gap)))
        moves[0] += int(np.count_nonzero(whole < -FLOAT_NOISE))
        moves[1] += int(np.count_nonzero(whole > FLOAT_NOISE))
        means.append(float(share) * math.fsum((gap / len(gap)).tolist()))
    return Differences(tuple(strata), quantum, math.fsum(means), (moves[0], moves[1]))


def _quantum(gaps: Sequence[Floats], largest: float) -> Fraction:
    """The step that differences are rounded to: 1e-4, or a larger one that holds all exactly."""
    quantum = QUANTUM
    while largest > _MOST_UNITS * quantum:
        quantum *= 10
    if largest * _SHARES > _MOST_UNITS:
        return quantum
    steps = []
    for gap in gaps:
        scaled = np.unique(np.abs(gap)) * _SHARES
        whole = np.rint(scaled)
        if np.abs(scaled - whole).max() > _OFF_A_SHARE:
            return quantum
        steps.append(int(np.gcd.reduce(whole.astype(np.int64))))
    shared = Fraction(math.gcd(*steps), _SHARES)
    is_decimal = (shared / quantum).denominator == 1
    return quantum if is_decimal or shared < quantum else shared


def _added(values: NDArray[_Number], unit: NDArray[np.intp]) -> NDArray[_Number]:
    total = np.zeros(int(unit.max()) + 1, dtype=values.dtype)
    np.add.at(total, unit, values)
    return total


def unit_numbers(queries: Sequence[str], units: Mapping[str, str]) -> NDArray[np.intp] | None:
    """The number of each query's unit, None where every query is one of its own."""
    numbers: dict[tuple[bool, str], int] = {}
    keys = [(query in units, units.get(query, query)) for query in queries]
    found = [numbers.setdefault(key, len(numbers)) for key in keys]
    return None if len(numbers) == len(found) else np.array(found, dtype=np.intp)


def _same_queries(baseline: Mapping[str, float], candidate: Mapping[str, float]) -> None:
    if baseline.keys() == candidate.keys():
        return
    complaints = [
        f"the {name} lacks {len(absent)} of them ({shortened(absent)})"
        for name, absent in (
            ("candidate", [query for query in baseline if query not in candidate]),
            ("baseline", [query for query in candidate if query not in baseline]),
        )
        if absent
    ]
    raise ComparisonError(
        f"both sets of scores must cover the same queries: {' and '.join(complaints)}"
    )


def _finite(scores: Sequence[object], names: Sequence[object], owner: str) -> Floats:
    array = np.asarray(scores)
    if array.dtype.kind not in "fiu":
        for name, score in zip(names, scores, strict=True):
            if not isinstance(score, Real):
                raise ComparisonError(
                    f"query {name!r}: the {owner}'s score is {score!r}, which is not a number"
                )
    array = array.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(array))
    if wrong.size:
        first = int(wrong[0])
        raise ComparisonError(
            f"query {names[first]!r}: the {owner}'s score is {array[first]}, "
            "and only finite numbers can be compared"
        )
    return array
