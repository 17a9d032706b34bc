"""A whole run of the suite: every evaluation, what did not run, and the averages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.latency.result import LatencyResult, LatencyUpdate
    from pytest_beir.published.claims import JudgedClaim
    from pytest_beir.suite.averages import Average, DiffuseLoss


@dataclass(frozen=True)
class RetrieverFamily:
    """One retriever of the run: how many tests share its α, and by what weights.

    `trained_on` is None where nobody says.
    """

    name: str
    version: str | None
    family: int
    weights: float
    alpha: float
    trained_on: tuple[str, ...] | None = None


@dataclass(frozen=True)
class DidNotRun:
    """A declared dataset without a result, and why: deselected, skipped, crashed, …"""

    retriever: str
    dataset: str
    reason: str
    on_purpose: bool


@dataclass(frozen=True)
class Complaint:
    """A flag that fails the run; no two of a run have the same `subject`.

    `evaluation` has the flag; it is None for a flag of the run as a whole, which `reason`
    explains. `name` is the flag in full: `suspect:R@100` where `flag` is `suspect`.
    """

    subject: str
    flag: str
    name: str
    reason: str = ""
    evaluation: Evaluation | None = None


@dataclass(frozen=True)
class RunFailure:
    """What fails the run as a whole, whatever its datasets say; no two of a run share a `key`.

    `brief` says it in a few words, for a headline.
    """

    key: str
    text: str
    brief: str


@dataclass(frozen=True)
class Ending:
    """How the run ended: `running` until it has.

    `reasons` say what failed or stopped it beside its verdicts: another test, an interrupt, …
    """

    status: Literal["running", "passed", "failed", "incomplete"]
    exit_status: int | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class SuiteRun:
    """Everything a report says; evaluations in the order of the declared suite.

    `declared` are the names of the whole suite, `selected` those this run was to cover.
    `claims` are published averages beside each retriever's own, `complaints` the flags that were
    declared to fail the run, `failures` what else fails it as a whole. `ending` is None where two
    sides are compared, and nothing was run.
    `latencies` are what searches took, where they were timed, `latency_updates` lines on files of
    times that were to be written. `suite` and `gate_settings` are what `suite_id` is made of.
    `updates` are lines like `scifact: new, .5597` for baselines written; `command` is what was
    typed, so that a remedy can repeat it.
    """

    suite_id: str
    declared: tuple[str, ...]
    selected: tuple[str, ...]
    retrievers: tuple[RetrieverFamily, ...]
    evaluations: tuple[Evaluation, ...]
    did_not_run: tuple[DidNotRun, ...] = ()
    averages: tuple[Average, ...] = ()
    diffuse: tuple[DiffuseLoss, ...] = ()
    updates: tuple[str, ...] = ()
    claims: tuple[tuple[str, JudgedClaim], ...] = ()
    unused_baselines: tuple[tuple[str, str], ...] = ()
    complaints: tuple[Complaint, ...] = ()
    failures: tuple[RunFailure, ...] = ()
    ending: Ending | None = None
    command: str = "pytest --beir"
    environment: Mapping[str, Any] = field(default_factory=dict)
    suite: tuple[DeclaredDataset, ...] = ()
    gate_settings: Mapping[str, Any] = field(default_factory=dict)
    latencies: tuple[LatencyResult, ...] = ()
    latency_updates: tuple[LatencyUpdate, ...] = ()

    @property
    def fails_as_a_whole(self) -> bool:
        """Whether an average or a diffuse test fails the run."""
        averages = any(average.fails for average in self.averages)
        return averages or any(loss.fails for loss in self.diffuse)
