"""The fixtures that users may ask for in tests of their own, and their dataset parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.scored import Scored
NEEDS_BEIR = "needs --beir"


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


def parametrize(metafunc: pytest.Metafunc, fixture: str = "beir_dataset") -> None:
    """Parametrise the test with the selected datasets, unless its author already did.

    The parameter has session scope, so that pytest runs all tests of one dataset together and an
    index is built once.
    """
    if _is_parametrized(metafunc):
        return
    options = state.options(metafunc.config)
    names: Iterable[str] = options.selected if options else (NEEDS_BEIR,)
    metafunc.parametrize(
        fixture,
        [
            pytest.param(name, id=name.replace(" ", "-"), marks=_marks(metafunc.config, name))
            for name in names
        ],
        indirect=True,
        scope="session",
    )


def skip_without_beir(items: list[pytest.Item]) -> None:
    """Mark tests that need the suite as skipped, whatever their parameters."""
    for item in items:
        if "beir_dataset" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=NEEDS_BEIR))


def _is_parametrized(metafunc: pytest.Metafunc) -> bool:
    for mark in metafunc.definition.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs.get("argnames", ())
        listed = names.split(",") if isinstance(names, str) else names
        if "beir_dataset" in [name.strip() for name in listed]:
            return True
    return False


def _marks(config: pytest.Config, name: str) -> list[pytest.MarkDecorator]:
    """Marks go on the parameter: added later, they come after xdist has read them."""
    marks = [pytest.mark.beir]
    if config.pluginmanager.has_plugin("xdist"):
        marks.append(pytest.mark.xdist_group(name))
    return marks
