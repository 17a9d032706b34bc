"""Scores per query from judgements and a run, exactly as trec_eval with `-c` gives them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.scoring.checks import check_run, checked_answer, checked_qrels
from pytest_beir.scoring.measures import Found, gains, parse_metric
from pytest_beir.scoring.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

METRICS = ("nDCG@10", "R@100")
JUDGED = "Judged@10"
TOP = 10
DEPTH = 100
_SHOWN = 3


@dataclass(frozen=True)
class Scores:
    """What one run is worth on one dataset; plain Python values throughout.

    `values` maps metric to {query id: score} over every judged query, sorted by id, and always
    holds `Judged@10`: the share of the first ten documents returned that bear a judgement (of a
    shorter answer's documents; 0 for none). `top10` holds the ten best ids, `judged` (rank, id)
    of every judged document in the top 100, both after dropping identical ids and for every
    judged query. `missing` are judged queries whose answer is absent or empty, `unjudged_queries`
    those answered though nothing judges them.
    """

    values: Mapping[str, Mapping[str, float]]
    top10: Mapping[str, tuple[str, ...]]
    judged: Mapping[str, tuple[tuple[int, str], ...]]
    missing: tuple[str, ...]
    unjudged_queries: tuple[str, ...]


def score(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str] = METRICS,
    *,
    drop_identical_ids: bool = False,
) -> Scores:
    """Scores, top ten and judged ranks of each judged query.

    `run` maps query id to {document id: score}, larger is better. With `drop_identical_ids` the
    document that bears the query's id leaves the ranking first; its judgement, if any, stays in
    the ideal. ScoringError names query and document of what cannot be scored.
    """
    judgements = checked_qrels(qrels)
    unjudged = check_run(run, judgements)
    # Judged@10 stands last, where the files want it.
    wanted = [parse_metric(name) for name in dict.fromkeys((*metrics, JUDGED)) if name != JUDGED]
    wanted.append(parse_metric(JUDGED))
    values: dict[str, dict[str, float]] = {metric.name: {} for metric in wanted}
    top10: dict[str, tuple[str, ...]] = {}
    judged: dict[str, tuple[tuple[int, str], ...]] = {}
    missing = []
    for query, grades in judgements.items():
        answer = checked_answer(query, run.get(query, {}))
        ranking = Ranking(answer, query if drop_identical_ids else None)
        if not ranking:
            missing.append(query)
        top10[query] = tuple(ranking.top(TOP))
        ranks = ranking.ranks(grades)
        hits = [(rank, grades[document]) for rank, document in ranks]
        found = Found(hits, gains(grades), len(ranking))
        for metric in wanted:
            values[metric.name][query] = metric.value(found)
        judged[query] = tuple(pair for pair in ranks if pair[0] <= DEPTH)
    ordered = sorted(judgements)
    return Scores(
        {name: {query: column[query] for query in ordered} for name, column in values.items()},
        {query: top10[query] for query in ordered},
        {query: judged[query] for query in ordered},
        tuple(sorted(missing)),
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
    infinities, fractional grades and ids that are no text.
    """
    judgements = checked_qrels(qrels)
    unjudged = check_run(run, judgements)
    if unjudged:
        shown = ", ".join(repr(query) for query in unjudged[:_SHOWN])
        more = ", …" if len(unjudged) > _SHOWN else ""
        warnings.warn(
            f"{len(unjudged)} answered queries have no judgements and are left out: {shown}{more}",
            UserWarning,
            stacklevel=2,
        )
    wanted = [parse_metric(name) for name in dict.fromkeys(metrics)]
    columns: list[dict[str, float]] = [{} for _ in wanted]
    for query, grades in judgements.items():
        answer = checked_answer(query, run.get(query, {}))
        ranking = Ranking(answer, query if drop_identical_ids else None)
        ranks = ranking.ranks(grades)
        hits = [(rank, grades[document]) for rank, document in ranks]
        found = Found(hits, gains(grades), len(ranking))
        for metric, column in zip(wanted, columns, strict=True):
            column[query] = metric.value(found)
    return {metric.name: column for metric, column in zip(wanted, columns, strict=True)}
