"""What the plugin keeps between hooks, in pytest's own stash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.plugin.fixture_watch import FixtureWatch
    from pytest_beir.plugin.options import Options
    from pytest_beir.retrieval.retriever import RetrieverUnderTest


@dataclass(frozen=True)
class TestVerdict:
    """What the suite found for a test, beside the report that pytest makes of it."""

    __test__: ClassVar[bool] = False  # no class of tests, where a test imports it

    retriever: str
    dataset: str
    message: str
    passed: bool


class SuiteRunner(Protocol):
    """What the fixtures ask of whoever retrieves and compares."""

    def dataset(self, request: pytest.FixtureRequest) -> Dataset:
        """The dataset of a test's parameter."""

    def result(self, request: pytest.FixtureRequest, dataset: Dataset, value: Any) -> Scored:
        """The dataset retrieved and scored."""

    def check(self, request: pytest.FixtureRequest, dataset: Dataset, value: Any) -> Evaluation:
        """The evaluation, which fails the test where it does not pass."""

    def searcher(
        self, request: pytest.FixtureRequest, dataset: Dataset, value: Any
    ) -> Callable[[Mapping[str, str], int], Mapping[str, Mapping[str, float]]]:
        """A function that searches the indexed dataset."""

    def opened(self, request: pytest.FixtureRequest, value: Any) -> tuple[str, RetrieverUnderTest]:
        """The retriever with its name."""

    def conformance(self, request: pytest.FixtureRequest, value: Any, behaviour: str) -> str | None:
        """What is wrong with a behaviour of the retriever, None if nothing."""

    @property
    def environment(self) -> Mapping[str, Any]:
        """What `beir.json` says of where it ran, beside this process."""

    def close(self) -> None:
        """Close the retriever in use."""


OPTIONS: pytest.StashKey[Options] = pytest.StashKey()
RUNNER: pytest.StashKey[SuiteRunner] = pytest.StashKey()
EVALUATION: pytest.StashKey[Evaluation] = pytest.StashKey()
ENCODED: pytest.StashKey[dict[str, Any]] = pytest.StashKey()  # the evaluation, as it travels
NAME: pytest.StashKey[str] = pytest.StashKey()
FIXTURE_WATCH: pytest.StashKey[FixtureWatch] = pytest.StashKey()
BLOCK: pytest.StashKey[str] = pytest.StashKey()
VERDICTS: pytest.StashKey[dict[str, TestVerdict]] = pytest.StashKey()
# What was compared with, by retriever and dataset: read once, in whichever process compares.
BASELINES: pytest.StashKey[dict[tuple[str, str], Baseline | None]] = pytest.StashKey()


def options(config: pytest.Config) -> Options | None:
    """The resolved options, or None in a run without `--beir`."""
    return config.stash.get(OPTIONS, None)


def runner(config: pytest.Config) -> SuiteRunner:
    """What retrieves and compares in this process; skips where `--beir` was not given."""
    if RUNNER not in config.stash:
        pytest.skip("needs --beir")
    return config.stash[RUNNER]


def remember(item: pytest.Item, evaluation: Evaluation) -> None:
    """Keep the verdict of a test beside its report, which other plugins may change."""
    item.stash[EVALUATION] = evaluation
    verdicts = item.config.stash.get(VERDICTS, None)
    if verdicts is not None:
        verdicts[item.nodeid] = TestVerdict(
            evaluation.retriever, evaluation.dataset, evaluation.message, evaluation.passed
        )
