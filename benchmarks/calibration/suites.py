"""A suite of eighteen over time: flags and strict, the diffuse test, a year, a noisy retriever."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration import gate
from benchmarks.calibration.monte_carlo import Rate, rate, stream
from benchmarks.calibration.pairs import PER_ONE
from benchmarks.calibration.session import FAMILY, QUERIES
from pytest_beir.flags import STRICT_BY_DEFAULT
from pytest_beir.gate.average import diffuse_shares
from pytest_beir.gate.differences import Differences, Stratum
from pytest_beir.gate.evidence import SAME_EFFECT, TOLERANCE
from pytest_beir.gate.family import AVERAGE_LIMITS
from pytest_beir.gate.verdict import has_drifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.calibration.pairs import Pair, Pairs, Units

LEVEL = FAMILY.level("scifact")
LIKELY = FAMILY.likely(LEVEL)
SMALL_HALF = sorted(QUERIES.values())[: len(QUERIES) // 2]
DIFFUSE_LOSS = 0.003
HALF_LOSS = 0.02
CHANGES = (20, 50, 100)
FLAGS = ("regressed", "likely-drop", "suspect", "drift", "stale-baseline", "inconclusive")
_SUSPECT = 0.01
_FEWEST_LOST = 4


@dataclass(frozen=True)
class Flagged:
    """The share of harmless sessions in which a flag shows, with and without a step taken before.

    `adds` are sessions that fail by one flag more than by verdicts, `strict` those that fail under
    the default list. `anchored` fail by verdicts where an anchor is tested too. `old_likely` and
    `old_drift` are sessions in which the earlier rules of these flags held.
    """

    source: str
    shown: dict[str, Rate]
    adds: dict[str, Rate]
    strict: Rate
    anchored: Rate
    old_likely: Rate
    old_drift: Rate


@dataclass(frozen=True)
class Found:
    """The share of sessions in which a loss was found: by datasets, the average, the diffuse test.

    `before` is what datasets and the average find when the diffuse test has no share of α.
    """

    name: str
    before: Rate
    datasets: Rate
    average: Rate
    diffuse: Rate
    any: Rate


@dataclass(frozen=True)
class Noisy:
    """Sessions of a retriever with noise and no change that fail, unconfirmed and confirmed."""

    share: float
    once: Rate
    confirmed: Rate


@dataclass(frozen=True)
class Suites:
    flagged: tuple[Flagged, ...]
    found: tuple[Found, ...]
    noisy: tuple[Noisy, ...]


def measure(pairs: Pairs, scale: float) -> Suites:
    def count(replicates: int) -> int:
        return max(20, round(replicates * scale))

    change = pairs.parameter
    return Suites(
        tuple(_flagged(pair, count(250)) for pair in (change, pairs.analyser, pairs.system)),
        (
            _found("no loss", change, {}, count(120)),
            _found(
                "−.3 points in each", change, dict.fromkeys(QUERIES.values(), 0.003), count(120)
            ),
            _found(
                "−2 points in the small half",
                change,
                dict.fromkeys(SMALL_HALF, HALF_LOSS),
                count(120),
            ),
        ),
        tuple(_noisy(pairs.barely, share, count(250)) for share in (0.5, 1.0)),
    )


def over_datasets(
    gaps: Sequence[Units], mean: float, level: float, shares: Sequence[Fraction]
) -> bool:
    """Whether the weighted mean regressed: the average, or the diffuse test by its shares."""
    weights = [share / len(units) for share, units in zip(shares, gaps, strict=True)]
    weighted = [units * float(weight) for units, weight in zip(gaps, weights, strict=True)]
    fell = sum(float(each.sum()) for each in weighted) / PER_ONE
    if fell > -AVERAGE_LIMITS.effective(mean).min_effect + SAME_EFFECT:
        return False
    if gate.is_surely_harmless(np.concatenate(weighted), level):
        return False
    strata = tuple(Stratum(units, weight) for units, weight in zip(gaps, weights, strict=True))
    return gate.p_drop_of(Differences(strata)) <= level + TOLERANCE


def even(gaps: Sequence[Units]) -> list[Fraction]:
    return [Fraction(1, len(gaps))] * len(gaps)


def stouffer(gaps: Sequence[Units]) -> tuple[Fraction, ...]:
    return diffuse_shares([[0.0] * len(units) for units in gaps])


def fails(gaps: Sequence[Units], mean: float, level: float) -> bool:
    """Whether anything of the family regressed."""
    limits = gate.limits(mean)
    return (
        any(gate.is_regressed(units, level, limits) for units in gaps)
        or over_datasets(gaps, mean, level, even(gaps))
        or over_datasets(gaps, mean, level, stouffer(gaps))
    )


def is_likely(units: Units, mean: float, level: float, *, by_count: bool = True) -> bool:
    """The flag `likely-drop`, for a dataset that did not regress."""
    if units.mean() / PER_ONE > -gate.limits(mean).margin + SAME_EFFECT:
        return False
    worse = int(np.count_nonzero(units < 0))
    one_sided = not (units > 0).any() and (worse >= _FEWEST_LOST or worse == len(units))
    return (by_count and one_sided) or gate.p_drop(units) <= level + TOLERANCE


def _flagged(pair: Pair, replicates: int) -> Flagged:
    rng = stream("flags", pair.name)
    limits = gate.limits(pair.mean)
    shown: dict[str, list[bool]] = {name: [] for name in FLAGS}
    adds: dict[str, list[bool]] = {name: [] for name in FLAGS}
    strict, anchored, old_likely, old_drift = [], [], [], []
    for _ in range(replicates):
        gaps = [pair.null(rng, n) for n in QUERIES.values()]
        earlier = [pair.null(rng, n) for n in QUERIES.values()]
        since = [one + other for one, other in zip(gaps, earlier, strict=True)]
        red = [gate.is_regressed(units, LEVEL, limits) for units in gaps]
        gained = [
            units.mean() / PER_ONE >= limits.min_effect and gate.p_drop(-units) <= LEVEL
            for units in gaps
        ]
        calm = [units for units, is_red in zip(gaps, red, strict=True) if not is_red]
        found = {
            "regressed": fails(gaps, pair.mean, LEVEL),
            "likely-drop": any(is_likely(units, pair.mean, LIKELY) for units in calm),
            "suspect": any(gate.p_drop(units) <= _SUSPECT for units in calm),
            "drift": any(has_drifted(u.mean() / PER_ONE, limits.margin) for u in since),
            "stale-baseline": any(gained),
            # Of the small sets nothing can be excluded.
            "inconclusive": True,
        }
        for name, is_shown in found.items():
            shown[name].append(is_shown)
        for name in FLAGS:
            adds[name].append(found["regressed"] or found[name])
        failing = ("regressed", *(name for name in FLAGS if name in STRICT_BY_DEFAULT))
        strict.append(any(found[name] for name in failing))
        anchored.append(fails(gaps, pair.mean, LEVEL / 2) or fails(since, pair.mean, LEVEL / 2))
        old_likely.append(any(is_likely(u, pair.mean, 0.05, by_count=False) for u in calm))
        old_drift.append(any(has_drifted(u.mean() / PER_ONE, limits.margin) for u in gaps))
    return Flagged(
        pair.name,
        {name: rate(flags) for name, flags in shown.items()},
        {name: rate(flags) for name, flags in adds.items()},
        rate(strict),
        rate(anchored),
        rate(old_likely),
        rate(old_drift),
    )


def _found(name: str, pair: Pair, losses: dict[int, float], replicates: int) -> Found:
    rng = stream("diffuse", name)
    limits = gate.limits(pair.mean)
    without = FAMILY.alpha / (FAMILY.tests - 1)
    rows = []
    for _ in range(replicates):
        gaps = [pair.drop(rng, n, losses.get(n, 0.0)) for n in QUERIES.values()]
        alone = any(gate.is_regressed(units, LEVEL, limits) for units in gaps)
        average = over_datasets(gaps, pair.mean, LEVEL, even(gaps))
        diffuse = over_datasets(gaps, pair.mean, LEVEL, stouffer(gaps))
        before = any(gate.is_regressed(units, without, limits) for units in gaps) or over_datasets(
            gaps, pair.mean, without, even(gaps)
        )
        rows.append((before, alone, average, diffuse, alone or average or diffuse))
    return Found(name, *(rate(column) for column in zip(*rows, strict=True)))


def _noisy(pair: Pair, share: float, replicates: int) -> Noisy:
    """Each search changes some queries; the stored one was one such search."""
    rng = stream("noisy", share)
    limits = gate.limits(pair.mean)

    def search(n: int) -> Units:
        return np.where(rng.random(n) < share, pair.null(rng, n), 0)

    once, confirmed = [], []
    for _ in range(replicates):
        red = [[], []]  # type: list[list[bool]]
        for n in QUERIES.values():
            stored = search(n)
            for found in red:
                found.append(gate.is_regressed(search(n) - stored, LEVEL, limits))
        once.append(any(red[0]))
        confirmed.append(any(one and two for one, two in zip(*red, strict=True)))
    return Noisy(share, rate(once), rate(confirmed))
