"""Where losses gather: features whose queries fell more often than chance would have it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_beir.gate.log_factorials import log_factorials
from pytest_beir.gate.strata import query_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from pytest_beir.explanation.query_features import QueryFeature

_QUANTA = 10_000  # differences count from 1e-4 on, as in every comparison
CHANCE = 0.1  # of naming any feature, if none has to do with the loss
_LARGER = 1.5  # how much more than their share these queries must have lost
_EXACT_UP_TO = 250_000  # combinations of losers and winners among these queries


@dataclass(frozen=True)
class Enrichment:
    """A feature that the loss gathers in, and how plainly: a hypergeometric enrichment test.

    `share` of the queries have it, and they carry `loss_share` of the net loss, which is over 1
    where the others gained. `worse` and `better` count among these; `p` is the chance of so
    large a surplus of losers if the feature had nothing to do with who lost.
    """

    label: str
    hint: str
    share: float
    loss_share: float
    worse: int
    better: int
    p: float


def enrichments(
    scores: tuple[Mapping[str, float], Mapping[str, float]],
    features: Sequence[QueryFeature],
    *,
    strata: Sequence[str] = (),
) -> tuple[Enrichment, ...]:
    """The features in which a drop gathers, plainest first; none where the mean did not fall.

    A feature is named if its queries' share of the net loss is at least one and a half times
    their share of the queries, and if they have significantly more losers, less winners, than
    as many queries drawn at random (exact, one-sided). The level is 10 % divided by the number of
    features: one diagnosis in ten, at most, names a feature that has nothing to do with the loss.
    """
    before, now = scores
    weights = query_weights(before, strata)
    losses = {query: loss(before[query], now[query]) for query in before}
    found = (_enrichment(feature, losses, weights) for feature in features)
    level = CHANCE / max(1, len(features))
    named = [each for each in found if each is not None and each.p <= level]
    return tuple(sorted(named, key=lambda each: each.p))


def loss(before: float, now: float) -> int:
    """What one query lost, in units of 1e-4; negative where it gained."""
    return -round((now - before) * _QUANTA)


def _enrichment(
    feature: QueryFeature, losses: Mapping[str, int], weights: Mapping[str, float]
) -> Enrichment | None:
    examined = [query for query in losses if query in feature.examined]
    having = [query for query in examined if query in feature.having]
    net = math.fsum(weights[query] * losses[query] for query in examined)
    if net <= 0 or not 0 < len(having) < len(examined):
        return None
    share = math.fsum(weights[q] for q in having) / math.fsum(weights[q] for q in examined)
    loss_share = math.fsum(weights[query] * losses[query] for query in having) / net
    if loss_share < _LARGER * share:
        return None
    worse, better = _signs(losses[query] for query in having)
    p = surplus_chance(
        len(examined), len(having), _signs(losses[q] for q in examined), worse - better
    )
    return Enrichment(feature.label, feature.hint, share, loss_share, worse, better, p)


def surplus_chance(n: int, drawn: int, signs: tuple[int, int], surplus: int) -> float:
    """The chance that queries drawn at random have at least this surplus of losers over winners.

    `signs` are the losers and the winners among all n. Exact (multivariate hypergeometric); by
    the normal distribution with a continuity correction where there are very many of both.
    """
    worse, better = signs
    if (worse + 1) * (better + 1) > _EXACT_UP_TO:
        mean = (worse - better) / n
        variance = drawn * (n - drawn) / (n - 1) * ((worse + better) / n - mean**2)
        z = (drawn * mean - surplus + 0.5) / math.sqrt(variance)
        return 0.5 * math.erfc(-z / math.sqrt(2.0))

    log_factorial = log_factorials(n)

    def log_choose(of: int, some: NDArray[np.intp]) -> NDArray[np.float64]:
        possible = (some >= 0) & (some <= of)
        inside = np.where(possible, some, 0)
        logs = log_factorial[of] - log_factorial[inside] - log_factorial[of - inside]
        return np.where(possible, logs, -np.inf)

    fell, rose = np.arange(worse + 1)[:, None], np.arange(better + 1)[None, :]
    logs = (
        log_choose(worse, fell)
        + log_choose(better, rose)
        + log_choose(n - worse - better, drawn - fell - rose)
        - log_choose(n, np.array(drawn))
    )
    return min(1.0, float(np.exp(logs[fell - rose >= surplus]).sum()))


def _signs(losses: Iterable[int]) -> tuple[int, int]:
    listed = list(losses)
    return sum(each > 0 for each in listed), sum(each < 0 for each in listed)
