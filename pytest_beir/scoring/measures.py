"""What each metric computes from one query's judged documents: trec_eval's definitions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from pytest_beir.errors import ScoringError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WRITTEN = re.compile(r"(?P<kind>[A-Za-z]+)@(?P<cutoff>[1-9][0-9]*)(?P<binary>\(binary\))?")


class Found(NamedTuple):
    """One query as the metrics see it.

    `hits` are (rank, grade) of the judged documents in the answer, by rank; `gains` are the
    positive grades of all its judgements, largest first; `retrieved` counts the answer's documents.
    """

    hits: Sequence[tuple[int, int]]
    gains: Sequence[int]
    retrieved: int


@dataclass(frozen=True)
class Metric:
    """A metric by its name (`nDCG@10`), able to score one query.

    `kind` is one of nDCG, R, P, RR, Success, Judged; `binary` turns positive grades into 1.
    """

    name: str
    kind: str
    cutoff: int
    binary: bool = False

    @property
    def definition(self) -> str:
        """The metric in words, stored with a baseline: another text is another metric."""
        what = _DEFINITIONS[self.kind].format(k=self.cutoff)
        grades = "; every positive grade counts as 1" if self.binary else ""
        return f"{what}{grades}; {_RANKED}"

    def value(self, found: Found) -> float:
        """The query's score, between 0 and 1."""
        if self.kind == "nDCG":
            return _ndcg(found, self.cutoff, binary=self.binary)
        if self.kind == "R":
            return _recall(found, self.cutoff)
        return _OTHERS[self.kind](found, self.cutoff)


def parse_metric(name: str) -> Metric:
    """The metric that bears this name; ScoringError lists the known forms for any other."""
    match = _WRITTEN.fullmatch(name) if isinstance(name, str) else None
    if (
        match
        and match["kind"] in _DEFINITIONS
        and not (match["binary"] and match["kind"] != "nDCG")
    ):
        return Metric(name, match["kind"], int(match["cutoff"]), binary=bool(match["binary"]))
    known = ", ".join(f"{kind}@k" for kind in _DEFINITIONS)
    raise ScoringError(
        f"unknown metric {name!r}: write one of {known} or nDCG@k(binary), k being the cut-off,"
        " for example nDCG@10"
    )


def gains(grades: Mapping[str, int]) -> list[int]:
    """The positive grades of one query's judgements, largest first."""
    return sorted([grade for grade in grades.values() if grade > 0], reverse=True)


def _ndcg(found: Found, cutoff: int, *, binary: bool) -> float:
    # trec_eval's ndcg_cut: the gain is the grade; Järvelin and Kekäläinen (2002) with log2(1+rank).
    ideal = _ideal(tuple(found.gains[:cutoff]), binary=binary)
    if not ideal:
        return 0.0
    gained = 0.0
    for rank, grade in found.hits:
        if rank > cutoff:
            break
        if grade > 0:
            gained += (1 if binary else grade) / log2(rank + 1)
    return gained / ideal


@cache
def _ideal(best: tuple[int, ...], *, binary: bool) -> float:
    terms = ((1 if binary else grade) / log2(rank + 1) for rank, grade in enumerate(best, 1))
    return sum(terms, 0.0)


def _relevant(found: Found, cutoff: int) -> int:
    return len([rank for rank, grade in found.hits if grade > 0 and rank <= cutoff])


def _recall(found: Found, cutoff: int) -> float:
    return _relevant(found, cutoff) / len(found.gains) if found.gains else 0.0


def _precision(found: Found, cutoff: int) -> float:
    return _relevant(found, cutoff) / cutoff


def _reciprocal_rank(found: Found, cutoff: int) -> float:
    return next((1 / rank for rank, grade in found.hits if grade > 0 and rank <= cutoff), 0.0)


def _success(found: Found, cutoff: int) -> float:
    return 1.0 if _relevant(found, cutoff) else 0.0


def _judged(found: Found, cutoff: int) -> float:
    # Over the documents returned, as ir_measures: a short answer is not called unjudged.
    returned = min(cutoff, found.retrieved)
    return sum(1 for rank, _ in found.hits if rank <= cutoff) / returned if returned else 0.0


_OTHERS = {"P": _precision, "RR": _reciprocal_rank, "Success": _success, "Judged": _judged}

_RANKED = "ranked by 32-bit score then id, both descending; an unanswered query scores 0"

_DEFINITIONS = {
    "nDCG": "nDCG of the first {k}: gain = grade if positive, discount 1/log2(rank+1), "
    "ideal from all judgements",
    "R": "share of all relevant documents (grade >= 1) in the first {k}",
    "P": "relevant documents (grade >= 1) in the first {k}, divided by {k}",
    "RR": "1/rank of the first relevant document (grade >= 1) in the first {k}, else 0",
    "Success": "1 if a relevant document (grade >= 1) is in the first {k}, else 0",
    "Judged": "share of the first {k} documents returned that bear a judgement of any grade",
}
