"""Rankings made elsewhere, in memory: of one dataset, or of several by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import AnswerError
from pytest_beir.phrasing import shortened

if TYPE_CHECKING:
    from collections.abc import Collection


class RunMapping:
    """{query id: answer} for a suite of one dataset, or {dataset: {query id: answer}}."""

    name: str | None = None
    version: str | None = None
    trained_on: tuple[str, ...] | None = None

    def __init__(self, run: Mapping[str, Any]) -> None:
        self._run = run
        first = next(iter(run.values()), None)
        below = next(iter(first.values()), None) if isinstance(first, Mapping) else None
        self._by_dataset = isinstance(below, (Mapping, list, tuple))

    def load(self, dataset: str, queries: Collection[str], top_k: int) -> dict[str, Any]:  # noqa: ARG002  # as RunFiles has it
        """The answers to these queries; others are ignored.

        Raises:
            AnswerError: there is none for this dataset.

        """
        run = self._run.get(dataset, {}) if self._by_dataset else self._run
        answers = {query: run[query] for query in queries if query in run}
        if answers:
            return answers
        if self._by_dataset:
            has = f"it has {shortened(list(self._run))}"
        else:
            has = (
                f"it answers {shortened(list(self._run))}; for several datasets give"
                " {dataset: {query id: {document id: score}}}"
            )
        raise AnswerError(f"{dataset}: the mapping answers none of its queries: {has}")
