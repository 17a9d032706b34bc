"""Two systems compared as the gate compares one with its baseline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.next_baseline import first_baseline
from pytest_beir.configuration.declaration import resolve, resolve_stored
from pytest_beir.errors import BeirError, ReportError, UsageError
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.measurement import with_data
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.reports.wording import one_line
from pytest_beir.stored_results.query_view import ComparedScores
from pytest_beir.stored_results.sides import Runs, Side, StoredScores
from pytest_beir.suite.assembly import assemble
from pytest_beir.suite.run import DidNotRun

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.config import Config
    from pytest_beir.configuration.declared_dataset import DataSource, DeclaredDataset
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.suite.run import SuiteRun

_OPTION = "--datasets"


@dataclass(frozen=True)
class Sides:
    """What is compared: `before` takes the place of the baseline."""

    before: Side
    after: Side

    @property
    def retriever(self) -> str:
        """The name whose gate settings hold: a stored one's rather than that of a file."""
        stored = [each for each in (self.after, self.before) if isinstance(each, StoredScores)]
        return stored[0].name if stored else self.after.name

    @property
    def common(self) -> tuple[str, ...] | None:
        """The datasets of both, None where neither side says which it has."""
        known = [each.datasets for each in (self.before, self.after) if each.datasets is not None]
        if not known:
            return None
        return tuple(name for name in known[0] if all(name in names for names in known))

    @property
    def left_over(self) -> Mapping[str, str]:
        """{dataset: the side that has it} for those that only one side has."""
        common = self.common or ()
        return {
            name: side.label
            for side in (self.before, self.after)
            for name in side.datasets or ()
            if name not in common
        }


def declared_for(
    sides: Sides, words: Sequence[str] | None, config: Config, base: Path
) -> tuple[DeclaredDataset, ...]:
    """The suite that is compared: what `words` declare, else what both sides have.

    Two folders of runs are compared over `datasets:` of the config where it says so.

    Raises:
        UsageError: There is nothing to compare.

    """
    if words is not None:
        return resolve(words, config, base=base, option=_OPTION)
    stored = any(isinstance(each, StoredScores) for each in (sides.before, sides.after))
    if not stored and sides.common is not None and config.datasets is not None:
        return resolve(None, config, base=base)
    common = sides.common
    if common is None or _is_ambiguous(sides, common):
        raise UsageError("which dataset do the run files answer? Add --dataset=NAME_OR_FOLDER")
    if not common:
        raise UsageError(
            f"nothing to compare: {_held(sides.before)}, {_held(sides.after)}, and no dataset is"
            " in both"
        )
    return resolve_stored(common, config, base=base)


@dataclass(frozen=True)
class SideBySide:
    """Two sides under the gate's settings, the first in the place of baselines.

    Runs are scored on what `data` gives; stored scores get their judgements from there where it
    has the same data. `baselines` takes up the first side's scores by dataset as they are read.
    """

    sides: Sides
    config: Config
    data: DataSource
    baselines: dict[str, Baseline] = field(default_factory=dict)

    def run(
        self,
        suite: Sequence[DeclaredDataset],
        *,
        left_over: Mapping[str, str] | None = None,
        environment: Mapping[str, Any] | None = None,
    ) -> SuiteRun:
        """The run of the gate over `suite`; `left_over` names datasets of one side, to be told.

        What cannot be read or scored is an error of its dataset alone.
        """
        name = self.sides.retriever
        rules = rules_for(self.config, name, suite)
        names = [each.name for each in suite]
        return assemble(
            suite=suite,
            selected=names,
            config=self.config,
            evaluations=[self._evaluation(each, rules) for each in suite],
            did_not_run=[
                DidNotRun(name, dataset, f"only {label} has it", on_purpose=True)
                for dataset, label in (left_over or {}).items()
                if dataset not in names
            ],
            stored=lambda _, dataset: self.baselines.get(dataset),
            command="",
            environment=environment,
        )

    def scores(self, declared: DeclaredDataset) -> ComparedScores:
        """What both sides scored on one dataset, query by query.

        Raises:
            BeirError: A side cannot be read or scored.

        """
        before, after = self.sides.before, self.sides.after
        dataset = self._dataset(declared)
        measured = [self._measured(side, declared, dataset) for side in (before, after)]
        same = dataset is not None and dataset.identity == measured[1].identity
        return ComparedScores(
            labels=(before.label, after.label),
            scores=(measured[0].scores, measured[1].scores),
            metrics=rules_for(self.config, self.sides.retriever, (declared,)).gate.metrics,
            dataset=dataset if same else None,
        )

    def _evaluation(self, declared: DeclaredDataset, rules: Rules) -> Evaluation:
        try:
            found = self._compared(declared, rules)
        except BeirError as error:
            reason = " ".join(str(error).split())
            found = failed(self.sides.retriever, declared.name, declared.split or "", reason)
        return replace(found, message=one_line(found))

    def _dataset(self, declared: DeclaredDataset) -> Dataset | None:
        """The dataset, which run files cannot do without."""
        reads_runs = any(isinstance(each, Runs) for each in (self.sides.before, self.sides.after))
        return self.data.load(declared) if reads_runs else self.data.at_hand(declared)

    def _compared(self, declared: DeclaredDataset, rules: Rules) -> Evaluation:
        after, dataset = self.sides.after, self._dataset(declared)
        baseline = self._baseline(declared, dataset, rules)
        if baseline is not None:
            self.baselines[declared.name] = baseline
        measurement = self._measured(after, declared, dataset)
        lacking = [m for m in rules.gate.metrics if m not in measurement.scores.values]
        if lacking:
            raise ReportError(
                f"{after.label}: does not record {', '.join(lacking)}, which is gated"
            )
        same = dataset is not None and dataset.identity == measurement.identity
        return evaluate(measurement, baseline, rules, dataset if same else None)

    def _baseline(
        self, declared: DeclaredDataset, dataset: Dataset | None, rules: Rules
    ) -> Baseline | None:
        side = self.sides.before
        if isinstance(side, StoredScores):
            read = side.read.get(declared.name)
            return read() if read is not None else None
        measurement = self._measured(side, declared, dataset)
        missing, allowed = len(measurement.missing), rules.gate.allow_missing
        if missing > allowed:
            raise ReportError(
                f"{side.label}: {missing} of {measurement.identity.queries} judged queries are"
                f" missing, {allowed} may be"
            )
        return first_baseline(
            measurement.retriever,
            measurement.scores,
            measurement.identity,
            measurement.definitions,
            accepted=Acceptance(""),
            versions={},
        )

    def _measured(
        self, side: Side, declared: DeclaredDataset, dataset: Dataset | None
    ) -> Measurement:
        name = self.sides.retriever
        field = self.config.groups.field if self.config.groups else None
        if isinstance(side, Runs):
            if dataset is None:
                raise ReportError(f"{side.label}: {declared.name} is not read")
            return side.scored(dataset, name, self.config.metrics_for(name), field)
        if declared.name not in side.read:
            raise ReportError(f"{side.label}: holds no scores of {declared.name}")
        measurement = side.measurement(declared.name, name)
        if dataset is None or dataset.identity != measurement.identity:
            return measurement
        return with_data(measurement, dataset, field)


def _is_ambiguous(sides: Sides, common: Sequence[str]) -> bool:
    return any(each.datasets is None for each in (sides.before, sides.after)) and len(common) > 1


def _held(side: Side) -> str:
    return f"{side.label} has {', '.join(side.datasets or ()) or 'none'}"
