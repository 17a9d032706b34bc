"""A whole run of the suite: every evaluation, what did not run, and the averages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.evaluation import Evaluation
    from pytest_beir.gate.average import AverageSet
    from pytest_beir.gate.comparison import Comparison


@dataclass(frozen=True)
class RetrieverFamily:
    """One retriever of the run: how many tests share its α, and by what weights."""

    name: str
    version: str | None
    family: int
    weights: float
    alpha: float


@dataclass(frozen=True)
class DidNotRun:
    """A declared dataset without a result, and why: deselected, skipped, crashed, …"""

    retriever: str
    dataset: str
    reason: str
    on_purpose: bool


@dataclass(frozen=True)
class Average:
    """The macro average of one metric over the declared set, or the reason why there is none.

    `now` and `baseline` are None where `withheld` is set; `verdict` is None where the metric is
    not gated. `set` is the identity without which no average is shown.
    """

    retriever: str
    metric: str
    set: AverageSet
    gated: bool
    now: float | None = None
    baseline: float | None = None
    withheld: str | None = None
    on_purpose: bool = False
    verdict: str | None = None
    reason: str | None = None
    alpha: float | None = None
    comparison: Comparison | None = None
    anchor: float | None = None
    against_anchor: Comparison | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class SuiteRun:
    """Everything a report says; evaluations in the order of the declared suite.

    `declared` are the names of the whole suite, `selected` those this run was to cover.
    `updates` are lines like `scifact: new, .5597` for baselines written.
    """

    suite_id: str
    declared: tuple[str, ...]
    selected: tuple[str, ...]
    retrievers: tuple[RetrieverFamily, ...]
    evaluations: tuple[Evaluation, ...]
    did_not_run: tuple[DidNotRun, ...] = ()
    averages: tuple[Average, ...] = ()
    updates: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
