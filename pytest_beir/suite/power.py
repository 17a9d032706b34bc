"""The power of a declared suite: every test of the family, with what is known of its dataset."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_beir.baselines import store
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset import of_same_text
from pytest_beir.datasets.folder import find_folder
from pytest_beir.datasets.lint import stop
from pytest_beir.datasets.qrels import read_qrels
from pytest_beir.datasets.queries import read_queries
from pytest_beir.errors import UsageError
from pytest_beir.evaluation.measurement import units_of
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.gate.average import diffuse_shares
from pytest_beir.gate.evidence import standard_error, variance_spread
from pytest_beir.gate.family import Limits
from pytest_beir.gate.power import (
    FEWEST_QUERIES,
    TYPICAL_LOSS,
    Power,
    diffuse_size,
    effective_size,
    power,
    suggested_floor,
)
from pytest_beir.gate.strata import by_prefix, mean, part_sizes, stratified_difference
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.config import Config
    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.gate.strata import Member

    Source: TypeAlias = Literal["baseline", "catalogue", "folder", "members"]

AVERAGE = "average"
DIFFUSE = "diffuse"


@dataclass(frozen=True)
class TestPower:
    """One test of the suite; `power` is None where the number of queries is not known.

    `dataset` is `average` for the average over the suite. `min_effect` and `margin` are capped by
    the mean of the baseline, if there is one (`capped`). `source` says where the number of
    queries comes from, `unknown` why there is none. `floor` is a suggestion for a set too small
    to exclude a drop, from the mean of its baseline.
    """

    dataset: str
    metric: str
    alpha: float
    min_effect: float
    margin: float
    capped: bool
    source: Source | None
    unknown: str | None
    power: Power | None
    floor: float | None = None


@dataclass(frozen=True)
class SuitePower:
    """All tests that share one retriever's α; `retriever` is None for one without baselines."""

    retriever: str | None
    alpha: float
    family: int
    tests: tuple[TestPower, ...]


@dataclass(frozen=True)
class _Known:
    """What is known of one dataset: the queries of its parts, and its baseline.

    Queries that share a text count as one, where the texts or a baseline tell.
    """

    sizes: tuple[int, ...]
    source: Source | None
    unknown: str | None
    baseline: Baseline | None


def powers(
    config: Config,
    declared: Sequence[DeclaredDataset],
    baselines: Path,
    retriever: str | None = None,
) -> tuple[SuitePower, ...]:
    """The power of the suite for one retriever, or for all that have baselines, else for any.

    Numbers of queries come from the baselines, else from the dataset's folder or the catalogue.

    Raises:
        UsageError: Neither a baseline nor the config knows the retriever.

    """
    sizes = {each.name: _sizes(each) for each in declared}
    stored = sorted({key.retriever for key in store.stored(baselines) if key.dataset in sizes})
    if retriever is not None and stored:
        known = sorted({*stored, *config.retrievers})
        if retriever not in known:
            raise UsageError(
                f"--retriever={retriever}: no baseline in {baselines} and no settings in beir.yaml "
                f"have this name{did_you_mean(retriever, known)} (there are {', '.join(known)})"
            )
    wanted: Sequence[str | None] = stored if retriever is None else [retriever]
    return tuple(_suite(config, declared, baselines, name, sizes) for name in wanted or [None])


def _suite(
    config: Config,
    declared: Sequence[DeclaredDataset],
    baselines: Path,
    retriever: str | None,
    sizes: Mapping[str, _Known],
) -> SuitePower:
    rules = rules_for(config, retriever or "", declared)
    gate, family = rules.gate, rules.family
    known = {
        each.name: _with_baseline(each, sizes[each.name], baselines, retriever) for each in declared
    }
    tests = [
        _reach(
            each.name,
            metric,
            [known[each.name]],
            family.level(each.name),
            rules.limits(each.name),
        )
        for each in declared
        for metric in gate.metrics
    ]
    if len(declared) > 1:
        limits = Limits(*gate.limits_for("", average=True))
        tests += [
            _reach(AVERAGE, metric, list(known.values()), family.average_level, limits)
            for metric in gate.metrics
        ]
    if family.diffuse:
        limits = rules.average_limits
        tests += [
            _reach(DIFFUSE, metric, list(known.values()), family.average_level, limits)
            for metric in gate.metrics
        ]
    return SuitePower(retriever, gate.alpha, family.tests, tuple(tests))


