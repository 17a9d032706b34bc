"""What one process does for the suite: load, retrieve once, compare, remember."""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir import provenance
from pytest_beir.baselines import store
from pytest_beir.configuration.declared_dataset import DataSource
from pytest_beir.conformance import fault_of
from pytest_beir.errors import BeirError, RetrieverError, RunFileError, UsageError
from pytest_beir.evaluation import scored
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.judge import judge
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.files.file_names import escape
from pytest_beir.plugin import payload, retriever_identity, state
from pytest_beir.plugin.progress import Progress
from pytest_beir.plugin.retriever_key import clash
from pytest_beir.reports.failure import failure_block
from pytest_beir.reports.wording import one_line
from pytest_beir.retrieval.adapters import adapted
from pytest_beir.retrieval.retriever import RetrieverUnderTest, wrap
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.retrieval.saved_runs import Provenance, SavedRuns
from pytest_beir.retrieval.user_code import described, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.plugin.on_scheduler import OnScheduler
    from pytest_beir.plugin.options import Options
    from pytest_beir.plugin.retriever_identity import RetrieverIdentity
    from pytest_beir.plugin.retriever_key import RetrieverKey


_OWN = Path(__file__).resolve().parents[1]
# What pytest itself is told by an exception: to skip, to fail at that place, to stop.
_OUTCOMES = (pytest.skip.Exception, pytest.fail.Exception, pytest.xfail.Exception)


@dataclass(frozen=True)
class _Opened:
    """The retriever in use: the user's value, what we made of it, and how it called itself."""

    value: Any
    retriever: RetrieverUnderTest
    declared_name: str | None


