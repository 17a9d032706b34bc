"""One retriever's times on one dataset, against what was stored: what reports show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_beir.latency.baseline_file import LatencyBaseline, LatencyCategory
    from pytest_beir.latency.sample import LatencySample
    from pytest_beir.latency.verdict import LatencyComparison

_CATEGORIES: dict[str, LatencyCategory] = {
    "no baseline": "new",
    "faster": "faster",
    "slower": "slower",
    "same": "again",
}

_REMEDIES = {
    "slower": "if that is wanted: --beir-accept=slower --beir-reason=TEXT",
    "faster": "--beir-update stores the new times",
}


@dataclass(frozen=True)
class LatencyUpdate:
    """A line on a file of times: what was written, or why it was not."""

    text: str
    is_written: bool


@dataclass(frozen=True)
class LatencyResult:
    """What was measured, against what was stored."""

    measured: LatencyBaseline
    comparison: LatencyComparison

    @property
    def retriever(self) -> str:
        """Whose searches were timed."""
        return self.measured.retriever

    @property
    def dataset(self) -> str:
        """Where they searched."""
        return self.measured.dataset

    @property
    def sample(self) -> LatencySample:
        """The times."""
        return self.measured.sample

    @property
    def category(self) -> LatencyCategory | None:
        """What writing the times would be; None where there is nothing that could be written."""
        return _CATEGORIES.get(self.comparison.verdict)

    @property
    def line(self) -> str:
        """The verdict and the reason for it, in one line."""
        comparison = self.comparison
        parts = [f"{self.retriever} {self.dataset}: {comparison.verdict}"]
        if comparison.change is not None and comparison.least is not None:
            parts.append(
                f"a search takes {comparison.change:.2f} times as long"
                f" ({comparison.lower:.2f} to {comparison.upper:.2f};"
                f" counts from {comparison.least:.2f})"
            )
        if comparison.reason:
            parts.append(comparison.reason)
        if comparison.verdict in _REMEDIES:
            parts.append(_REMEDIES[comparison.verdict])
        return "; ".join(parts)