def _reach(
    name: str, metric: str, members: Sequence[_Known], level: float, limits: Limits
) -> TestPower:
    vectors = [_vectors(known.baseline, metric) for known in members]
    current, anchor = ([pair[side] for pair in vectors if pair] for side in (0, 1))
    is_stored = len(current) == len(members)
    sizes_of_members = [known.sizes for known in members]
    shares = (
        diffuse_shares([[[0.0] * n for n in sizes] for sizes in sizes_of_members])
        if (name == DIFFUSE and all(sizes_of_members))
        else ()
    )
    observed = stored_mean = None
    spread = 0.0
    if is_stored:
        stored_mean = mean(current, shares)
        limits = limits.effective(stored_mean)
        units = [units_of(k.baseline.same_text) if k.baseline else {} for k in members]
        differences = stratified_difference(current, anchor, units=units, shares=shares)
        if differences.changed:
            level /= 2.0  # tested against both vectors
            error = standard_error(differences)
            sizes = effective_size(*(known.sizes for known in members))
            observed = error * math.sqrt(sizes) if error else None
            spread = variance_spread(differences)
    unknown = next((known.unknown for known in members if known.unknown), None)
    return TestPower(
        dataset=name,
        metric=metric,
        alpha=level,
        min_effect=limits.min_effect,
        margin=limits.margin,
        capped=is_stored,
        source=members[0].source if len(members) == 1 else "members",
        unknown=unknown,
        power=None
        if unknown
        else power(
            *(known.sizes for known in members),
            alpha=level,
            margin=limits.margin,
            observed=observed,
            spread=spread,
            loss=TYPICAL_LOSS if stored_mean is None else stored_mean,
            effective=diffuse_size(*sizes_of_members) if shares else None,
        ),
        floor=_floor(stored_mean, members) if name not in (AVERAGE, DIFFUSE) else None,
    )


def _floor(mean_score: float | None, members: Sequence[_Known]) -> float | None:
    n = sum(sum(known.sizes) for known in members)
    if mean_score is None or not 0 < n < FEWEST_QUERIES:
        return None
    return suggested_floor(mean_score, n)


def _vectors(baseline: Baseline | None, metric: str) -> tuple[Member, Member] | None:
    if baseline is None or metric not in baseline.metrics:
        return None
    strata = baseline.identity.members
    current, anchor = baseline.current[metric], baseline.anchor[metric]
    if strata:
        return by_prefix(current, strata), by_prefix(anchor, strata)
    return current, anchor


def _with_baseline(
    declared: DeclaredDataset, known: _Known, folder: Path, retriever: str | None
) -> _Known:
    baseline = store.load(folder, retriever, declared.name) if retriever else None
    if baseline is None or declared.split not in (None, baseline.identity.split):
        return known
    strata, queries = baseline.identity.members, baseline.current[baseline.metrics[0]]
    sizes = part_sizes(
        by_prefix(queries, strata) if strata else queries, units_of(baseline.same_text)
    )
    return _Known(tuple(sizes), "baseline", None, baseline)


def _sizes(declared: DeclaredDataset) -> _Known:
    entry = load_catalog().entries.get(declared.name)
    if entry is not None and entry.parts:
        return _Known(tuple(part.queries for part in entry.parts.values()), "catalogue", None, None)
    if declared.path is not None:
        return _Known((_judged(declared.path, declared.split),), "folder", None, None)
    if entry is not None and declared.split in (None, entry.split):
        return _Known((entry.queries,), "catalogue", None, None)
    return _Known(
        (), None, f"{declared.name}: the catalogue does not count split {declared.split!r}", None
    )


def _judged(path: Path, split: str | None) -> int:
    """How many queries of different texts a folder judges, without a look at its corpus."""
    folder = find_folder(path)
    qrels = read_qrels(folder.qrels[folder.split(split)], stop)
    texts = read_queries(folder.queries, stop, wanted=qrels).texts
    return len(texts) - sum(len(ids) - 1 for ids in of_same_text(texts))
