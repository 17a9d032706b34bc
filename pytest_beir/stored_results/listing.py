"""What a folder of baselines holds: age, reasons, drift, and what is of no use any more."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from pytest_beir.baselines import store
from pytest_beir.errors import BaselineError
from pytest_beir.gate.evidence import TOLERANCE
from pytest_beir.gate.family import Limits

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.config import Config


@dataclass(frozen=True)
class MetricEntry:
    """One metric: means of the current vector and of the anchor, and how the latter came about.

    `drift` is the former less the latter; `has_drifted` where half the effective `margin`, which
    the anchor's mean caps, is gone.
    """

    gated: bool
    mean: float
    anchor: float
    drift: float
    margin: float
    has_drifted: bool
    anchor_written: str
    anchor_category: str
    anchor_reason: str | None


@dataclass(frozen=True)
class ListedBaseline:
    """One baseline; `age` in days, None where its date is none. `unused` is None if unknown."""

    retriever: str
    dataset: str
    split: str
    queries: int
    written: str
    age: int | None
    commit: str | None
    category: str
    reason: str | None
    updates: int
    versions: Mapping[str, str | None]
    metrics: Mapping[str, MetricEntry]
    unused: bool | None


@dataclass(frozen=True)
class Malformed:
    """A baseline that cannot be read, and why."""

    retriever: str
    dataset: str
    error: str


@dataclass(frozen=True)
class Inventory:
    """Every baseline of a folder, sorted by retriever and dataset."""

    folder: str
    baselines: tuple[ListedBaseline, ...]
    malformed: tuple[Malformed, ...]


def inventory(
    folder: Path, config: Config, *, declared: Collection[str] | None, today: date
) -> Inventory:
    """The baselines of a folder; `declared` are the names in use, None where nobody says."""
    entries, malformed = [], []
    known = None if declared is None else {name.casefold() for name in declared}
    for key in store.stored(folder):
        found = _load(folder, key)
        if isinstance(found, Malformed):
            malformed.append(found)
        else:
            unused = None if known is None else key.dataset.casefold() not in known
            entries.append(_entry(found, config, today, unused=unused))
    return Inventory(str(folder), tuple(entries), tuple(malformed))


def _load(folder: Path, key: store.Key) -> Baseline | Malformed:
    try:
        found = store.load(folder, key.retriever, key.dataset)
    except BaselineError as error:
        return Malformed(key.retriever, key.dataset, str(error))
    return found or Malformed(key.retriever, key.dataset, "it has vanished meanwhile")


def _entry(
    baseline: Baseline, config: Config, today: date, *, unused: bool | None
) -> ListedBaseline:
    identity, history = baseline.identity, baseline.history
    accepted = history.accepted
    return ListedBaseline(
        retriever=baseline.retriever,
        dataset=identity.name,
        split=identity.split,
        queries=identity.queries,
        written=accepted.written,
        age=_age(accepted.written, today),
        commit=accepted.commit,
        category=accepted.category,
        reason=accepted.reason,
        updates=history.updates,
        versions=history.versions,
        metrics={metric: _metric(baseline, metric, config) for metric in baseline.metrics},
        unused=unused,
    )


def _metric(baseline: Baseline, metric: str, config: Config) -> MetricEntry:
    gate = config.gate_for(baseline.retriever)
    now, anchor = baseline.mean(metric), baseline.mean(metric, anchor=True)
    margin = Limits(*gate.limits_for(baseline.identity.name)).effective(anchor).margin
    drift = now - anchor
    origin = baseline.history.anchors[metric]
    return MetricEntry(
        gated=metric in gate.metrics,
        mean=now,
        anchor=anchor,
        drift=drift,
        margin=margin,
        has_drifted=drift < -TOLERANCE and drift <= -margin / 2 + TOLERANCE,
        anchor_written=origin.written,
        anchor_category=origin.category,
        anchor_reason=origin.reason,
    )


def _age(written: str, today: date) -> int | None:
    with suppress(ValueError):
        return (today - date.fromisoformat(written)).days
    return None
