"""A baseline: the scores that a retriever once had on a dataset, and how they came to count."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.datasets.dataset import DatasetIdentity
    from pytest_beir.scoring.scorer import Scores

Category: TypeAlias = Literal["new", "improved", "neutral", "dropped", "incomparable"]


@dataclass(frozen=True)
class Acceptance:
    """When, from which commit, as what and why scores were taken into a baseline.

    `written` is an ISO date.
    """

    written: str
    commit: str | None = None
    category: Category = "new"
    reason: str | None = None


@dataclass(frozen=True)
class History:
    """How a baseline came about: `accepted` speaks of the current vectors, `anchors` of the others.

    `versions` maps `pytest-beir` and `retriever` to what wrote the current vectors; `updates`
    counts how often the files were written.
    """

    accepted: Acceptance
    anchors: Mapping[str, Acceptance]
    versions: Mapping[str, str | None]
    updates: int = 1


@dataclass(frozen=True)
class Baseline:
    """Two vectors per metric, `current` and `anchor`, each {metric: {query id: score}}.

    `scores` are the current ones: every recorded metric and `Judged@10`, with top tens and judged
    ranks. `anchor` holds all metrics but `Judged@10`. All have the same queries, sorted by id.
    `definitions` says in words what each metric is. `same_text` are the groups of queries that
    have the same text, `recorded` what else is known of how the current scores came about.
    Scores of a report may have a `second` search's beside them; a baseline never has.
    """

    retriever: str
    identity: DatasetIdentity
    definitions: Mapping[str, str]
    scores: Scores
    anchor: Mapping[str, Mapping[str, float]]
    history: History
    same_text: tuple[tuple[str, ...], ...] = ()
    recorded: Mapping[str, Any] = field(default_factory=dict)
    second: Scores | None = None

    @property
    def current(self) -> Mapping[str, Mapping[str, float]]:
        """The current vectors: {metric: {query id: score}}."""
        return self.scores.values

    @property
    def metrics(self) -> tuple[str, ...]:
        """The recorded metrics, `Judged@10` not among them."""
        return tuple(metric for metric in self.current if metric != JUDGED)

    def drift(self, metric: str) -> float:
        """How far the current mean lies above (or, negative, below) the anchor's."""
        return self.mean(metric) - self.mean(metric, anchor=True)

    def mean(self, metric: str, *, anchor: bool = False) -> float:
        """The mean of a vector as the gate takes it: over parts, where the dataset has some."""
        vector = (self.anchor if anchor else self.current)[metric]
        return mean(vector, self.identity.members)

    def has_scores_of(self, other: Baseline) -> bool:
        """Whether both hold the same scores, whenever and why ever they were stored."""
        return (
            self.retriever == other.retriever
            and self.identity == other.identity
            and self.definitions == other.definitions
            and self.current == other.current
            and self.anchor == other.anchor
            and self.scores.top10 == other.scores.top10
            and self.scores.judged == other.scores.judged
            and self.metrics == other.metrics
            and (self.second and self.second.values) == (other.second and other.second.values)
        )


def mean(vector: Mapping[str, float], parts: Sequence[str] = ()) -> float:
    """The mean over queries, whatever their order; with parts (`android`) that of their means."""
    if not parts:
        return fsum(vector.values()) / len(vector)
    found = ([v for query, v in vector.items() if query.startswith(f"{part}/")] for part in parts)
    return fsum(fsum(values) / len(values) for values in found) / len(parts)
