"""What a score may be once the unjudged documents of the top ten are judged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.gate.strata import query_weights
from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.scorer import TOP

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.explanation.pool import Judged, Qrels, TopTen


@dataclass(frozen=True)
class Bounds:
    """The mean score if no unjudged document of the top ten is relevant, and at best."""

    worst: float
    best: float


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
