"""A dataset retrieved and scored: what a comparison starts from."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.scorer import JUDGED, Scores, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.retrieval.retriever import Rankings, Retriever
    from pytest_beir.retrieval.saved_runs import SavedRuns

DEPTH = 100
"""How deep every ranking is looked at, whatever the metrics need."""


@dataclass(frozen=True)
class Scored:
    """One dataset, retrieved by one retriever and scored.

    `definitions` says how each metric of `scores.values` is computed. `trained_on` is None where
    unknown. `resumed` marks rankings that were taken, in part or whole, from an earlier run.
    """

    retriever: str
    version: str | None
    trained_on: frozenset[str] | None
    dataset: Dataset
    scores: Scores
    definitions: Mapping[str, str]
    checked_against_corpus: bool = True
    resumed: bool = False
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()

    @property
    def means(self) -> dict[str, float]:
        """{metric: mean over the judged queries}, Judged@10 included."""
        return {
            metric: mean(values, self.dataset.strata)
            for metric, values in self.scores.values.items()
        }

    @property
    def missing(self) -> tuple[str, ...]:
        """Judged queries that were not answered; they score 0."""
        return self.scores.missing


def mean(values: Mapping[str, float], strata: Sequence[str] = ()) -> float:
    """The mean over queries; with strata (`android`, …) the unweighted mean of their means."""
    if not strata:
        return math.fsum(values.values()) / len(values)
    parts = ([v for q, v in values.items() if q.startswith(f"{name}/")] for name in strata)
    return math.fsum(math.fsum(part) / len(part) for part in parts) / len(strata)


def retrieve(
    dataset: Dataset,
    retriever: Retriever,
    *,
    name: str,
    metrics: Sequence[str],
    query_batch: int = 1000,
    saved: SavedRuns | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scored:
    """Index, search and score every part of a dataset.

    Raises RetrieverError or AnswerError, naming query and document, for whatever the retriever
    does wrong, and ScoringError where no judged query was answered.
    """
    wanted = [parse_metric(metric) for metric in metrics]
    depth = max([DEPTH, *(metric.cutoff for metric in wanted)])
    top_k = depth + 1 if dataset.drop_identical_ids else depth
    asking = _Asking(retriever, name, top_k, query_batch, saved, progress)
    retrieved = [asking.rankings(part) for part in dataset.parts]
    scores = [
        score(part.qrels, answer.run, metrics, drop_identical_ids=part.drop_identical_ids)
        for part, answer in zip(dataset.parts, retrieved, strict=True)
    ]
    names = (*metrics, JUDGED)
    return Scored(
        retriever=name,
        version=retriever.version,
        trained_on=retriever.trained_on,
        dataset=dataset,
        scores=_joined(dataset.strata, scores) if dataset.members else scores[0],
        definitions={metric: parse_metric(metric).definition for metric in dict.fromkeys(names)},
        checked_against_corpus=all(answer.checked_against_corpus for answer in retrieved),
        resumed=asking.resumed,
        seconds=sum(answer.seconds_index + answer.seconds_search for answer in retrieved),
        warnings=tuple(dict.fromkeys([*_warnings(dataset, scores), *asking.notes])),
    )


@dataclass
class _Asking:
    """How the parts of one dataset are retrieved, and what is to be said of it."""

    retriever: Retriever
    name: str
    top_k: int
    query_batch: int
    saved: SavedRuns | None
    progress: Callable[[int, int], None] | None
    resumed: bool = False
    notes: list[str] = field(default_factory=list)

    def rankings(self, part: Dataset) -> Rankings:
        """The rankings of one part, saved batch by batch where that is asked for."""
        if self.saved is None:
            return self._ask(part, None, None)
        with self.saved.open(self.name, self.retriever.version, part, self.top_k) as run:
            found = self._ask(part, run.append, run.answered)
            run.finish()
        self.resumed = self.resumed or run.resumed
        if run.retrieved_again:
            self.notes.append(f"{part.name}: retrieved again, {run.retrieved_again}")
        return found

    def _ask(
        self,
        part: Dataset,
        on_batch: Callable[[Mapping[str, Mapping[str, float]]], None] | None,
        answered: Mapping[str, Mapping[str, float]] | None,
    ) -> Rankings:
        return self.retriever.rankings(
            part,
            self.top_k,
            query_batch=self.query_batch,
            progress=self.progress,
            on_batch=on_batch,
            answered=answered,
        )


def _joined(strata: Sequence[str], scores: Sequence[Scores]) -> Scores:
    """The parts' scores under prefixed query ids (`android/123`), sorted."""
    parts = list(zip(strata, scores, strict=True))

    def under_prefix(pick: Callable[[Scores], Mapping[str, object]]) -> dict[str, object]:
        both = {f"{name}/{query}": value for name, s in parts for query, value in pick(s).items()}
        return dict(sorted(both.items()))

    return Scores(
        values={
            metric: under_prefix(lambda s, metric=metric: s.values[metric])
            for metric in scores[0].values
        },
        top10=under_prefix(lambda s: s.top10),
        judged=under_prefix(lambda s: s.judged),
        missing=tuple(sorted(f"{name}/{query}" for name, s in parts for query in s.missing)),
        unjudged_queries=tuple(
            sorted(f"{name}/{query}" for name, s in parts for query in s.unjudged_queries)
        ),
    )


def _warnings(dataset: Dataset, scores: Iterable[Scores]) -> list[str]:
    extra = sum(len(each.unjudged_queries) for each in scores)
    ignored = [f"{extra} answered queries have no judgements and are ignored"] if extra else []
    return [*dataset.warnings, *ignored]
