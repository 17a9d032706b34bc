"""The latency tests: measured by pytest-benchmark and compared with stored times."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir import provenance
from pytest_beir.errors import BeirError
from pytest_beir.latency.baseline_file import (
    MOST_SESSIONS,
    LatencyBaseline,
    load_latency,
    path_of,
    save_latency,
)
from pytest_beir.latency.cost import indexed
from pytest_beir.latency.machine import this_machine
from pytest_beir.latency.measurement import (
    Design,
    LatencyMeasurement,
    designed,
)
from pytest_beir.latency.result import LatencyResult, LatencyUpdate
from pytest_beir.latency.sample import Cost, LatencySample
from pytest_beir.latency.verdict import (
    LatencyComparison,
    LatencyLimits,
    compare_latency,
    confirmed,
)
from pytest_beir.plugin import state
from pytest_beir.retrieval.user_code import printable

if TYPE_CHECKING:
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.latency.baseline_file import LatencyCategory
    from pytest_beir.plugin.options import Options
    from pytest_beir.retrieval.retriever import RetrieverUnderTest

TOP_K = 100
# Seconds between the measurement that saw a change and the one that confirms it.
PAUSE = 2.0
_PLUGIN = "beir-latency"
# Which option permits writing the times of a category.
_PERMITTED_BY: dict[LatencyCategory, str] = {
    "new": "new",
    "again": "new",
    "faster": "improved",
    "slower": "slower",
}


def activate(config: pytest.Config, options: Options) -> None:
    """Register what keeps, writes and shows the times.

    Raises:
        pytest.UsageError: pytest-benchmark, which measures, is not loaded.

    """
    if not any(map(config.pluginmanager.has_plugin, ("benchmark", "pytest_benchmark.plugin"))):
        raise pytest.UsageError(
            "--beir-latency measures with pytest-benchmark, which is not loaded: install "
            "'pytest-beir[latency]', and leave out -p no:benchmark"
        )
    config.pluginmanager.register(Latencies(options), _PLUGIN)


def run(request: pytest.FixtureRequest, dataset: Dataset, benchmark: Any, value: Any) -> None:
    """Measure, compare, keep the result; fail the test where searches became slower."""
    if hasattr(request.config, "workerinput"):
        pytest.skip("latency is not measured beside other workers: run without -n")
    if benchmark.disabled:
        pytest.skip("latency is not measured: --benchmark-disable switches it off")
    latencies: Any = request.config.pluginmanager.get_plugin(_PLUGIN)
    try:
        name, retriever = state.runner(request.config).opened(request, value)
        reason = _unmeasurable(dataset, retriever)
        if reason is not None:
            pytest.skip(reason)
        result = latencies.measured(dataset, benchmark, name, retriever)
    except BeirError as error:
        raise pytest.fail.Exception(printable(str(error)), pytrace=False) from None
    if result.comparison.verdict == "slower" and result.category not in latencies.writes:
        pytest.fail(result.line, pytrace=False)


def _unmeasurable(dataset: Dataset, retriever: RetrieverUnderTest) -> str | None:
    if not retriever.searches:
        return "rankings made elsewhere are read, not searched: they have no latency"
    if dataset.members:
        return f"{dataset.name} has {len(dataset.members)} parts with an index each: name one"
    if dataset.corpus is None:
        return f"{dataset.name} has no corpus to search"
    return None


class Latencies:
    """Measures in the process that the user watches, and writes at its end what is permitted."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.results: list[LatencyResult] = []
        self.updates: list[LatencyUpdate] = []
        self.writes: frozenset[LatencyCategory] = frozenset(
            category for category, kind in _PERMITTED_BY.items() if kind in options.permitted
        )

    def measured(
        self, dataset: Dataset, benchmark: Any, name: str, retriever: RetrieverUnderTest
    ) -> LatencyResult:
        """The times of a dataset's searches, a change confirmed by measuring again.

        Raises:
            BeirError: the retriever fails, or the stored times are malformed.

        """
        budget = self._options.config.latency.seconds
        stored = load_latency(self._options.baselines, name, dataset.name)
        searcher, cost = indexed(dataset, retriever)

        def search(query: str, text: str) -> object:
            return searcher({query: text}, TOP_K)

        current = self._circumstances(dataset, name, retriever)
        baseline, reason = _comparable(stored, current)
        design = (
            designed(search, dataset.queries, budget=budget)
            if baseline is None
            else baseline.design
        )
        texts = {query: dataset.queries[query] for query in design.queries}
        start = perf_counter()
        searcher(texts, TOP_K)
        batch = perf_counter() - start
        cost = replace(cost, batch_rate=len(texts) / batch if batch > 0 else None)
        measurement = LatencyMeasurement(search, dataset.queries, design)
        benchmark.pedantic(
            measurement.search_next,
            setup=measurement.prepare,
            rounds=measurement.rounds,
            iterations=1,
        )
        first = measurement.blocks_of(list(benchmark.stats.stats.data))
        sample = measurement.sample(first, cost, budget)
        current = replace(current, design=design, sample=sample, levels=(sample.level,))
        if baseline is None:
            comparison = LatencyComparison("no baseline", reason, 0)
        else:
            comparison = self._compared(baseline, sample)
            if comparison.verdict in ("slower", "faster"):
                sleep(PAUSE)
                again = LatencyMeasurement(search, dataset.queries, design)
                second = again.sample(again.run(), cost, budget)
                comparison = confirmed(comparison, self._compared(baseline, second))
        result = LatencyResult(current, comparison)
        self.results.append(result)
        return result

    def _circumstances(
        self, dataset: Dataset, name: str, retriever: RetrieverUnderTest
    ) -> LatencyBaseline:
        """Everything about a measurement but what it measures."""
        return LatencyBaseline(
            retriever=name,
            dataset=dataset.name,
            split=dataset.split,
            fingerprints={
                "queries": dataset.fingerprints.queries,
                "corpus": dataset.fingerprints.corpus,
            },
            machine=this_machine(),
            design=Design(()),
            sample=LatencySample({}, 0.0, {}, 0.0, Cost()),
            levels=(),
            written=provenance.today(),
            commit=provenance.commit(self._options.project),
            category="new",
            reason=self._options.reason,
            versions=provenance.versions(retriever.version, retriever.libraries),
        )

    def _compared(self, baseline: LatencyBaseline, now: LatencySample) -> LatencyComparison:
        settings = self._options.config.latency
        limits = LatencyLimits(
            settings.alpha / len(self._options.names), settings.min_effect, settings.margin
        )
        return compare_latency(baseline.sample, now, limits, levels=baseline.levels)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hook: write what is permitted."""
        for result in self.results:
            if result.category is None or result.category not in self.writes:
                continue
            try:
                text = self._written(result)
            except BeirError as error:
                self.updates.append(LatencyUpdate(f"not written: {error}", is_written=False))
                if session.exitstatus == pytest.ExitCode.OK:
                    session.exitstatus = pytest.ExitCode.TESTS_FAILED
                continue
            if text:
                self.updates.append(LatencyUpdate(text, is_written=True))

    def _written(self, result: LatencyResult) -> str | None:
        """Where the times were written, as what; None where enough is stored."""
        folder, current = self._options.baselines, result.measured
        times = replace(current, category=result.category or "new")
        how: str = times.category
        if times.category == "again":
            stored = load_latency(folder, current.retriever, current.dataset)
            before = _comparable(stored, current)[0]
            if before is None or len(before.levels) >= MOST_SESSIONS:
                return None
            times = before.with_session(current.sample)
            how = f"session {len(times.levels)} of {MOST_SESSIONS}"
        save_latency(folder, times)
        path = path_of(folder, times.retriever, times.dataset)
        return f"written: {path.parent.name}/{path.name} ({how})"


def _comparable(
    stored: tuple[LatencyBaseline, ...], current: LatencyBaseline
) -> tuple[LatencyBaseline | None, str]:
    """The stored times that these may be compared with, or why there are none."""
    if not stored:
        return None, "--beir-update stores one"
    for baseline in stored:
        if baseline.machine == current.machine:
            for part, fingerprint in current.fingerprints.items():
                if baseline.fingerprints.get(part) != fingerprint:
                    return None, f"the stored times are of another state of the {part}"
            return baseline, ""
    differences = "; ".join(stored[0].machine.differences(current.machine))
    return None, f"the stored times are of another class of machine ({differences})"
