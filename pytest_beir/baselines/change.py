"""What differs between two folders of baselines, as a reviewer asks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.baselines import store
from pytest_beir.baselines.reading import read
from pytest_beir.errors import BaselineError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline


@dataclass(frozen=True)
class BaselineChange:
    """A baseline that differs between two folders; one of the two may not have it.

    `problem` says why a side cannot be read.
    """

    retriever: str
    dataset: str
    before: Baseline | None
    after: Baseline | None
    problem: str | None = None

    def moved(self, metric: str) -> dict[str, tuple[float, float]]:
        """{query id: (old, new)} of the queries whose score differs, largest loss first."""
        if self.before is None or self.after is None:
            return {}
        old, new = self.before.current.get(metric, {}), self.after.current.get(metric, {})
        both = {query: (old[query], new[query]) for query in new if query in old}
        moved = [(query, pair) for query, pair in both.items() if pair[0] != pair[1]]
        return dict(sorted(moved, key=lambda each: (each[1][1] - each[1][0], each[0])))


def changes(before: Path, after: Path) -> tuple[BaselineChange, ...]:
    """The baselines whose scores, anchors or data differ, sorted by retriever and dataset."""
    keys = {*store.stored(before), *store.stored(after)}
    ordered = sorted(keys, key=lambda key: (key.retriever, key.dataset))
    compared = (_change(key, before, after) for key in ordered)
    return tuple(change for change in compared if change is not None)


def _change(key: store.Key, before: Path, after: Path) -> BaselineChange | None:
    try:
        old, new = (
            read(*store.paths(folder, key.retriever, key.dataset)) for folder in (before, after)
        )
    except BaselineError as error:
        return BaselineChange(key.retriever, key.dataset, None, None, str(error))
    if old is not None and new is not None and old.has_scores_of(new):
        return None
    return BaselineChange(key.retriever, key.dataset, old, new)
