"""Acceptance: which scores of a report become baselines, decided without retrieving again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.next_baseline import next_baseline
from pytest_beir.baselines.update import CATEGORIES
from pytest_beir.errors import BaselineError, ReportError
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.reports.wording import update_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.baselines.update import Update
    from pytest_beir.configuration.config import Config
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.reports.report_result import Result
    from pytest_beir.stored_results.report_folder import ReportFolder

    Stored = Callable[[str, str], Baseline | None]

_PASSING = ("unchanged", "improved", "within tolerance")
_HARMLESS = frozenset({"improved", "neutral"})


@dataclass(frozen=True)
class Decision:
    """What becomes of one result: `baseline` is to be written, or `text` says why there is none.

    `text` tells old and new means where a baseline is written. `refused` marks what would have
    been permitted, or was never measured.
    """

    retriever: str
    dataset: str
    text: str
    category: str | None = None
    baseline: Baseline | None = None
    refused: bool = False


def decide(
    report: ReportFolder,
    config: Config,
    stored: Stored,
    *,
    permitted: frozenset[str],
    reason: str,
    today: str,
) -> tuple[Decision, ...]:
    """A decision for every result, in the report's order; nothing is written.

    The scores are judged against the baselines that `stored` gives, by the gate of `config` over
    the report's suite.

    Raises:
        ReportError: The report's parts do not fit together.

    """
    if not report.report.results:
        raise ReportError(
            "the report holds no result, so nothing can be accepted",
            file=report.path,
            remedy="make it again with `pytest --beir --beir-report=DIR`",
        )
    report.identities()
    judge = _Decider(report, config, stored, permitted, reason, today)
    return tuple(judge.decisions())


@dataclass(frozen=True)
class _Decider:
    report: ReportFolder
    config: Config
    stored: Stored
    permitted: frozenset[str]
    reason: str
    today: str

    def decisions(self) -> Iterator[Decision]:
        yield from map(self._decided, self.report.results.values())

    def _decided(self, result: Result) -> Decision:
        try:
            return self._decide(result)
        except BaselineError as error:  # of this dataset alone
            return self._refused(result, str(error))

    def _decide(self, result: Result) -> Decision:
        measurement = self.report.measurement(result)
        if measurement is None:
            return self._refused(result, f"{result.verdict}: {result.reason}")
        gated = self.config.gate_for(result.retriever).metrics
        lacking = [metric for metric in gated if metric not in measurement.definitions]
        if lacking:
            names = ", ".join(lacking)
            return self._refused(result, f"the report does not record {names}, which is gated")
        old = self.stored(result.retriever, result.dataset)
        evaluation = self._judged(measurement, old, self.permitted)
        if evaluation.update is None:
            return self._left(result, evaluation)
        update = evaluation.update
        if result.passed:
            update = self._mildest(measurement, old, update)
        elif result.verdict in _PASSING:
            return self._refused(result, "its test failed, and not by its scores alone")
        elif update.category in _HARMLESS:
            return self._refused(
                result, f"the report says {result.verdict}; 'dropped' takes it all the same"
            )
        return self._accepted(result, old, evaluation, update)

    def _judged(
        self, measurement: Measurement, old: Baseline | None, permitted: frozenset[str]
    ) -> Evaluation:
        rules = rules_for(self.config, measurement.retriever, self.report.suite, permitted)
        return evaluate(measurement, old, rules)

    def _mildest(self, measurement: Measurement, old: Baseline | None, update: Update) -> Update:
        """The same update under the first category that allows it: a gain was not *dropped*."""
        if update.category == "dropped":
            for category in sorted(self.permitted & _HARMLESS):
                milder = self._judged(measurement, old, frozenset({category})).update
                if milder is not None and replace(milder, category="dropped") == update:
                    return milder
        return update

    def _accepted(
        self, result: Result, old: Baseline | None, evaluation: Evaluation, update: Update
    ) -> Decision:
        accepted = Acceptance(self.today, self.report.commit, update.category, self.reason)
        measured = self.report.scores(result)
        versions = measured.history.versions if measured is not None else {}
        return Decision(
            result.retriever,
            result.dataset,
            update_line(old, evaluation, update.category),
            update.category,
            next_baseline(
                old, evaluation.as_baseline(accepted=accepted, versions=versions), update
            ),
        )

    def _left(self, result: Result, evaluation: Evaluation) -> Decision:
        if evaluation.verdict == "error":
            return self._refused(result, evaluation.reason)
        if evaluation.update_refused:
            return self._refused(result, evaluation.update_refused)
        if evaluation.verdict == "unchanged":
            text = "unchanged: the baseline holds these scores"
        else:
            permitted = ", ".join(each for each in CATEGORIES if each in self.permitted)
            text = f"left as it is: {evaluation.verdict}, and only {permitted} may be written"
        return Decision(result.retriever, result.dataset, f"{result.dataset}: {text}")

    @staticmethod
    def _refused(result: Result, why: str) -> Decision:
        text = f"{result.dataset}: refused, {why}"
        return Decision(result.retriever, result.dataset, text, refused=True)
