"""The result of one dataset for one retriever, whole: what every report is made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.baselines.next_baseline import first_baseline
from pytest_beir.errors import BaselineError
from pytest_beir.explanation.explain import Explanation
from pytest_beir.flags import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.baselines.baseline import Acceptance, Baseline
    from pytest_beir.baselines.update import Update
    from pytest_beir.datasets.dataset import DatasetIdentity
    from pytest_beir.evaluation.check import Check
    from pytest_beir.explanation.pool import PoolCheck
    from pytest_beir.gate.noise import Noise
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.scoring.scorer import Scores


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What the gate decides of one dataset.

    `verdict` is the worst of the gated metrics', `reason` its explanation in one line; on `error`
    `metrics` is empty. `gated_groups` hold the verdicts on the groups that the config
    gates, `group_queries` the queries of each.
    `passed` says whether the test passes, strict flags aside, which `strict_failures` names.
    `judged_at_10` is the mean Judged@10 now and in the baseline. `pool` is the part of unjudged
    documents in a regression, where the judgements were at hand. `confirmed` says whether a second
    search regressed as well, None where there was none, or nothing to confirm. `update` is set
    where permitted options write a baseline, `update_refused` says why a permitted one does not.
    """

    verdict: str
    reason: str
    passed: bool
    weight: float = 1.0
    margin: float = 0.02
    flags: tuple[str, ...] = ()
    strict_failures: tuple[str, ...] = ()
    metrics: Mapping[str, MetricVerdict] = field(default_factory=dict)
    gated_groups: tuple[MetricVerdict, ...] = ()
    group_queries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    judged_at_10: tuple[float | None, float | None] = (None, None)
    pool: PoolCheck | None = None
    zero_shot: str = "unknown"
    confirmed: bool | None = None
    update: Update | None = None
    update_refused: str | None = None

    @property
    def is_excused(self) -> bool:
        """Whether it regressed and passes all the same, without its baseline being written."""
        return self.verdict == "regressed" and self.passed and self.update is None

    @property
    def missed(self) -> tuple[Check, ...]:
        """The pinned queries that were lost, and the floors that were missed."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def failing_flags(self) -> Iterator[str]:
        """Every flag that could be declared to fail, `suspect:METRIC` in full."""
        for flag in self.flags:
            if named(flag).may_fail:
                yield flag
        if self.verdict == "inconclusive":
            yield "inconclusive"
        if self.verdict == "improved" and self.update is None:
            yield "stale-baseline"


@dataclass(frozen=True, kw_only=True)
class Evaluation(Judged):
    """What was measured on a dataset, what the gate decided of it, and what explains it.

    `message` is the one line of a failed test. On `error` there are no `scores`; `second` are those
    of the search that confirmed a regression, or did not. `noise` and `varying` are what repeating
    the retrieval showed. `data_warnings` are those of `warnings` that are about the dataset, and
    so the same in every run. `raised` says that an exception of the user's code ended it.
    """

    retriever: str
    version: str | None = None
    dataset: str
    split: str
    message: str = ""
    queries: int = 0
    missing: int = 0
    explanation: Explanation = field(default_factory=Explanation)
    trained_on: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    data_warnings: tuple[str, ...] = ()
    identity: DatasetIdentity | None = None
    scores: Scores | None = None
    second: Scores | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    same_text: tuple[tuple[str, ...], ...] = ()
    recorded: Mapping[str, str] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    noise: tuple[Noise, ...] = ()
    varying: tuple[str, ...] = ()
    resumed: bool = False
    raised: bool = False
    checked_against_corpus: bool = True
    seconds: float = 0.0

    def as_baseline(self, *, accepted: Acceptance, versions: Mapping[str, str | None]) -> Baseline:
        """The scores in the form of a first baseline, as a report holds them in `scores/`.

        Raises:
            BaselineError: Nothing was scored.

        """
        if self.scores is None or self.identity is None:
            raise BaselineError(f"{self.dataset}: nothing was scored")
        return first_baseline(
            self.retriever,
            self.scores,
            self.identity,
            self.definitions,
            accepted=accepted,
            versions=versions,
            same_text=self.same_text,
            recorded=self.recorded,
            second=self.second,
        )


def failed(retriever: str, dataset: str, split: str, reason: str) -> Evaluation:
    """The evaluation of a dataset that could not be measured; the reason need not name it."""
    return Evaluation(
        retriever=retriever,
        dataset=dataset,
        split=split,
        verdict="error",
        reason=reason.removeprefix(f"{dataset}: "),
        passed=False,
    )
