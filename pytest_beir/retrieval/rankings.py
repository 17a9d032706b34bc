"""What a retriever is asked for, and what it answered, on one part of a dataset."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Asked:
    """How rankings are asked for: `known` are those of an earlier run, not searched again.

    `progress(done, total)` and `on_batch(answers)` are called after each batch.
    """

    known: Mapping[str, Mapping[str, float]]
    query_batch: int = 1000
    progress: Callable[[int, int], None] | None = None
    on_batch: Callable[[Mapping[str, Mapping[str, float]]], None] | None = None

    def tell(self, done: int, total: int) -> None:
        """Say how many queries are answered."""
        if self.progress is not None:
            self.progress(done, total)

    def save(self, answers: Mapping[str, Mapping[str, float]]) -> None:
        """Hand over the answers of a batch."""
        if self.on_batch is not None:
            self.on_batch(answers)


@dataclass(frozen=True)
class Rankings:
    """What a retriever answered on one part of a dataset.

    `run` maps query id to {document id: score}, at most `top_k` of each, and lacks the queries
    that were not answered. Seconds are wall time; 0 for what was taken from an earlier run.
    `notes` are what a user should know of the answers though they can be scored; `stages` what
    the stages of a pipeline answered, by their names.
    """

    run: Mapping[str, Mapping[str, float]]
    checked_against_corpus: bool
    seconds_index: float
    seconds_search: float
    notes: tuple[str, ...] = ()
    stages: Mapping[str, dict[str, dict[str, float]]] = field(default_factory=dict)
