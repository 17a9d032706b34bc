"""Baselines over time: a slow decline, nothing at all, and a new model before a real drop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.calibration.monte_carlo import Rate, rate, share_of, stream
from benchmarks.calibration.strategies import Fixed, HighWater, Previous, Strategy, Table
from benchmarks.calibration.suites import FAMILY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.calibration.pairs import Pairs, Units

RELEASES = 10
DECLINE = 0.003
LATER_DROP = 0.015
QUERIES = (648, 1406)
MODEL_QUERIES = (300, 1406, 5000)
LEVEL = FAMILY.level("fiqa")
REPLICATES = 30
MODEL_REPLICATES = 40


@dataclass(frozen=True)
class Decline:
    """For each strategy the share of histories caught by release 1, 2, … 10."""

    n: int
    loss: float
    caught: dict[str, tuple[Rate, ...]]


@dataclass(frozen=True)
class NewModel:
    """A neutral change of model, then a real drop.

    `failed` histories end at the model; `found` is of the others, `rebased` too.
    """

    n: int
    failed: dict[str, Rate]
    found: dict[str, Rate]
    rebased: dict[str, Rate]


@dataclass(frozen=True)
class Histories:
    declines: tuple[Decline, ...]
    models: tuple[NewModel, ...]


def measure(pairs: Pairs, _runs: Path, scale: float) -> Histories:
    replicates = share_of(REPLICATES, scale)
    return Histories(
        tuple(_decline(pairs, n, loss, replicates) for loss in (DECLINE, 0.0) for n in QUERIES),
        tuple(_new_model(pairs, n, share_of(MODEL_REPLICATES, scale)) for n in MODEL_QUERIES),
    )


def _decline(pairs: Pairs, n: int, loss: float, replicates: int) -> Decline:
    rng = stream("decline", n, loss)
    change = pairs.parameter
    when: dict[str, list[int]] = {}
    for _ in range(replicates):
        release = change.scores(rng, n)
        history = [release]
        for _ in range(RELEASES):
            history.append(history[-1] + change.drop(rng, n, loss))
        for strategy in (
            Table(release, LEVEL),
            Previous(release, LEVEL),
            Fixed(release, LEVEL),
            HighWater(release, LEVEL),
        ):
            when.setdefault(strategy.name, []).append(_first_failure(strategy, history[1:]))
    return Decline(
        n,
        loss,
        {
            name: tuple(rate([k <= by for k in found]) for by in range(1, RELEASES + 1))
            for name, found in when.items()
        },
    )


def _first_failure(strategy: Strategy, releases: Sequence[Units]) -> int:
    for number, release in enumerate(releases, 1):
        if strategy.fails(release):
            return number
    return len(releases) + 1


def _new_model(pairs: Pairs, n: int, replicates: int) -> NewModel:
    rng = stream("model", n)
    failed: dict[str, list[bool]] = {}
    found: dict[str, list[bool]] = {}
    rebased: dict[str, list[bool]] = {}
    for _ in range(replicates):
        first = pairs.system.scores(rng, n)
        model = first + pairs.system.null(rng, n)
        later = model + pairs.parameter.drop(rng, n, LATER_DROP)
        for strategy in (
            Table(first, LEVEL, name="update table, neutral accepted"),
            Table(first, LEVEL, accepted=(0,), name="update table, the model accepted"),
            Previous(first, LEVEL),
            Fixed(first, LEVEL),
            HighWater(first, LEVEL),
        ):
            name = strategy.name
            failed.setdefault(name, []).append(strategy.fails(model))
            if failed[name][-1]:
                continue
            if isinstance(strategy, Table):
                rebased.setdefault(name, []).append(strategy.is_rebased)
            found.setdefault(name, []).append(strategy.fails(later))
    return NewModel(
        n, *({k: rate(v) for k, v in each.items()} for each in (failed, found, rebased))
    )
