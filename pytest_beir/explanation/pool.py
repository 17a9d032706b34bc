"""The pool: whether documents that nobody judged may explain a drop, and which to judge."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from pytest_beir.gate.average import compare_stratified
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.gate.evidence import TOLERANCE
from pytest_beir.gate.strata import by_prefix, query_weights
from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.scorer import TOP, score_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
    Judged: TypeAlias = Mapping[str, Sequence[tuple[int, str]]]
    TopTen: TypeAlias = Mapping[str, Sequence[str]]

PoolFlag: TypeAlias = Literal["pool-suspect", "pool-unverifiable"]
POOL_FLAGS: Final[tuple[PoolFlag, ...]] = get_args(PoolFlag)

_JUDGED_FALL = 0.05
_FEWEST_SHARED = 0.5
_ARTEFACT = 0.44  # of the fall of judged@10, as measured on pools cut from full judgements


@dataclass(frozen=True)
class PoolCheck:
    """Whether unjudged documents may explain a drop, and what that was decided by.

    `has_negatives` says whether the qrels hold documents judged not relevant; only then does
    `judged_fall`, the loss of judged@10, tell anything, and `condensed_delta` and `condensed_p`
    are those of the rankings without their unjudged documents. `overlap` is the share of the top
    ten that both runs have. `artefact` is the drop to expect from that fall alone.
    """

    flag: PoolFlag | None
    has_negatives: bool
    judged_fall: float
    overlap: float
    condensed_delta: float | None
    condensed_p: float | None
    artefact: float


@dataclass(frozen=True)
class Bounds:
    """The mean score if no unjudged document of the top ten is relevant, and at best."""

    worst: float
    best: float


@dataclass(frozen=True)
class UnjudgedPair:
    """A pair of query and document to judge, with its ranks now and before (None: below ten)."""

    query: str
    document: str
    rank: int | None
    baseline_rank: int | None


def check_pool(
    metric: str,
    qrels: Qrels,
    judged: tuple[Judged, Judged],
    top10: tuple[TopTen, TopTen],
    judged_at_10: tuple[float, float],
    *,
    level: float,
    strata: Sequence[str] = (),
    units: Mapping[str, str] | None = None,
) -> PoolCheck:
    """What a regression of `metric` at `level` owes to unjudged documents, as far as can be told.

    Each pair is of the baseline and of today; `judged_at_10` are means. With judged negatives in
    the qrels the flag is `pool-suspect` where judged@10 fell by .05 or more and the drop is not
    significant on condensed rankings; without any it is `pool-unverifiable` where the two top
    tens share less than half. `units` maps queries that are copies of one another to their unit.
    """
    has_negatives = any(grade <= 0 for grades in qrels.values() for grade in grades.values())
    fall = judged_at_10[0] - judged_at_10[1]
    shared = overlap(*top10, strata=strata)
    flag: PoolFlag | None = None
    delta = p_drop = None
    if has_negatives:
        delta, p_drop = _condensed_drop(metric, qrels, judged, strata, units or {})
        if fall >= _JUDGED_FALL - TOLERANCE and p_drop > level + TOLERANCE:
            flag = "pool-suspect"
    elif shared < _FEWEST_SHARED - TOLERANCE:
        flag = "pool-unverifiable"
    artefact = _ARTEFACT * max(0.0, fall)
    return PoolCheck(flag, has_negatives, fall, shared, delta, p_drop, artefact)


def condensed(metric: str, qrels: Qrels, judged: Judged) -> dict[str, float]:
    """The metric of each query on the rankings of judged documents alone.

    Within the top 100 these are the judged documents in their order; a query without any scores 0.
    """
    run = {
        query: {
            document: float(-place) for place, (_, document) in enumerate(sorted(judged[query]))
        }
        for query in qrels
    }
    return score_run(qrels, run, (metric,))[metric]


def overlap(before: TopTen, now: TopTen, *, strata: Sequence[str] = ()) -> float:
    """The mean share of the top ten that both runs have; of the longer one where one is short."""
    return math.fsum(
        weight * _shared(before.get(query, ()), now.get(query, ()))
        for query, weight in query_weights(now, strata).items()
    )


def _condensed_drop(
    metric: str,
    qrels: Qrels,
    judged: tuple[Judged, Judged],
    strata: Sequence[str],
    units: Mapping[str, str],
) -> tuple[float, float]:
    before, now = (condensed(metric, qrels, side) for side in judged)
    if strata:
        parts = [by_prefix(before, strata)], [by_prefix(now, strata)]
        comparison = compare_stratified(*parts, alpha=0.05, units=[units])
    else:
        comparison = compare_scores(before, now, units=units)
    return comparison.delta, comparison.p_drop


def _shared(before: Sequence[str], now: Sequence[str]) -> float:
    longer = max(len(before), len(now))
    return len({*before} & {*now}) / longer if longer else 1.0


def bounds(
    metric: str, qrels: Qrels, judged: Judged, top10: TopTen, *, strata: Sequence[str] = ()
) -> Bounds | None:
    """What the mean nDCG may be once the unjudged documents of the top ten are judged.

    `worst` takes none of them for relevant, as every score does; `best` gives the highest grade
    of the qrels to those for which that is most favourable (the ideal grows with them). None for
    other metrics, and for cut-offs beyond ten.
    """
    wanted = parse_metric(metric)
    if wanted.kind != "nDCG" or wanted.cutoff is None or wanted.cutoff > TOP:
        return None
    highest = max((grade for grades in qrels.values() for grade in grades.values()), default=1)
    weights = query_weights(qrels, strata)
    worst, best = [], []
    for query, weight in weights.items():
        ranks = {document: rank for rank, document in judged[query]}
        gains = {d: wanted.gain(g) for d, g in qrels[query].items() if g > 0}
        unjudged = [rank for rank, d in enumerate(top10[query], 1) if d not in qrels[query]]
        reached = [
            _ndcg(
                [(gain, ranks.get(document)) for document, gain in gains.items()]
                + [(wanted.gain(max(1, highest)), rank) for rank in unjudged[:count]],
                wanted.cutoff,
            )
            for count in range(len(unjudged) + 1)
        ]
        worst.append(weight * reached[0])
        best.append(weight * max(reached))
    return Bounds(math.fsum(worst), math.fsum(best))


def _ndcg(placed: Sequence[tuple[int, int | None]], cutoff: int) -> float:
    """The score of (gain, rank) pairs; a document that is not found has no rank."""
    gained = math.fsum(
        gain / math.log2(rank + 1) for gain, rank in placed if rank is not None and rank <= cutoff
    )
    best = sorted((gain for gain, _ in placed), reverse=True)[:cutoff]
    ideal = math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(best, 1))
    return gained / ideal if ideal else 0.0


def to_judge(qrels: Qrels, before: TopTen, now: TopTen) -> tuple[UnjudgedPair, ...]:
    """What somebody should judge before the two runs can be told apart, highest ranks first."""
    rows = []
    for query, grades in qrels.items():
        old, new = (
            {document: rank for rank, document in enumerate(side.get(query, ()), 1)}
            for side in (before, now)
        )
        rows += [
            UnjudgedPair(query, document, new.get(document), old.get(document))
            for document in {**new, **old}
            if document not in grades
        ]
    return tuple(sorted(rows, key=lambda row: (_best_rank(row), row.query, row.document)))


def _best_rank(row: UnjudgedPair) -> int:
    return min(rank for rank in (row.rank, row.baseline_rank) if rank is not None)
