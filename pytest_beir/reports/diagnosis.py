"""The diagnosis of a drop in sentences: where to look, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import change, equation, share

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.explanation.diagnosis import Diagnosis
    from pytest_beir.explanation.loss_pattern import Enrichment

_MAIN = 2 / 3  # of the drop, to be called its cause
_NAMED = 3  # traits, which often overlap
_SHALLOWER = 10  # judged documents that stood deeper, before the depth itself is suspected


def sentences(diagnosis: Diagnosis, *, counts: bool = True) -> tuple[str, ...]:
    """What the change of a metric consists of, most important first.

    Without `counts` the line of queries worse and better is left out, where it stands already.
    """
    return tuple(_sentences(diagnosis, counts=counts))


def causes(diagnosis: Diagnosis) -> tuple[str, ...]:
    """The likeliest causes of a drop, a line each, most important first; at most three."""
    return tuple(_causes(diagnosis))[:_NAMED]


def _causes(diagnosis: Diagnosis) -> Iterator[str]:
    kind = _kind(diagnosis)
    if diagnosis.gone:
        yield f"{_gone(diagnosis)}; put them back, or remove their judgements"
    if kind == "recall" and diagnosis.gone < diagnosis.left:
        left = _left(diagnosis)
        yield f"{left} left the top 100; look at the first stage"
    elif kind == "order":
        yield "relevant documents are found, but lower; look at the ranking"
    elif kind == "both":
        left = f"{_left(diagnosis)} left the top 100, and "
        yield f"{left if diagnosis.gone < diagnosis.left else ''}others rank lower"
    before, now = diagnosis.deepest
    if diagnosis.beyond >= _SHALLOWER and now is not None:
        yield f"answers are shorter: nothing judged below rank {now}, before {before}"
    for each in diagnosis.enrichments:
        carried = share(each.loss_share) if each.loss_share < 1 else "all"
        trait = each.label.partition(" (")[0]
        yield f"{trait}: {carried} of the loss, {share(each.share)} of the queries"


def _kind(diagnosis: Diagnosis) -> Literal["recall", "order", "both"] | None:
    """Which part of a drop is most of it; None for a gain, or where the parts are not known."""
    recall, order, delta = diagnosis.recall, diagnosis.order, diagnosis.delta
    if recall is None or order is None or delta >= 0:
        return None
    if recall <= _MAIN * delta:
        return "recall"
    return "order" if order <= _MAIN * delta else "both"


def _sentences(diagnosis: Diagnosis, *, counts: bool) -> Iterator[str]:
    yield from _cause(diagnosis)
    before, now = diagnosis.deepest
    if diagnosis.beyond >= _SHALLOWER and now is not None:
        yield (
            f"no judged document stands below rank {now} any more; {diagnosis.beyond} did, "
            f"down to {before}: was top_k cut, or the number of candidates?"
        )
    if counts:
        yield _counts(diagnosis)
    yield from map(_enrichment, diagnosis.enrichments[:_NAMED])


def _cause(diagnosis: Diagnosis) -> Iterator[str]:
    recall, order, delta = diagnosis.recall, diagnosis.order, diagnosis.delta
    if recall is None or order is None:
        return
    parts = f"{diagnosis.metric} {change(delta)} = recall {change(recall)}, order {change(order)}"
    top = f"{plural(diagnosis.left, 'relevant document')} left the top 100, "
    top += f"{diagnosis.entered or 'none'} entered"
    if not diagnosis.left and not diagnosis.entered:
        top = "no relevant document left or entered the top 100"
    kind = _kind(diagnosis)
    if diagnosis.gone:
        gone = (
            f"{_gone(diagnosis)}, and no search can find them: put them back, or remove their"
            " judgements"
        )
        is_all = diagnosis.gone == diagnosis.left and not diagnosis.entered
        top = gone if is_all else f"{top}; {gone}"
    if kind is None:
        yield f"{parts}; {top}"
    elif kind == "recall" and diagnosis.gone == diagnosis.left > 0:
        yield f"{parts}: {top}"
    elif kind == "recall":
        yield f"{parts}: {top}; look at the first stage (index, analyser, number of candidates)"
    elif kind == "order":
        yield (
            f"{parts}: relevant documents are still found and rank lower; look at the ranking "
            f"(weights, reranker) ({top})"
        )
    else:
        yield f"{parts}: both; {top}, and those that stayed rank lower"


def _gone(diagnosis: Diagnosis) -> str:
    return f"{plural(diagnosis.gone, 'relevant document')} left the corpus"


def _left(diagnosis: Diagnosis) -> str:
    """The documents that left the top 100 and that the corpus still holds."""
    kind = "other relevant document" if diagnosis.gone else "relevant document"
    return plural(diagnosis.left - diagnosis.gone, kind)


def _counts(diagnosis: Diagnosis) -> str:
    queries = plural(diagnosis.n, "query")
    line = f"{diagnosis.worse} of {queries} worse, {diagnosis.better} better"
    if diagnosis.largest_losers_share is None or diagnosis.worse <= 1:
        return line
    carried = share(diagnosis.largest_losers_share)
    return f"{line}; the three largest losers carry {carried} of the loss"


def _enrichment(gathering: Enrichment) -> str:
    carried = (
        f"carry {share(gathering.loss_share)} of the loss"
        if gathering.loss_share < 1
        else "carry all of it, and the others gained"
    )
    return (
        f"the loss gathers in {gathering.label}: {share(gathering.share)} of the queries {carried} "
        f"({gathering.worse} worse, {gathering.better} better, {equation('p', gathering.p)}); "
        f"{gathering.hint}"
    )
