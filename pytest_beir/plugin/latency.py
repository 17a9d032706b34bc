"""The latency tests: measured by pytest-benchmark and compared with stored times."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir import provenance
from pytest_beir.errors import BeirError
from pytest_beir.latency.baseline_file import LatencyBaseline, load_latency, path_of, save_latency
from pytest_beir.latency.machine import this_machine
from pytest_beir.latency.measurement import LatencyMeasurement, chosen
from pytest_beir.latency.sample import Cost, LatencySample, sample_of
from pytest_beir.latency.verdict import LatencyComparison, compare_latency, confirmed
from pytest_beir.plugin import state
from pytest_beir.retrieval.user_code import printable

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.latency.baseline_file import LatencyCategory
    from pytest_beir.plugin.options import Options
    from pytest_beir.retrieval.retriever import RetrieverUnderTest

TOP_K = 100
ALPHA = 0.05
_PLUGIN = "beir-latency"
# Which option permits writing the times of a category.
_PERMITTED_BY: dict[LatencyCategory, str] = {"new": "new", "faster": "improved", "slower": "slower"}


def activate(config: pytest.Config, options: Options) -> None:
    """Register what keeps, writes and shows the times.

    Raises pytest.UsageError where pytest-benchmark, which measures, is not loaded.
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
        pytest.fail(printable(str(error)), pytrace=False)
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


@dataclass(frozen=True)
class _Result:
    """What was measured, against what was stored; `category` is what writing it would be."""

    measured: LatencyBaseline
    comparison: LatencyComparison
    category: LatencyCategory | None

    @property
    def line(self) -> str:
        """The verdict and the times, in one line."""
        comparison, sample = self.comparison, self.measured.sample
        parts = [f"{self.measured.retriever} {self.measured.dataset}: {comparison.verdict}"]
        if comparison.change is not None and comparison.least is not None:
            parts.append(
                f"a search takes {comparison.change:.2f} times as long"
                f" (counts from {comparison.least:.2f})"
            )
        if comparison.reason:
            parts.append(comparison.reason)
        times = ", ".join(
            f"p{share} {taken * 1000:.3g} ms" for share, taken in sample.percentiles.items()
        )
        parts.append(f"{times}, {sample.rate:.3g} queries/s")
        return "; ".join([*parts, *_costs(sample.cost)])


def _costs(cost: Cost) -> list[str]:
    shown = (
        ("in one batch", cost.batch_rate, "{:.3g} queries/s"),
        ("indexed in", cost.index_seconds, "{:.2g} s"),
        ("index", _megabytes(cost.index_bytes), "{:.3g} MB on disk"),
        ("memory", _megabytes(cost.resident_bytes), "{:+.3g} MB"),
    )
    return [f"{name} {form.format(value)}" for name, value, form in shown if value is not None]


def _megabytes(size: int | None) -> float | None:
    return None if size is None else size / 1e6


