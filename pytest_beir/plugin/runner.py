"""What one process does for the suite: load, retrieve once, compare, remember."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines import store
from pytest_beir.configuration.declared_dataset import DataSource
from pytest_beir.conformance import fault_of
from pytest_beir.errors import BeirError
from pytest_beir.evaluation import scored
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.judge import judge
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.plugin import payload, retriever_identity, state
from pytest_beir.plugin.opened_retriever import OpenedRetriever, name_of, refuse_renaming
from pytest_beir.plugin.progress import Progress
from pytest_beir.plugin.retriever_key import ResultKey
from pytest_beir.plugin.user_errors import guarded, has_raised, single_line, user_traceback
from pytest_beir.reports.failure import failure_block
from pytest_beir.reports.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.plugin.on_scheduler import OnScheduler
    from pytest_beir.plugin.options import Options
    from pytest_beir.retrieval.retriever import RetrieverUnderTest


@dataclass(frozen=True)
class _Failed:
    """A retrieval that failed, and the test that saw it: only a rerun of that test tries again."""

    error: BeirError
    node: str


class Runner:
    """Retrieves every (retriever, dataset) once in this process, whoever asks for it."""

    def __init__(self, options: Options, config: pytest.Config) -> None:
        self._options = options
        self._config = config
        self._suite = {dataset.name: dataset for dataset in options.declared}
        self._dataset: Dataset | None = None
        self._results: dict[ResultKey, Scored | _Failed] = {}
        self._verdicts: dict[ResultKey, tuple[Evaluation, dict[str, Any]]] = {}  # and as it travels
        self._saved = options.saved_runs()
        self._on_scheduler: OnScheduler | None = None
        if options.scheduler is not None:
            from pytest_beir.plugin import on_scheduler

            self._on_scheduler = on_scheduler.OnScheduler(options, self._load)
            config.add_cleanup(self._on_scheduler.close)
        self._opened = OpenedRetriever(config, self._on_scheduler)

    @property
    def environment(self) -> dict[str, Any]:
        """What `beir.json` says of where it ran, beside this process."""
        return {} if self._on_scheduler is None else self._on_scheduler.facts

    def dataset(self, request: pytest.FixtureRequest) -> Dataset:
        """The dataset of a test's parameter; a malformed one fails the test with its place."""
        name = getattr(request, "param", None)
        declared = self._suite.get(name) if isinstance(name, str) else None
        if declared is None:
            pytest.fail(
                f"beir_dataset: {name!r} is not in the declared suite "
                f"({', '.join(self._suite)}); parametrise with such a name and indirect=True",
                pytrace=False,
            )
        try:
            return self._loaded(declared)
        except BeirError as error:
            raise pytest.fail.Exception(str(error), pytrace=False) from None

    def _load(self, name: str) -> Dataset:
        options = self._options
        source = DataSource(options.cache, options.offline, options.config.mirror)
        return source.load(self._suite[name])

    def result(self, request: pytest.FixtureRequest, dataset: Dataset, value: Any) -> Scored:
        """The dataset retrieved and scored; a failed retrieval fails the test in one line."""
        try:
            return self._result(request.node, dataset, value)[1]
        except BeirError as error:
            request.node.stash[state.BLOCK] = user_traceback(error)
            raise pytest.fail.Exception(single_line(error), pytrace=False) from None

    def check(self, request: pytest.FixtureRequest, dataset: Dataset, value: Any) -> Evaluation:
        """The evaluation; fails the test where it does not pass."""
        node = request.node
        found, encoded = self._evaluation(node, dataset, value)
        state.remember(node, found)
        node.stash[state.ENCODED] = encoded
        if found.verdict != "error" or state.BLOCK not in node.stash:
            texts = self._options.config.report.texts
            node.stash[state.BLOCK] = failure_block(found, texts=texts)
        if not found.passed:
            pytest.fail(found.message, pytrace=False)
        return found

    def searcher(
        self, request: pytest.FixtureRequest, dataset: Dataset, value: Any
    ) -> Callable[[Mapping[str, str], int], Mapping[str, Mapping[str, float]]]:
        """A function that searches the indexed dataset."""
        identity = retriever_identity.identify(request.node, self._options.project)
        if dataset.members:
            pytest.fail(
                f"beir_searcher: {dataset.name} has {len(dataset.members)} parts with an index "
                f"each, and no single one to search",
                pytrace=False,
            )
        try:
            retriever = self._opened.wrapped(value, identity)
            self._opened.use(value, retriever)
            return retriever.searcher(dataset)
        except BeirError as error:
            raise pytest.fail.Exception(single_line(error), pytrace=False) from None

    def opened(self, request: pytest.FixtureRequest, value: Any) -> tuple[str, RetrieverUnderTest]:
        """The retriever with its name, for a test that searches by itself.

        Raises:
            BeirError: it is no retriever, or another one has its name.

        """
        identity = retriever_identity.identify(request.node, self._options.project)
        retriever = self._opened.wrapped(value, identity)
        name = self._opened.declared_name(value, retriever) or identity.name
        self._opened.take_name(name, identity)
        self._opened.use(value, retriever)
        return name, retriever

    def conformance(self, request: pytest.FixtureRequest, value: Any, behaviour: str) -> str | None:
        """What is wrong with a behaviour on the first dataset that is no union, None if nothing."""
        identity = retriever_identity.identify(request.node, self._options.project)
        try:
            dataset = self._loaded(self._suite[self._options.selected[0]])
            part = dataset.parts[0]
            retriever = self._opened.wrapped(value, identity)
            self._opened.use(value, retriever)
            return fault_of(behaviour, retriever, part, part.queries)
        except BeirError as error:
            return single_line(error)

    def close(self) -> None:
        """Close the retriever in use."""
        self._opened.close()

    @property
    def _is_worker(self) -> bool:
        """Whether xdist runs this process; it knows no way to stop the run from inside a test."""
        return hasattr(self._config, "workerinput")

    def _loaded(self, declared: DeclaredDataset) -> Dataset:
        """The dataset; the one before is forgotten."""
        if self._dataset is None or self._dataset.name != declared.name:
            self._dataset = None
            for key, result in self._results.items():
                if not isinstance(result, _Failed):
                    self._results[key] = result.without_data()
            self._dataset = self._load(declared.name)
        return self._dataset

    def _evaluation(
        self, node: pytest.Item, dataset: Dataset, value: Any
    ) -> tuple[Evaluation, dict[str, Any]]:
        try:
            key, result = self._result(node, dataset, value)
        except BeirError as error:
            node.stash[state.BLOCK] = user_traceback(error)
            unscored = self._failed(self._label(node, value), dataset, error)
            return unscored, payload.encode(unscored)
        if key not in self._verdicts:
            compared = self._compare(node, result, value)
            compared = replace(compared, message=one_line(compared, self._options.command))
            try:
                encoded = payload.encode(compared)
            except BeirError as error:
                compared = self._failed(key.name, dataset, error)
                encoded = payload.encode(compared)
            if compared.scores is not None:
                self._results[key] = replace(result, scores=compared.scores)
            self._verdicts[key] = compared, encoded
        return self._verdicts[key]

    def _label(self, node: pytest.Item, value: Any) -> str:
        """How a retriever that failed is called: by its own name, where one can be read."""
        known = node.stash.get(state.NAME, None) or name_of(value)
        return known or retriever_identity.identify(node, self._options.project).fallback

    def _failed(self, name: str, dataset: Dataset, error: BeirError) -> Evaluation:
        result = failed(name, dataset.name, dataset.split, single_line(error))
        result = replace(result, raised=has_raised(error))
        return replace(result, message=one_line(result, self._options.command))

    def _compare(self, node: pytest.Item, result: Scored, value: Any) -> Evaluation:
        options = self._options
        dataset = result.dataset
        rules = rules_for(
            options.config, result.retriever, options.declared, options.permitted, options.strict
        )
        try:
            baseline = store.load(options.baselines, result.retriever, dataset.name)
            # Whoever puts the run together needs it too; a worker sends it with the result.
            known = self._config.stash.setdefault(state.BASELINES, {})
            known[result.retriever, dataset.name] = baseline
            if baseline is not None:
                result = replace(result, scores=result.scores.sharing(baseline.scores))
            judged = judge(result, baseline, rules)
            if judged.verdict == "regressed":
                confirmed = self._confirmed(node, result, value, rules.gate.confirm)
                if confirmed is not result:
                    return evaluate(confirmed, baseline, rules, dataset)
            return evaluate(result, baseline, rules, dataset, judged=judged)
        except BeirError as error:
            return failed(result.retriever, dataset.name, dataset.split, single_line(error))

    def _confirmed(
        self, node: pytest.Item, result: Scored, value: Any, confirm: bool | str
    ) -> Scored:
        """The same with the scores of a second search, where the regression is to be confirmed."""
        identity = retriever_identity.identify(node, self._options.project)
        retriever = self._opened.wrapped(value, identity)
        is_asked = confirm == "always"
        is_free = confirm is True and not (result.resumed or retriever.may_cost)
        if result.second is not None or not (is_asked or is_free):
            return result
        self._opened.use(value, retriever)
        with guarded(result.dataset.name):
            second = scored.search_again(
                result, retriever, query_batch=self._options.config.query_batch
            )
        return replace(result, second=second)

    def _result(self, node: pytest.Item, dataset: Dataset, value: Any) -> tuple[ResultKey, Scored]:
        identity = retriever_identity.identify(node, self._options.project)
        retriever = self._opened.wrapped(value, identity)
        declared = self._opened.declared_name(value, retriever)
        name = declared or identity.name
        node.stash[state.NAME] = name
        self._opened.take_name(name, identity)
        key = ResultKey(identity.key, name, dataset.name)
        known = self._results.get(key)
        if isinstance(known, _Failed):
            if known.node != node.nodeid:
                raise known.error
            known = None
        if known is None:
            try:
                known = self._retrieve(node, dataset, value, retriever, name)
                refuse_renaming(declared, retriever.declared_name)
            except BeirError as error:
                if isinstance(error.__cause__, pytest.exit.Exception) and not self._is_worker:
                    raise error.__cause__ from None
                self._results[key] = _Failed(error, node.nodeid)
                raise
            if retriever_identity.identify(node, self._options.project) != identity:
                # It asked for a fixture only while it searched: now it is known what it is.
                self._opened.give_name_back(name)
                return self._result(node, dataset, value)
            self._results[key] = known
        # Data are kept of one dataset alone.
        return key, known if known.dataset is dataset else known.with_data(dataset)

    def _retrieve(
        self,
        node: pytest.Item,
        dataset: Dataset,
        value: Any,
        retriever: RetrieverUnderTest,
        name: str,
    ) -> Scored:
        self._opened.use(value, retriever)
        options = self._options
        if self._on_scheduler is not None:
            self._on_scheduler.begin_others(node, retriever, dataset)
        with guarded(dataset.name), Progress(self._config, dataset) as progress:
            return scored.retrieve(
                dataset,
                retriever,
                name=name,
                metrics=options.config.metrics_for(name),
                query_batch=options.config.query_batch,
                saved=self._saved,
                progress=progress,
                repeat=options.repeat,
                pins=options.pins,
                group_field=options.config.groups.field if options.config.groups else None,
            )
