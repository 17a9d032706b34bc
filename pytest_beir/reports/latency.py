"""Quality beside cost: what searches took in a run, and which retrievers are dominated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.numbers import score
from pytest_beir.reports.remark import Remark
from pytest_beir.reports.table import Column, Row, Table
from pytest_beir.reports.wording import deciding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.latency.result import LatencyResult
    from pytest_beir.suite.run import SuiteRun
    from pytest_beir.text_layout import Style

_STYLES: dict[str, Style] = {"slower": "red", "faster": "green", "inconclusive": "yellow"}
# Times closer than this share are not told apart where the quality is the same.
_ALIKE = 0.1
_COLUMNS = (
    Column("p50 ms"),
    Column("p95", spared=3),
    Column("p99", spared=1),
    Column("per s", spared=4),
    Column("in a batch", spared=0),
    Column("indexed s", spared=2),
    Column("disk MB", is_detail=True),
    Column("memory MB", is_detail=True),
    Column("times as long", spared=5),
    Column("latency", "left"),
)


@dataclass(frozen=True)
class Offer:
    """One retriever's quality and time over datasets that all have: a mean and geometric means.

    `time` is in units of the reference, which is fair where the machine was not equally busy, and
    `seconds` what half of the searches took. `dominated_by` is one that is no worse in either and
    better in one.
    """

    retriever: str
    quality: float
    time: float
    seconds: float
    dominated_by: str | None = None


@dataclass(frozen=True)
class Offers:
    """The retrievers of a run, for a chart of quality by time."""

    metric: str
    datasets: tuple[str, ...]
    offers: tuple[Offer, ...]


def latency_table(run: SuiteRun) -> Table | None:
    """A row for each retriever and dataset whose searches were timed; None where none was."""
    if not run.latencies:
        return None
    several = len({each.retriever for each in run.latencies}) > 1
    names = {(e.retriever, e.dataset): deciding(e) for e in run.evaluations}
    metrics = dict.fromkeys(metric.metric for metric in names.values() if metric is not None)
    quality = Column(next(iter(metrics)) if len(metrics) == 1 else "quality")
    first = (Column("dataset", "left"), *([Column("retriever", "left")] if several else []))
    rows = []
    for each in run.latencies:
        metric = names.get((each.retriever, each.dataset))
        shown = "–" if metric is None else score(metric.now)
        if metric is not None and len(metrics) > 1:
            shown = f"{metric.metric} {shown}"
        own = (each.retriever,) if several else ()
        style = _STYLES.get(each.comparison.verdict, "plain")
        rows.append(Row((each.dataset, *own, shown, *_cells(each)), style))
    return Table("Quality and cost of a search", (*first, quality, *_COLUMNS), tuple(rows))


def _cells(result: LatencyResult) -> Iterator[str]:
    sample, comparison = result.sample, result.comparison
    cost = sample.cost
    for seconds in sample.percentiles.values():
        yield _number(seconds * 1000)
    yield _number(sample.rate)
    yield _number(cost.batch_rate)
    yield _number(cost.index_seconds)
    yield _number(None if cost.index_bytes is None else cost.index_bytes / 1e6)
    yield _number(None if cost.resident_bytes is None else cost.resident_bytes / 1e6)
    yield "–" if comparison.change is None else f"{comparison.change:.2f}"
    yield comparison.verdict


def _number(value: float | None) -> str:
    """Three significant digits, without an exponent."""
    if value is None:
        return "–"
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 4)}f}"


def latency_notes(run: SuiteRun) -> Iterator[Remark]:
    """What needs a look, which retrievers are dominated, and what was written."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in run.latencies:
        if each.comparison.verdict in ("slower", "faster"):
            yield Remark("latency", each.line, _STYLES[each.comparison.verdict])
        elif each.comparison.reason:
            key = each.comparison.verdict, each.comparison.reason
            reasons.setdefault(key, []).append(_name(run, each))
    for (verdict, reason), names in reasons.items():
        style = _STYLES.get(verdict, "plain")
        yield Remark(f"latency {verdict}", f"{joined(names)}: {reason}", style)
    yield from _dominated(offers(run))
    for update in run.latency_updates:
        yield Remark("latency", update.text, "green" if update.is_written else "red")


def _dominated(found: Offers | None) -> Iterator[Remark]:
    if found is None:
        return
    by_name = {offer.retriever: offer for offer in found.offers}
    for offer in found.offers:
        if offer.dominated_by is None:
            continue
        better = by_name[offer.dominated_by]
        text = (
            f"{offer.retriever} by {better.retriever}: {found.metric} {score(better.quality)}"
            f" against {score(offer.quality)}, and a search takes"
            f" {better.time / offer.time:.2f} times as long, over"
            f" {plural(len(found.datasets), 'dataset')}"
        )
        yield Remark("dominated", text, "plain")


def _name(run: SuiteRun, result: LatencyResult) -> str:
    several = len({each.retriever for each in run.latencies}) > 1
    return f"{result.retriever} {result.dataset}" if several else result.dataset


def offers(run: SuiteRun) -> Offers | None:
    """Quality by time of several retrievers, over the datasets that all have; None without any."""
    timed = {(each.retriever, each.dataset): each for each in run.latencies}
    scored = {}
    for each in run.evaluations:
        metric = deciding(each)
        if metric is not None and metric.now is not None:
            scored[each.retriever, each.dataset] = (metric.metric, metric.now)
    names = [*dict.fromkeys(each.retriever for each in run.latencies)]
    metrics = {metric for metric, _ in scored.values()}
    datasets = tuple(
        dataset
        for dataset in dict.fromkeys(each.dataset for each in run.latencies)
        if all((name, dataset) in timed and (name, dataset) in scored for name in names)
    )
    if len(names) < 2 or len(metrics) != 1 or not datasets:  # noqa: PLR2004 (nothing to compare)
        return None
    bare = [
        Offer(
            name,
            fmean(scored[name, dataset][1] for dataset in datasets),
            math.exp(fmean(timed[name, dataset].sample.level for dataset in datasets)),
            math.exp(fmean(math.log(_p50(timed[name, dataset])) for dataset in datasets)),
        )
        for name in names
    ]
    return Offers(metrics.pop(), datasets, tuple(_judged(each, bare) for each in bare))


def _p50(result: LatencyResult) -> float:
    return result.sample.percentiles[50]


def _judged(offer: Offer, others: Sequence[Offer]) -> Offer:
    """The offer, with the fastest of those that dominate it."""
    better = [each for each in others if _dominates(each, offer)]
    if not better:
        return offer
    fastest = min(better, key=lambda each: each.time)
    return Offer(offer.retriever, offer.quality, offer.time, offer.seconds, fastest.retriever)


def _dominates(one: Offer, other: Offer) -> bool:
    if one.quality > other.quality:
        return one.time <= other.time
    return one.quality == other.quality and one.time * (1 + _ALIKE) < other.time