@dataclass(frozen=True)
class _ResultKey:
    """One retriever under one name, on one dataset."""

    retriever: RetrieverKey
    name: str
    dataset: str


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
        self._opened: _Opened | None = None
        self._results: dict[_ResultKey, Scored | _Failed] = {}
        self._verdicts: dict[_ResultKey, Evaluation] = {}
        self._named: dict[str, RetrieverKey] = {}
        self._saved = _saved_runs(options)
        self._on_scheduler: OnScheduler | None = None
        if options.scheduler is not None:
            from pytest_beir.plugin import on_scheduler

            self._on_scheduler = on_scheduler.OnScheduler(options, self._load)
            config.add_cleanup(self._on_scheduler.close)

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
            pytest.fail(str(error), pytrace=False)

    def _load(self, name: str) -> Dataset:
        options = self._options
        source = DataSource(options.cache, options.offline, options.config.mirror)
        return source.load(self._suite[name])

    def result(self, request: pytest.FixtureRequest, dataset: Dataset, value: Any) -> Scored:
        """The dataset retrieved and scored; a failed retrieval fails the test in one line."""
        try:
            return self._result(request.node, dataset, value)[1]
        except BeirError as error:
            request.node.stash[state.BLOCK] = _user_traceback(error)
            pytest.fail(_single_line(error), pytrace=False)

    def check(self, request: pytest.FixtureRequest, dataset: Dataset, value: Any) -> Evaluation:
        """The evaluation; fails the test where it does not pass."""
        node = request.node
        found = self._evaluation(node, dataset, value)
        state.remember(node, found)
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
            retriever = self._wrapped(value, identity)
            self._use(value, retriever)
            return retriever.searcher(dataset)
        except BeirError as error:
            pytest.fail(_single_line(error), pytrace=False)

    def opened(self, request: pytest.FixtureRequest, value: Any) -> tuple[str, RetrieverUnderTest]:
        """The retriever with its name, for a test that searches by itself.

        Raises:
            BeirError: it is no retriever, or another one has its name.

        """
        identity = retriever_identity.identify(request.node, self._options.project)
        retriever = self._wrapped(value, identity)
        name = self._declared_name(value, retriever) or identity.name
        self._refuse_second(name, identity)
        self._use(value, retriever)
        return name, retriever

    def conformance(self, request: pytest.FixtureRequest, value: Any, behaviour: str) -> str | None:
        """What is wrong with a behaviour on the first dataset that is no union, None if nothing."""
        identity = retriever_identity.identify(request.node, self._options.project)
        try:
            dataset = self._loaded(self._suite[self._options.selected[0]])
            part = dataset.parts[0]
            retriever = self._wrapped(value, identity)
            self._use(value, retriever)
            return fault_of(behaviour, retriever, part, part.queries)
        except BeirError as error:
            return _single_line(error)

    def close(self) -> None:
        """Close the retriever in use."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.retriever.close()

    @property
    def _is_worker(self) -> bool:
        """Whether xdist runs this process; it knows no way to stop the run from inside a test."""
        return hasattr(self._config, "workerinput")

    def _loaded(self, declared: DeclaredDataset) -> Dataset:
        """The dataset; the one before is forgotten."""
        if self._dataset is None or self._dataset.name != declared.name:
            self._dataset = None
            self._dataset = self._load(declared.name)
        return self._dataset

    def _evaluation(self, node: pytest.Item, dataset: Dataset, value: Any) -> Evaluation:
        try:
            key, result = self._result(node, dataset, value)
        except BeirError as error:
            node.stash[state.BLOCK] = _user_traceback(error)
            return self._failed(self._label(node, value), dataset, error)
        if key not in self._verdicts:
            compared = self._compare(node, result, value)
            compared = replace(compared, message=one_line(compared, self._options.command))
            try:
                payload.encode(compared)
            except BeirError as error:
                compared = self._failed(key.name, dataset, error)
            self._verdicts[key] = compared
        return self._verdicts[key]

    def _label(self, node: pytest.Item, value: Any) -> str:
        """How a retriever that failed is called: by its own name, where one can be read."""
        known = node.stash.get(state.NAME, None) or _name(value)
        return known or retriever_identity.identify(node, self._options.project).fallback

    def _failed(self, name: str, dataset: Dataset, error: BeirError) -> Evaluation:
        result = failed(name, dataset.name, dataset.split, _single_line(error))
        result = replace(result, raised=_has_raised(error))
        return replace(result, message=one_line(result, self._options.command))

    def _compare(self, node: pytest.Item, result: Scored, value: Any) -> Evaluation:
        options = self._options
        dataset = result.dataset
        rules = rules_for(
            options.config, result.retriever, options.declared, options.permitted, options.strict
        )
        try:
            baseline = store.load(options.baselines, result.retriever, dataset.name)
            if not self._is_worker:  # the controller, which needs it too, is in this process
                known = self._config.stash.setdefault(state.BASELINES, {})
                known[result.retriever, dataset.name] = baseline
            judged = judge(result, baseline, rules)
            if judged.verdict == "regressed":
                confirmed = self._confirmed(node, result, value, rules.gate.confirm)
                if confirmed is not result:
                    return evaluate(confirmed, baseline, rules, dataset)
            return evaluate(result, baseline, rules, dataset, judged=judged)
        except BeirError as error:
            return failed(result.retriever, dataset.name, dataset.split, _single_line(error))

    def _confirmed(
        self, node: pytest.Item, result: Scored, value: Any, confirm: bool | str
    ) -> Scored:
        """The same with the scores of a second search, where the regression is to be confirmed."""
        identity = retriever_identity.identify(node, self._options.project)
        retriever = self._wrapped(value, identity)
        is_asked = confirm == "always"
        is_free = confirm is True and not (result.resumed or retriever.may_cost)
        if result.second is not None or not (is_asked or is_free):
            return result
        self._use(value, retriever)
        with _guarded(result.dataset.name):
            second = scored.search_again(
                result, retriever, query_batch=self._options.config.query_batch
            )
        return replace(result, second=second)

    def _result(self, node: pytest.Item, dataset: Dataset, value: Any) -> tuple[_ResultKey, Scored]:
        identity = retriever_identity.identify(node, self._options.project)
        retriever = self._wrapped(value, identity)
        declared = self._declared_name(value, retriever)
        name = declared or identity.name
        node.stash[state.NAME] = name
        self._refuse_second(name, identity)
        key = _ResultKey(identity.key, name, dataset.name)
        known = self._results.get(key)
        if isinstance(known, _Failed):
            if known.node != node.nodeid:
                raise known.error
            known = None
        if known is None:
            try:
                known = self._retrieve(node, dataset, value, retriever, name)
                _refuse_renaming(declared, retriever.declared_name)
            except BeirError as error:
                if isinstance(error.__cause__, pytest.exit.Exception) and not self._is_worker:
                    raise error.__cause__ from None
                self._results[key] = _Failed(error, node.nodeid)
                raise
            if retriever_identity.identify(node, self._options.project) != identity:
                # It asked for a fixture only while it searched: now it is known what it is.
                del self._named[name]
                return self._result(node, dataset, value)
            self._results[key] = known
        return key, known

    def _declared_name(self, value: Any, retriever: RetrieverUnderTest) -> str | None:
        declared = retriever.declared_name
        if self._opened is not None and self._opened.value is value:
            _refuse_renaming(self._opened.declared_name, declared)
        return declared

    def _retrieve(
        self,
        node: pytest.Item,
        dataset: Dataset,
        value: Any,
        retriever: RetrieverUnderTest,
        name: str,
    ) -> Scored:
        self._use(value, retriever)
        options = self._options
        if self._on_scheduler is not None:
            self._on_scheduler.begin_others(node, retriever, dataset)
        with _guarded(dataset.name), Progress(self._config, dataset) as progress:
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

    def _wrapped(self, value: Any, identity: RetrieverIdentity) -> RetrieverUnderTest:
        if self._opened is not None and self._opened.value is value:
            return self._opened.retriever
        offered = self._config.hook.pytest_beir_adapt(value=value)
        prepared = adapted(value if offered is None else offered)
        if isinstance(prepared, RunFiles):
            prepared = prepared.relative_to(identity.directory)
        if self._on_scheduler is not None:
            return self._on_scheduler.wrapped(prepared)
        return wrap(prepared)

    def _use(self, value: Any, retriever: RetrieverUnderTest) -> None:
        """One index is open per process: the retriever before is closed first."""
        if self._opened is None or self._opened.value is not value:
            self.close()
            self._opened = _Opened(value, retriever, retriever.declared_name)

    def _refuse_second(self, name: str, identity: RetrieverIdentity) -> None:
        known = self._named.setdefault(name, identity.key)
        if known != identity.key:
            raise UsageError(clash(name, (known, identity.key)))


@contextmanager
def _guarded(dataset: str) -> Iterator[None]:
    """What the user's code raises beside exceptions becomes an error of this dataset."""
    try:
        yield
    except (Exception, KeyboardInterrupt, *_OUTCOMES):
        raise
    except BaseException as error:  # SystemExit and the like
        raise RetrieverError(f"{dataset}: the retriever raised {described(error)}") from error


