"""The shipped tests: collected at the place of every conftest that defines a retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.conformance import BEHAVIOURS
from pytest_beir.plugin import state

if TYPE_CHECKING:
    from collections.abc import Callable


def beir(beir_check: Callable[[], Any]) -> None:
    """One dataset: retrieve, score, compare with the baseline, fail on a significant drop."""
    beir_check()


@pytest.mark.beir
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def beir_conformance(request: pytest.FixtureRequest, behaviour: str, beir_retriever: Any) -> None:
    """One behaviour of the retriever, on the first dataset of the suite."""
    fault = state.runner(request.config).conformance(request, beir_retriever, behaviour)
    if fault is not None:
        pytest.fail(fault, pytrace=False)


def latency(
    request: pytest.FixtureRequest, beir_latency_dataset: Any, benchmark: Any, beir_retriever: Any
) -> None:
    """How long searches of one dataset take, against the times that were stored."""
    from pytest_beir.plugin import latency as tests

    tests.run(request, beir_latency_dataset, benchmark, beir_retriever)


latency.__test__ = True  # type: ignore[attr-defined]
beir_conformance.__test__ = True
beir.__test__ = True  # type: ignore[attr-defined]  # collected although not named test_…