class Latencies:
    """Measures in the process that the user watches, and writes at its end what is permitted."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._results: list[_Result] = []
        self._texts: list[str] = []
        self.writes: frozenset[LatencyCategory] = frozenset(
            category for category, kind in _PERMITTED_BY.items() if kind in options.permitted
        )

    def measured(
        self, dataset: Dataset, benchmark: Any, name: str, retriever: RetrieverUnderTest
    ) -> _Result:
        """The times of a dataset's searches, a change confirmed by measuring again.

        Raises:
            BeirError: the retriever fails, or the stored times are malformed.

        """
        baseline = load_latency(self._options.baselines, name, dataset.name)
        before = _resident()
        cache = dataset.corpus.cache_dir if dataset.corpus is not None else None
        size = _size(cache)
        retriever.index_again()
        start = perf_counter()
        searcher = retriever.searcher(dataset)
        indexed = perf_counter() - start
        after = _resident()
        queries = chosen(dataset.queries)
        start = perf_counter()
        searcher(queries, TOP_K)
        batch = perf_counter() - start
        cost = Cost(
            index_seconds=indexed,
            index_bytes=_size(cache) - size,
            resident_bytes=None if before is None or after is None else after - before,
            batch_rate=len(queries) / batch if batch > 0 else None,
        )

        def search(query: str, text: str) -> object:
            return searcher({query: text}, TOP_K)

        measurement = LatencyMeasurement(search, queries)
        benchmark.pedantic(
            measurement.search_next,
            setup=measurement.prepare,
            rounds=measurement.rounds,
            iterations=1,
        )
        sample = sample_of(measurement.passes_of(list(benchmark.stats.stats.data)), cost)
        current = self._current(dataset, name, sample, retriever)
        comparison = self._compared(baseline, current)
        if baseline is not None and comparison.verdict in ("slower", "faster"):
            again = sample_of(LatencyMeasurement(search, queries).run(), cost)
            second = self._compared(baseline, replace(current, sample=again))
            comparison = confirmed(comparison, second)
        categories: dict[str, LatencyCategory] = {
            "no baseline": "new",
            "faster": "faster",
            "slower": "slower",
        }
        result = _Result(current, comparison, categories.get(comparison.verdict))
        self._results.append(result)
        return result

    def _current(
        self, dataset: Dataset, name: str, sample: LatencySample, retriever: RetrieverUnderTest
    ) -> LatencyBaseline:
        return LatencyBaseline(
            retriever=name,
            dataset=dataset.name,
            split=dataset.split,
            fingerprints={
                "queries": dataset.fingerprints.queries,
                "corpus": dataset.fingerprints.corpus,
            },
            machine=this_machine(),
            sample=sample,
            written=provenance.today(),
            commit=provenance.commit(self._options.project),
            category="new",
            reason=self._options.reason,
            versions=provenance.versions(retriever.version, retriever.libraries),
        )

    def _compared(
        self, baseline: LatencyBaseline | None, current: LatencyBaseline
    ) -> LatencyComparison:
        reason = _incomparable(baseline, current)
        if baseline is None or reason is not None:
            return LatencyComparison("no baseline", reason, 0)
        alpha = ALPHA / len(self._options.names)
        return compare_latency(baseline.sample, current.sample, alpha=alpha)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hook: write what is permitted."""
        for result in self._results:
            if result.category is None or result.category not in self.writes:
                continue
            times = replace(result.measured, category=result.category)
            try:
                save_latency(self._options.baselines, times)
            except BeirError as error:
                self._texts.append(f"not written: {error}")
                if session.exitstatus == pytest.ExitCode.OK:
                    session.exitstatus = pytest.ExitCode.TESTS_FAILED
                continue
            path = path_of(self._options.baselines, times.retriever, times.dataset)
            self._texts.append(f"written: {path.parent.name}/{path.name} ({result.category})")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Hook: a line for each dataset, and what was written."""
        if not self._results:
            return
        terminalreporter.section("beir latency", sep="=")
        for result in self._results:
            is_red = result.comparison.verdict == "slower"
            terminalreporter.write_line(printable(result.line), red=is_red)
        for text in self._texts:
            terminalreporter.write_line(printable(text))


def _incomparable(baseline: LatencyBaseline | None, current: LatencyBaseline) -> str | None:
    """Why stored times say nothing of these: another machine, other queries, another corpus."""
    if baseline is None:
        return "--beir-update stores one"
    differences = baseline.machine.differences(current.machine)
    if differences:
        return f"the stored times are of another class of machine ({'; '.join(differences)})"
    for part, fingerprint in current.fingerprints.items():
        if baseline.fingerprints.get(part) != fingerprint:
            return f"the stored times are of another state of the {part}"
    return None


def _resident() -> int | None:
    """The memory of this process in bytes, None where the system does not say."""
    if not sys.platform.startswith("linux"):
        return None
    import resource
    from pathlib import Path

    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * resource.getpagesize()


def _size(folder: Path | None) -> int:
    if folder is None:
        return 0
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
