"""The shipped tests: collected at the place of every conftest that defines a retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def beir(beir_check: Callable[[], Any]) -> None:
    """One dataset: retrieve, score, compare with the baseline, fail on a significant drop."""
    beir_check()


beir.__test__ = True  # type: ignore[attr-defined]  # collected although not named test_…
