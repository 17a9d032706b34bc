"""The cause of a drop: the diagnosis of one dataset's scores against its baseline."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pytest_beir.explanation.diagnosis import diagnose
from pytest_beir.explanation.loss_pattern import gatherings
from pytest_beir.explanation.query_features import traits_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.scored import Scored
    from pytest_beir.explanation.diagnosis import Diagnosis

_SAMPLED = 5_000  # documents that show which words are rare


def cause_of(scored: Scored, baseline: Baseline, metric: str) -> Diagnosis:
    """Why `metric` moved against the current vector, with what losing queries have in common.

    The texts of at most 3,000 relevant documents and 5,000 others are read, if it fell at all.
    """
    dataset = scored.dataset
    scores = baseline.current[metric], scored.scores.values[metric]
    judged = baseline.judged, scored.scores.judged
    found = diagnose(metric, dataset.qrels, scores, judged, strata=dataset.strata)
    if found.delta >= 0:
        return found
    parts = {part.name.removeprefix(f"{dataset.name}/"): part for part in dataset.members}

    def fetch(query: str, document: str) -> Mapping[str, str] | None:
        part = parts[query.partition("/")[0]] if parts else dataset
        return None if part.corpus is None else part.corpus.get(document)

    sample = islice(_documents(dataset), _SAMPLED)
    traits = traits_of(dataset.queries, dataset.qrels, fetch, sample)
    return replace(found, gatherings=gatherings(scores, traits, strata=dataset.strata))


def _documents(dataset: Dataset) -> Iterator[Mapping[str, str]]:
    """The documents of all parts, each part's first ones first."""
    share = _SAMPLED // len(dataset.parts) + 1
    return chain.from_iterable(
        islice(part.corpus.values(), share) for part in dataset.parts if part.corpus is not None
    )
