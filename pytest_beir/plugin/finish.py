"""The end of a run: the whole put together, and what is written of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pytest_beir import provenance
from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.change import changes
from pytest_beir.baselines.next_baseline import next_baseline
from pytest_beir.errors import BaselineError, BeirError
from pytest_beir.evaluation.result import failed
from pytest_beir.inspection.likeness import resembling
from pytest_beir.plugin.absences import Absences
from pytest_beir.plugin.retriever_key import clash
from pytest_beir.plugin.run_failures import run_failures
from pytest_beir.plugin.run_status import runs_tests
from pytest_beir.plugin.stored_baselines import StoredBaselines
from pytest_beir.reports import story
from pytest_beir.reports.averages import disagreement
from pytest_beir.reports.remark import REPORTED_RUN, TEST_RUN
from pytest_beir.reports.wording import one_line, update_line
from pytest_beir.stored_results.revisions import past_means
from pytest_beir.suite.assembly import assemble
from pytest_beir.suite.run import Ending, SuiteRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import pytest

    from pytest_beir.baselines.baseline import Baseline, Category
    from pytest_beir.baselines.change import BaselineChange
    from pytest_beir.baselines.update import Update
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.plugin.collected_items import Collected
    from pytest_beir.plugin.latency import Latencies
    from pytest_beir.plugin.options import Options
    from pytest_beir.plugin.results import Gathering
    from pytest_beir.plugin.retriever_key import RetrieverKey
    from pytest_beir.reports.story import StoredMean, Story


RUNNING = Ending("running")


class Closing:
    """What follows from all results that have arrived."""

    def __init__(
        self,
        options: Options,
        collected: Collected,
        gathering: Gathering,
        environment: Mapping[str, Any],
        *,
        is_first: bool = False,
        ending: Ending = RUNNING,
        latencies: Latencies | None = None,
    ) -> None:
        self.ending = ending
        self._options = options
        self.collected = collected
        self._gathering = gathering
        self._baselines = StoredBaselines(options, gathering.baselines)
        self._absences = Absences(options, collected, gathering)
        self._environment = environment
        self._is_first = is_first
        self._latencies = latencies
        self._written: list[str] = []
        self._unwritten: set[tuple[str, str]] = set()
        self._pruned: set[tuple[str, str]] = set()
        self._is_over = ending is not RUNNING

    @cached_property
    def run(self) -> SuiteRun:
        """The whole run, as every report is made from it."""
        options = self._options
        for key in self._gathering.evaluations:
            self._baselines.load(*key)  # as it was, before anything is written
        run = assemble(
            suite=options.declared,
            selected=options.selected,
            config=options.config,
            evaluations=tuple(self._evaluations()),
            did_not_run=tuple(self._absences.did_not_run()),
            stored=self._baselines.load,
            unused=tuple((key.retriever, key.dataset) for key in self._baselines.unused()),
            strict=options.strict,
            command=options.command,
            environment=self._environment,
            known_retrievers={key.retriever for key in self._baselines.listed},
        )
        failures = run_failures(self.collected, self._gathering) if self._is_over else ()
        return replace(run, failures=(*failures, *run.failures))

    def _evaluations(self) -> Iterator[Evaluation]:
        """The evaluations, without the updates that something beside the scores forbids."""
        failed_keys, clashes = self._gathering.failed_keys, self._gathering.clashes
        for key, evaluation in self._gathering.evaluations.items():
            if evaluation.retriever in clashes:
                yield self._of_nobody(evaluation, clashes[evaluation.retriever])
            elif evaluation.update is not None and key in failed_keys:
                refused = "another test of the dataset failed"
                yield replace(evaluation, passed=False, update=None, update_refused=refused)
            elif (
                evaluation.update is not None
                and self._is_over
                and not self._absences.has_ended(key)
            ):
                refused = "a test of the dataset did not come to its end"
                yield replace(evaluation, passed=False, update=None, update_refused=refused)
            else:
                yield evaluation

    def _of_nobody(self, evaluation: Evaluation, keys: Iterable[RetrieverKey]) -> Evaluation:
        """The error in place of scores that several retrievers may claim by their name."""
        name = evaluation.retriever
        error = failed(name, evaluation.dataset, evaluation.split, clash(name, tuple(keys)))
        return replace(error, message=one_line(error, self._options.command))

    def write_report(self) -> None:
        """Write the report, and the scores of what has come since the last time."""
        if self._options.report is not None:
            from pytest_beir.reports import folder

            self._forget_clashes(self._options.report / folder.SCORES)
            is_over = self.ending is not RUNNING
            scores = self._unsaved_scores()
            told = self.story(is_over=is_over)
            folder.write(told, self._options.report, scores=scores, is_over=is_over)

    def story(self, *, is_over: bool = True) -> Story:
        """The run as every report tells it; while it goes on, without a look at the profile."""
        return story.compose(
            self.finished_run,
            shape_matches=self.shape_matches if is_over else (),
            texts=self._options.config.report.texts,
            is_first=self._is_first,
            changed_baselines=self._changed_baselines,
            stored=self._baselines.before if is_over else None,
            versions=self._versions if is_over else None,
            drift=self._drift if is_over else None,
            hints=TEST_RUN if self._options.report is None else REPORTED_RUN,
        )

    def _forget_clashes(self, scores: Path) -> None:
        """Take back scores of a name that two retrievers turned out to have."""
        for name, dataset in sorted(self._gathering.saved):
            if name in self._gathering.clashes:  # seen only after the first of them was written
                store.delete(scores, name, dataset)
                self._gathering.saved.discard((name, dataset))

    def _unsaved_scores(self) -> Iterator[Baseline]:
        for evaluation in self.run.evaluations:
            key = (evaluation.retriever, evaluation.dataset)
            if evaluation.scores is not None and key not in self._gathering.saved:
                self._gathering.saved.add(key)
                yield evaluation.as_baseline(
                    accepted=self._acceptance("new"), versions=_versions(evaluation)
                )

    @cached_property
    def shape_matches(self) -> tuple[str, ...]:
        """Datasets of the suite that resemble the user's own data, where the verdicts disagree."""
        profile = self._options.config.profile
        if profile is None or not any(
            disagreement([e for e in self.run.evaluations if e.retriever == family.name])
            for family in self.run.retrievers
        ):
            return ()
        return resembling(profile, self._options.names, self._options.cache)

    @property
    def finished_run(self) -> SuiteRun:
        """The run, with what was written of it, and nothing that was not."""
        evaluations = tuple(
            replace(each, passed=False, update=None, update_refused="it cannot be written")
            if (each.retriever, each.dataset) in self._unwritten
            else each
            for each in self.run.evaluations
        )
        return replace(
            self.run,
            evaluations=evaluations,
            updates=tuple(self._written),
            unused_baselines=tuple(
                each for each in self.run.unused_baselines if each not in self._pruned
            ),
            ending=self.ending,
            latencies=tuple(self._latencies.results) if self._latencies else (),
            latency_updates=tuple(self._latencies.updates) if self._latencies else (),
        )

    def write_baselines(self) -> None:
        """Write what the options permit, where every test of the dataset has passed.

        Raises:
            BaselineError: Some cannot be written; all others are.

        """
        failures = []
        if self._options.permitted:
            store.finish(self._options.baselines)
        for evaluation in self.run.evaluations:
            if evaluation.update is None:
                continue
            try:
                self._write_baseline(evaluation, evaluation.update)
            except BeirError as error:
                failures.append(str(error))
                self._unwritten.add((evaluation.retriever, evaluation.dataset))
        if failures:
            raise BaselineError("\n".join(failures))
        if self._options.prune:
            self._prune()

    def _write_baseline(self, evaluation: Evaluation, update: Update) -> None:
        old = self._baselines.load(evaluation.retriever, evaluation.dataset)
        new = evaluation.as_baseline(
            accepted=self._acceptance(update.category), versions=_versions(evaluation)
        )
        store.save(self._options.baselines, next_baseline(old, new, update))
        several = len(self.run.retrievers) > 1
        line = update_line(old, evaluation, update.category)
        self._written.append(f"{evaluation.retriever} {line}" if several else line)

    def _prune(self) -> None:
        """Delete baselines that nothing names: in complete runs only."""
        missing = dict.fromkeys(each.dataset for each in self.run.did_not_run)
        if missing or not self.run.evaluations:
            raise BaselineError(
                f"--beir-prune deletes nothing in an incomplete run "
                f"({', '.join(missing) or 'every dataset'} did not run)"
            )
        for key in self._baselines.unused():
            store.delete(self._options.baselines, key.retriever, key.dataset)
            self._pruned.add((key.retriever, key.dataset))
            self._written.append(f"{key.retriever}/{key.dataset}: deleted, no suite names it")

    def _acceptance(self, category: Category) -> Acceptance:
        return Acceptance(
            written=provenance.today(),
            commit=self._environment.get("commit"),
            category=category,
            reason=self._options.reason,
        )

    @cached_property
    def _changed_baselines(self) -> tuple[BaselineChange, ...]:
        """What this change makes of the baselines that it is gated on."""
        own = self._options.own_baselines
        return () if own is None else changes(self._options.baselines, own)

    @cached_property
    def _drift(self) -> dict[tuple[str, str], tuple[StoredMean, ...]]:
        """The means of each baseline over its commits, where the page that draws them is made."""
        if self._options.report is None:
            return {}
        from pytest_beir.reports import html

        if not html.is_available():
            return {}
        home = self._options.own_baselines or self._options.baselines
        return {key: past_means(home, *key) for key in self._baselines.before}

    @property
    def _versions(self) -> dict[tuple[str, str], dict[str, str | None]]:
        """What scored and retrieved each dataset."""
        return {(e.retriever, e.dataset): _versions(e) for e in self.run.evaluations}

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Folders of baselines that cannot be read, in a line each."""
        return self._baselines.unreadable


def _versions(evaluation: Evaluation) -> dict[str, str | None]:
    return provenance.versions(evaluation.version, evaluation.libraries)


def get_ready(options: Options, config: pytest.Config) -> None:
    """Start what draws the charts of the report, in the time that xdist's workers take to start."""
    has_workers = bool(getattr(config.option, "tx", None))
    if has_workers and runs_tests(config) and options.report is not None:
        from pytest_beir.reports import html

        html.get_ready()
