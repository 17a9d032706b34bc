"""Scores per query from judgements and a run, exactly as trec_eval with `-c` gives them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pytest_beir.phrasing import shortened
from pytest_beir.scoring.checks import as_grades, as_integers, check_qrels, unjudged_queries
from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.measures.measure import Hits
from pytest_beir.scoring.ranking import ColumnAnswers, RankedAnswers
from pytest_beir.scoring.ranking_table import RankingTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

METRICS = ("nDCG@10", "R@100")
JUDGED = "Judged@10"
TOP = 10
DEPTH = 100
# So many queries at a time that their scores stay in the processor's cache.
_BATCH = 256
_LARGEST = 2**22
T = TypeVar("T")


@dataclass(frozen=True)
class Scores:
    """What one run is worth on one dataset; plain Python values throughout.

    `values` maps metric to {query id: score} over every judged query, sorted by id, and always
    holds `Judged@10`: the share of the first ten documents returned that have a judgement (of a
    shorter answer's documents; 0 for none). `top10` holds the ten best ids, `judged` (rank, id)
    of every judged document in the top 100, both after dropping identical ids and for every
    judged query. `missing` are judged queries without an answer (an empty answer is one, and
    scores 0); `unjudged_queries` those answered though nothing judges them.
    """

    values: Mapping[str, Mapping[str, float]]
    top10: Mapping[str, tuple[str, ...]]
    judged: Mapping[str, tuple[tuple[int, str], ...]]
    missing: tuple[str, ...]
    unjudged_queries: tuple[str, ...]

    def sharing(self, other: Scores) -> Scores:
        """The same with the very ids of `other` where a query has these: they take most memory."""
        return replace(
            self,
            top10=_shared(self.top10, other.top10),
            judged=_shared(self.judged, other.judged),
        )


def score(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str] = METRICS,
    *,
    drop_identical_ids: bool = False,
) -> Scores:
    """Scores, top ten and judged ranks of each judged query.

    `run` maps query id to {document id: score}, larger is better. With `drop_identical_ids` the
    document that has the query's id leaves the ranking first; its judgement, if any, stays in
    the ideal. ScoringError names query and document of what cannot be scored.
    """
    check_qrels(qrels)
    unjudged = unjudged_queries(run, qrels)
    # Judged@10 stands last, where the files want it.
    names = [*(name for name in _names(metrics) if name != JUDGED), JUDGED]
    wanted = [parse_metric(name) for name in names]
    values: dict[str, dict[str, float]] = {name: {} for name in names}
    top10: dict[str, tuple[str, ...]] = {}
    judged: dict[str, tuple[tuple[int, str], ...]] = {}
    for batch in _batches(qrels, run, drop=drop_identical_ids):
        for metric in wanted:
            column = metric.column(batch.hits)
            values[metric.name].update(zip(batch.queries, column, strict=True))
        top10.update(zip(batch.queries, batch.rankings.top(TOP), strict=True))
        judged.update(zip(batch.queries, batch.judged(DEPTH), strict=True))
    ordered = sorted(qrels)
    return Scores(
        {name: _in_order(ordered, column) for name, column in values.items()},
        _in_order(ordered, top10),
        _in_order(ordered, judged),
        tuple(query for query in ordered if query not in run),
        unjudged,
    )


def score_run(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str] = METRICS,
    drop_identical_ids: bool = False,
) -> dict[str, dict[str, float]]:
    """{metric: {query id: score}} of every judged query, as trec_eval with `-c` gives them.

    `qrels` maps query id to {document id: grade}, `run` query id to {document id: score}. A
    judged query that is not answered scores 0 and stays in; an answered one that nothing judges
    is left out with a UserWarning. ScoringError (a ValueError) names query and document of NaN,
    infinities, fractional grades and ids that are not text.
    """
    check_qrels(qrels)
    unjudged = unjudged_queries(run, qrels)
    if unjudged:
        warnings.warn(
            f"{len(unjudged)} answered queries have no judgements and are left out:"
            f" {shortened(unjudged)}",
            UserWarning,
            stacklevel=2,
        )
    wanted = [parse_metric(name) for name in _names(metrics)]
    values: dict[str, dict[str, float]] = {metric.name: {} for metric in wanted}
    for batch in _batches(qrels, run, drop=drop_identical_ids):
        for metric in wanted:
            column = metric.column(batch.hits)
            values[metric.name].update(zip(batch.queries, column, strict=True))
    return values


def _shared(own: Mapping[str, T], others: Mapping[str, T]) -> dict[str, T]:
    return {
        query: others[query] if query in others and others[query] == held else held
        for query, held in own.items()
    }


def _in_order(queries: Sequence[str], values: Mapping[str, T]) -> dict[str, T]:
    return dict(zip(queries, map(values.__getitem__, queries), strict=True))


def _names(metrics: Sequence[str]) -> list[str]:
    """The names once each; one name alone is not read letter by letter."""
    return [metrics] if isinstance(metrics, str) else list(dict.fromkeys(metrics))


@dataclass(frozen=True)
class _Batch:
    queries: list[str]
    rankings: RankedAnswers
    hits: Hits
    documents: list[str]  # beside hits.rows: the ids of the judged documents retrieved

    def judged(self, depth: int) -> list[tuple[tuple[int, str], ...]]:
        found: list[list[tuple[int, str]]] = [[] for _ in self.queries]
        ranked = zip(self.hits.rows.tolist(), self.hits.ranks.tolist(), self.documents, strict=True)
        for row, rank, document in ranked:
            if rank <= depth:
                found[row].append((rank, document))
        return [tuple(one) for one in found]


def _batches(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    *,
    drop: bool,
) -> Iterator[_Batch]:
    if isinstance(run, RankingTable) and not drop:
        for part in run.parts:
            part = part.of_queries(qrels)  # noqa: PLW2901
            if part.queries:
                judged = {query: qrels[query] for query in part.queries}
                yield _batch(as_grades(judged), ColumnAnswers(part))
        qrels, run = {query: qrels[query] for query in qrels if query not in run}, {}
    longest = max((len(answer) for answer in run.values() if isinstance(answer, dict)), default=0)
    size = min(_BATCH, max(1, _LARGEST // max(1, longest)))
    remaining = iter(qrels.items())
    while batch := dict(islice(remaining, size)):
        answers = [run.get(query, {}) for query in batch]
        yield _batch(as_grades(batch), RankedAnswers(list(batch), answers, drop=drop))


def _batch(judgements: Mapping[str, Mapping[str, int]], rankings: RankedAnswers) -> _Batch:
    counts = [len(grades) for grades in judgements.values()]
    ids = [document for grades in judgements.values() for document in grades]
    flat = [grade for grades in judgements.values() for grade in grades.values()]
    rows = np.repeat(np.arange(len(counts)), counts)
    grades_of = as_integers(judgements, flat)
    scores = rankings.scores_of(judgements.values(), rows, ids)

    retrieved = np.flatnonzero(~np.isnan(scores))
    documents = [ids[place] for place in retrieved]
    ranks = rankings.ranks(rows[retrieved], documents, scores[retrieved])
    by_rank = np.lexsort((ranks, rows[retrieved]))

    positive = np.flatnonzero(grades_of > 0)
    by_grade = positive[np.lexsort((-grades_of[positive], rows[positive]))]
    ideal_rows = rows[by_grade]
    first = np.searchsorted(ideal_rows, ideal_rows)
    hits = Hits(
        queries=len(counts),
        rows=rows[retrieved][by_rank],
        ranks=ranks[by_rank],
        grades=grades_of[retrieved][by_rank],
        ideal_rows=ideal_rows,
        ideal_ranks=np.arange(len(ideal_rows)) - first + 1,
        ideal_grades=grades_of[by_grade],
        retrieved=rankings.lengths,
    )
    return _Batch(list(judgements), rankings, hits, [documents[place] for place in by_rank])
