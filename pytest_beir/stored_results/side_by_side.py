"""Two systems compared as the gate compares one with its baseline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.next_baseline import first_baseline
from pytest_beir.configuration.declaration import resolve
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.errors import BeirError, ConfigError, ReportError, UsageError
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
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.config import Config
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.suite.run import SuiteRun

    Open = Callable[[DeclaredDataset], Dataset]
    Find = Callable[[DeclaredDataset], Dataset | None]

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
    return tuple(_declared(name, config, base) for name in common)


def compare_sides(
    sides: Sides,
    suite: Sequence[DeclaredDataset],
    config: Config,
    open_dataset: Open,
    *,
    find_dataset: Find = lambda _: None,
    left_over: Mapping[str, str] | None = None,
    environment: Mapping[str, Any] | None = None,
    baselines: dict[str, Baseline] | None = None,
) -> SuiteRun:
    """The run of a gate whose baselines are the first side's scores, over `suite`.

    Runs are scored on what `open_dataset` gives; stored scores get their judgements from
    `find_dataset`, where it has the same data. What cannot be read or scored is an error of its
    dataset alone. `left_over` names datasets of one side, to be told. `baselines` takes
    up the first side's scores by dataset.
    """
    name = sides.retriever
    rules, known = rules_for(config, name, suite), {} if baselines is None else baselines
    judge = _SideJudge(sides, config, rules, open_dataset, find_dataset, known)
    return assemble(
        suite=suite,
        selected=[each.name for each in suite],
        config=config,
        evaluations=[judge.evaluation(each) for each in suite],
        did_not_run=[
            DidNotRun(name, dataset, f"only {label} has it", on_purpose=True)
            for dataset, label in (left_over or {}).items()
            if dataset not in {each.name for each in suite}
        ],
        stored=lambda _, dataset: judge.baselines.get(dataset),
        command="",
        environment=environment,
    )


def compared_scores(
    sides: Sides,
    declared: DeclaredDataset,
    config: Config,
    open_dataset: Open,
    find_dataset: Find = lambda _: None,
) -> ComparedScores:
    """What both sides scored on one dataset, query by query.

    Raises:
        BeirError: A side cannot be read or scored.

    """
    rules = rules_for(config, sides.retriever, (declared,))
    return _SideJudge(sides, config, rules, open_dataset, find_dataset, {}).scores(declared)


@dataclass(frozen=True)
class _SideJudge:
    """Reads both sides of a dataset and compares them; `baselines` are those of the first side."""

    sides: Sides
    config: Config
    rules: Rules
    open_dataset: Open
    find_dataset: Find
    baselines: dict[str, Baseline]

    def evaluation(self, declared: DeclaredDataset) -> Evaluation:
        try:
            found = self._compared(declared)
        except BeirError as error:
            reason = " ".join(str(error).split())
            found = failed(self.sides.retriever, declared.name, declared.split or "", reason)
        return replace(found, message=one_line(found))

    def scores(self, declared: DeclaredDataset) -> ComparedScores:
        before, after = self.sides.before, self.sides.after
        reads_runs = isinstance(before, Runs) or isinstance(after, Runs)
        dataset = (self.open_dataset if reads_runs else self.find_dataset)(declared)
        measured = [self._measured(side, declared, dataset) for side in (before, after)]
        same = dataset is not None and dataset.identity == measured[1].identity
        return ComparedScores(
            labels=(before.label, after.label),
            scores=(measured[0].scores, measured[1].scores),
            metrics=self.rules.gate.metrics,
            dataset=dataset if same else None,
        )

    def _compared(self, declared: DeclaredDataset) -> Evaluation:
        before, after = self.sides.before, self.sides.after
        reads_runs = isinstance(before, Runs) or isinstance(after, Runs)
        dataset = (self.open_dataset if reads_runs else self.find_dataset)(declared)
        baseline = self._baseline(declared, dataset)
        if baseline is not None:
            self.baselines[declared.name] = baseline
        measurement = self._measured(after, declared, dataset)
        lacking = [m for m in self.rules.gate.metrics if m not in measurement.scores.values]
        if lacking:
            raise ReportError(
                f"{after.label}: does not record {', '.join(lacking)}, which is gated"
            )
        same = dataset is not None and dataset.identity == measurement.identity
        return evaluate(measurement, baseline, self.rules, dataset if same else None)

    def _baseline(self, declared: DeclaredDataset, dataset: Dataset | None) -> Baseline | None:
        side = self.sides.before
        if isinstance(side, StoredScores):
            read = side.read.get(declared.name)
            return read() if read is not None else None
        measurement = self._measured(side, declared, dataset)
        missing, allowed = len(measurement.missing), self.rules.gate.allow_missing
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


def _declared(name: str, config: Config, base: Path) -> DeclaredDataset:
    """A dataset that was stored under a name; what nobody knows by it has no folder."""
    try:
        found = resolve([name], config, base=base)
    except ConfigError:
        raise
    except UsageError:
        return DeclaredDataset(name)
    return found[0] if len(found) == 1 else DeclaredDataset(name)
