"""The fixtures that users may ask for in tests of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin import state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.scored import Scored


@pytest.fixture
def beir_retriever(retriever: Any) -> Any:
    """The retriever that is tested; override it where `retriever` means something else."""
    return retriever


@pytest.fixture
def beir_dataset(request: pytest.FixtureRequest) -> Dataset:
    """One dataset of the suite: its queries, judgements and corpus."""
    return state.runner(request.config).dataset(request)


@pytest.fixture
def beir_latency_dataset(request: pytest.FixtureRequest) -> Dataset:
    """One dataset of the suite, for the shipped latency test: no test of quality asks for it."""
    return state.runner(request.config).dataset(request)


@pytest.fixture
def beir_result(
    request: pytest.FixtureRequest, beir_dataset: Dataset, beir_retriever: Any
) -> Scored:
    """The dataset retrieved and scored: `.scores`, `.means`, `.missing`."""
    return state.runner(request.config).result(request, beir_dataset, beir_retriever)


@pytest.fixture
def beir_check(
    request: pytest.FixtureRequest, beir_dataset: Dataset, beir_retriever: Any
) -> Callable[[], Evaluation]:
    """A function that compares with the baseline, fails on a regression, returns the evaluation."""
    runner = state.runner(request.config)
    return lambda: runner.check(request, beir_dataset, beir_retriever)


@pytest.fixture
def beir_searcher(
    request: pytest.FixtureRequest, beir_dataset: Dataset, beir_retriever: Any
) -> Callable[[Mapping[str, str], int], Mapping[str, Mapping[str, float]]]:
    """A function `(queries, top_k)` that searches the indexed dataset."""
    return state.runner(request.config).searcher(request, beir_dataset, beir_retriever)