def _refuse_renaming(before: str | None, after: str | None) -> None:
    if before != after:
        raise UsageError(
            f"the retriever's 'name' was {before!r} and became {after!r} while it was in use; its "
            f"baselines are found by it: set it before the fixture returns, equal for all datasets"
        )


def _saved_runs(options: Options) -> SavedRuns | None:
    if options.runs is None:
        return None
    made_by = Provenance(
        provenance.commit(options.project), provenance.uncommitted(options.project)
    )
    return SavedRuns(options.runs, file_name=escape, provenance=made_by, resume=options.resume)


def _name(value: Any) -> str | None:
    """The name that a retriever has, where one can be read."""
    try:
        return wrap(value).declared_name
    except BeirError:
        return None


def _single_line(error: BaseException) -> str:
    return printable(str(error))


def _has_raised(error: BeirError) -> bool:
    """Whether the user's code raised: not so of run files, which are read and written by us."""
    return error.__cause__ is not None and not isinstance(error, RunFileError)


def _user_traceback(error: BeirError) -> str:
    """The traceback of the user's own exception, where there is one, from the user's code on."""
    cause = error.__cause__
    if cause is None or not _has_raised(error):
        return str(error) if "\n" in str(error) else ""  # the test's own line says it
    place = cause.__traceback__
    while place is not None and place.tb_next and _OWN in Path(_file(place)).parents:
        place = place.tb_next
    text = "".join(traceback.format_exception(type(cause), cause, place)).rstrip()
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _file(place: TracebackType) -> str:
    return place.tb_frame.f_code.co_filename
