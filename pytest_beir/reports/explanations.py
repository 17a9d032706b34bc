"""What explains a dataset's result, in labelled sentences: cause, pool, groups, pins, noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pytest_beir.gate.power import FEWEST_QUERIES, power
from pytest_beir.phrasing import plural
from pytest_beir.reports.diagnosis import sentences
from pytest_beir.reports.numbers import change, equation, limit, score, share
from pytest_beir.reports.remark import Remark
from pytest_beir.reports.wording import evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.explanation.groups import Group
    from pytest_beir.explanation.pool import Bounds, PoolCheck
    from pytest_beir.explanation.worst_queries import MovedDocument
    from pytest_beir.gate.noise import Noise
    from pytest_beir.text_layout import Style

_NAMED = 3  # queries that repeating ranked differently
_COSTLIEST = 5  # documents of one losing query
_SMALL = 100  # queries
_CHANGES = {
    "parameter": "(changed parameter)",
    "analyser": "(other analyser)",
    "system": "(other system)",
}


def explanations(evaluation: Evaluation, *, counts: bool = True) -> Iterator[Remark]:
    """What there is to say beside the numbers; with `counts` the diagnosis repeats who lost."""
    diagnosis = evaluation.explanation.diagnosis
    yield from losses(evaluation)
    if diagnosis is not None:
        text = "; ".join(sentences(diagnosis, counts=counts))
        yield Remark("cause", text, "plain")
    yield from circumstances(evaluation)


def losses(evaluation: Evaluation) -> Iterator[Remark]:
    """What was lost beside the metrics' means: pinned queries, floors and gated groups."""
    for check in evaluation.missed:
        yield Remark("check", check.message, "red")
    if evaluation.confirmed is not None:
        searched = f"it fell, so {plural(evaluation.queries, 'query')} were searched once more: "
        outcome = "confirmed" if evaluation.confirmed else "the second search did not regress"
        style: Style = "plain" if evaluation.confirmed else "yellow"
        yield Remark("searched again", searched + outcome, style)
    for metric in evaluation.gated_groups:
        if metric.verdict == "regressed":
            yield Remark("group", evidence(metric), "red")


def circumstances(evaluation: Evaluation) -> Iterator[Remark]:
    """What unjudged documents, noise and groups have to do with the result."""
    told = evaluation.explanation
    pool = pool_line(evaluation.pool, told.bounds) if evaluation.pool is not None else None
    if pool:
        yield Remark("pool", pool, "yellow")
    if evaluation.noise:
        style: Style = "yellow" if evaluation.varying else "dim"
        yield Remark("repeated", repeats_line(evaluation.noise, evaluation.varying), style)
    if told.groups:
        yield Remark("groups", "; ".join(map(group_line, told.groups)), "dim")
    level = next((m.level for m in evaluation.metrics.values() if m.level is not None), None)
    if evaluation.verdict == "no baseline" and level is not None:
        words = first_words(evaluation.queries, alpha=level, margin=evaluation.margin)
        if words:
            yield Remark("small", words, "yellow")


def group_line(group: Group) -> str:
    """A group as `billing: −.041 (.652 → .611), 5 of 12 queries worse, 1 better`."""
    queries = plural(group.n, "query")
    if group.delta is None:
        return f"{group.name}: {score(group.now)}, {queries}"
    return (
        f"{group.name}: {change(group.delta)} ({score(group.before)} → {score(group.now)}), "
        f"{group.worse} of {queries} worse, {group.better} better"
    )


def pool_line(check: PoolCheck, bounds: Bounds | None = None) -> str | None:
    """The evidence behind a pool flag, None where none is raised; `bounds` are today's."""
    if check.flag is None:
        return None
    if check.flag == "pool-unverifiable":
        line = (
            f"only relevant documents are listed, and the two runs share {share(check.overlap)} of "
            f"their top tens"
        )
    else:
        p = "" if check.condensed_p is None else f", {equation('p', check.condensed_p)}"
        line = (
            f"judged@10 {change(-check.judged_fall)}, which alone may cost "
            f"{score(check.artefact)}; among judged documents {change(check.condensed_delta)}{p}"
        )
    if bounds is None:
        return line
    return (
        f"{line}; the score is {score(bounds.worst)} if no unjudged document of the top ten is "
        f"relevant, and {score(bounds.best)} at best"
    )


def repeats_line(noises: Sequence[Noise], varying: Sequence[str]) -> str:
    """The outcome of `--beir-repeat` on one dataset; `varying` are queries ranked differently."""
    repeats, queries = noises[0].repeats, noises[0].queries
    if not varying:
        whole = plural(queries, "query")
        return f"deterministic: {repeats} retrievals ranked all of {whole} alike"
    named = ", ".join(varying[:_NAMED]) + (", …" if len(varying) > _NAMED else "")
    parts = [
        f"{each.metric} of {plural(len(each.by_query), 'query')} varies, of the mean by "
        f"sd {score(each.sd, 4)}: a drop up to {score(each.bound, 4)} is within the noise"
        for each in noises
        if each.by_query
    ]
    return (
        f"noisy: {repeats} retrievals ranked {len(varying)} of "
        f"{plural(queries, 'query')} differently ({named}); "
        f"{'; '.join(parts) or 'no score varies'}"
    )


def first_words(queries: int, *, alpha: float, margin: float) -> str | None:
    """One line for a dataset of under 100 judged queries, None for a larger one.

    `alpha` is the dataset's level, `margin` is in metric units.
    """
    if queries >= _SMALL:
        return None
    reach = power((queries,), alpha=alpha, margin=margin)
    drops = [f"{limit(float(f'{s.mde:.2g}'))} {_CHANGES[s.kind]}" for s in reach.detectable]
    found = (
        f"a drop is found, four times in five, if it is about {', '.join(drops[:-1])} or"
        f" {drops[-1]}"
    )
    if "regressed" in reach.out_of_reach:
        found = f"too few to find a drop: {reach.fewest_changed} of them would have to change"
    line = f"{plural(queries, 'judged query')}: {found}"
    if queries < FEWEST_QUERIES:
        line += f"; under {FEWEST_QUERIES}, none can be excluded"
    return line


def costliest(documents: Sequence[MovedDocument]) -> tuple[list[MovedDocument], int]:
    """The documents that lost most by their move, and how many others there are.

    A move costs the document's grade times the change of its discount, 1 / log2(rank + 1).
    """
    ordered = sorted(documents, key=lambda each: (-_cost(each), each.id))
    return ordered[:_COSTLIEST], max(len(ordered) - _COSTLIEST, 0)


def _cost(document: MovedDocument) -> float:
    return document.grade * (_discount(document.old_rank) - _discount(document.new_rank))


def _discount(rank: int | None) -> float:
    return 0.0 if rank is None else 1.0 / math.log2(rank + 1)
