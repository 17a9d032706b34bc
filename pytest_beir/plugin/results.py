"""What arrives on test reports, gathered by (retriever, dataset): the first verdict stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_beir.plugin.payload import ATTRIBUTE, decode

if TYPE_CHECKING:
    import pytest

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation


@dataclass(frozen=True)
class Absence:
    """A test of the suite that ended without a verdict."""

    retriever: str
    dataset: str
    reason: str


@dataclass
class Gathering:
    """Every payload so far.

    `evaluations` holds one evaluation per (retriever, dataset), `failed_keys` those of which any
    test failed, for whatever cause; `clashes` are retrievers' names that two fixtures claim;
    `saved` are the keys whose scores a report holds already, `baselines` what was stored of them
    before the run.
    """

    evaluations: dict[tuple[str, str], Evaluation] = field(default_factory=dict)
    absences: dict[str, Absence] = field(default_factory=dict)
    failed_keys: set[tuple[str, str]] = field(default_factory=set)
    clashes: dict[str, set[str]] = field(default_factory=dict)
    finished: set[str] = field(default_factory=set)
    saved: set[tuple[str, str]] = field(default_factory=set)
    baselines: dict[tuple[str, str], Baseline | None] = field(default_factory=dict)
    _origins: dict[str, set[str]] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def add(self, report: pytest.TestReport) -> Evaluation | None:
        """Take in a report; gives the evaluation if it is the first of its key."""
        if report.when == "teardown" and report.passed:
            return None
        plain: dict[str, Any] | None = getattr(report, ATTRIBUTE, None)
        if plain is None:
            return None
        self.finished.add(report.nodeid)
        if "absent" in plain:
            self._absent(report, plain)
            return None
        return self._evaluated(report, decode(plain))

    def _evaluated(self, report: pytest.TestReport, found: Evaluation) -> Evaluation | None:
        self.absences.pop(report.nodeid, None)
        key = (found.retriever, found.dataset)
        if found.origin:
            origins = self._origins.setdefault(found.retriever, set())
            origins.add(found.origin)
            self._names[found.origin] = found.retriever
            if len(origins) > 1:
                self.clashes[found.retriever] = origins
        if report.failed:
            self.failed_keys.add(key)
        known = self.evaluations.get(key)
        # A rerun may repeat an error with better luck, but never a verdict.
        if known is None or known.verdict == "error":
            self.evaluations[key] = found
            return found if known is None or found.verdict != "error" else None
        return None

    def _absent(self, report: pytest.TestReport, plain: dict[str, Any]) -> None:
        retriever = self.name_of(plain["origin"], plain["retriever"])
        if report.failed:
            self.failed_keys.add((retriever, plain["dataset"]))
        self.absences[report.nodeid] = Absence(retriever, plain["dataset"], plain["absent"])

    def name_of(self, origin: str, fallback: str) -> str:
        """The name of the retriever from that origin, if it was ever there to say it."""
        return self._names.get(origin, fallback)

    def renamed(self) -> None:
        """Give what failed before its retriever existed the name that it bore elsewhere."""
        for key, found in list(self.evaluations.items()):
            name = self.name_of(found.origin, found.retriever)
            if name != found.retriever:
                del self.evaluations[key]
                self.evaluations.setdefault((name, found.dataset), replace(found, retriever=name))
