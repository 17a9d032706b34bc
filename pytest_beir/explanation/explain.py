"""What explains a result, as far as the dataset is at hand: losses, their cause, the pool."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pytest_beir.explanation.diagnosis import diagnose
from pytest_beir.explanation.groups import by_group
from pytest_beir.explanation.loss_pattern import enrichments
from pytest_beir.explanation.pool import bounds, to_judge
from pytest_beir.explanation.query_features import features_of
from pytest_beir.explanation.query_views import query_views
from pytest_beir.explanation.worst_queries import worst_queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.explanation.diagnosis import Diagnosis
    from pytest_beir.explanation.groups import Group
    from pytest_beir.explanation.pool import Bounds, PoolCheck, UnjudgedPair
    from pytest_beir.explanation.query_views import QueryView
    from pytest_beir.explanation.worst_queries import QueryLoss
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.scoring.scorer import Scores

_SAMPLED = 5_000  # documents that show which words are rare
_TO_JUDGE = 100


@dataclass(frozen=True)
class Explanation:
    """Everything beside the verdict that a report may say of a dataset.

    `diagnosis` is there for a drop, `bounds` where unjudged documents may explain it; `to_judge`
    lists the most prominent of these. `groups` break the change of the deciding metric down,
    `views` show both top tens of the queries that moved most.
    """

    losses: tuple[QueryLoss, ...] = ()
    diagnosis: Diagnosis | None = None
    bounds: Bounds | None = None
    to_judge: tuple[UnjudgedPair, ...] = ()
    groups: tuple[Group, ...] = ()
    views: tuple[QueryView, ...] = ()


def explain(
    dataset: Dataset | None,
    before: Scores | None,
    now: Scores,
    deciding: MetricVerdict,
    *,
    pool: PoolCheck | None = None,
    groups: Mapping[str, Iterable[str]] | None = None,
    units: Mapping[str, str] | None = None,
) -> Explanation:
    """What there is to say of the scores; `before` is None where there is no comparable baseline.

    Without `dataset` it is the queries that lost, and the groups. `deciding` is the metric whose
    change is explained, `groups` map their names to query ids, `units` queries that are copies of
    one another to their unit.
    """
    metric = deciding.metric
    known = before if deciding.current is not None else None
    found = Explanation(
        losses=worst_queries(known, now, metric, dataset) if known else (),
        groups=by_group(
            groups or {}, now.values[metric], known.values.get(metric) if known else None, units
        ),
    )
    if dataset is None:
        return found
    is_suspect = pool is not None and pool.flag is not None
    return replace(
        found,
        diagnosis=cause_of(dataset, known, now, metric) if known and _fell(deciding) else None,
        views=query_views(known, now, metric, dataset) if known else (),
        bounds=bounds(metric, dataset.qrels, now.judged, now.top10, strata=dataset.strata)
        if is_suspect
        else None,
        to_judge=to_judge(dataset.qrels, known.top10, now.top10)[:_TO_JUDGE]
        if known and is_suspect
        else (),
    )


def _fell(metric: MetricVerdict) -> bool:
    if metric.current is None or metric.current.delta >= 0:
        return False
    return metric.verdict == "regressed" or "likely-drop" in metric.flags


def cause_of(dataset: Dataset, before: Scores, now: Scores, metric: str) -> Diagnosis:
    """Why `metric` moved, with what losing queries have in common.

    The texts of at most 3,000 relevant documents and 5,000 others are read, if it fell at all.
    """
    parts = {part.name.removeprefix(f"{dataset.name}/"): part for part in dataset.members}

    def corpus_of(query: str) -> Mapping[str, Mapping[str, str]] | None:
        return (parts[query.partition("/")[0]] if parts else dataset).corpus

    def is_gone(query: str, document: str) -> bool:
        corpus = corpus_of(query)
        return corpus is not None and document not in corpus

    def fetch(query: str, document: str) -> Mapping[str, str] | None:
        corpus = corpus_of(query)
        return None if corpus is None else corpus.get(document)

    scores = before.values[metric], now.values[metric]
    judged = before.judged, now.judged
    diagnosis = diagnose(
        metric, dataset.qrels, scores, judged, strata=dataset.strata, is_gone=is_gone
    )
    if diagnosis.delta >= 0:
        return diagnosis

    sample = islice(_documents(dataset), _SAMPLED)
    features = features_of(dataset.queries, dataset.qrels, fetch, sample)
    return replace(diagnosis, enrichments=enrichments(scores, features, strata=dataset.strata))


def _documents(dataset: Dataset) -> Iterator[Mapping[str, str]]:
    """The documents of all parts, each part's first ones first."""
    share = _SAMPLED // len(dataset.parts) + 1
    return chain.from_iterable(
        islice(part.corpus.values(), share) for part in dataset.parts if part.corpus is not None
    )
