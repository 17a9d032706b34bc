"""The details of one failed dataset: every number of the test, and the queries that lost most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import plural
from pytest_beir.reports.explanations import costliest, explanations
from pytest_beir.reports.numbers import change, limit, probability, rank, score, share
from pytest_beir.reports.wording import deciding, doubt
from pytest_beir.text_layout import Page, clean, cut

if TYPE_CHECKING:
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.explanation.worst_queries import MovedDocument, QueryLoss
    from pytest_beir.gate.comparison import Comparison
    from pytest_beir.gate.verdict import MetricVerdict

_ROW = "  {:<9}{:>8}  {:>6}  {:>7}  {:>18}  {:>7}  {:>7}"
_DIGITS = 4  # what trec_eval prints, so that the two can be laid side by side
_SHOWN = 5


def failure_block(
    evaluation: Evaluation,
    *,
    texts: bool = True,
    ascii: bool = False,  # noqa: A002
) -> str:
    """The block under a failed test; with `texts=False` it names queries and documents by id.

    Empty where the one line of the failure says all that there is.
    """
    if evaluation.verdict == "no baseline" and not _has_more(evaluation):
        return ""
    page = Page(ascii=ascii)
    page.paragraph(
        f"{evaluation.retriever} on {evaluation.dataset} ({evaluation.split}): "
        f"{evaluation.verdict}{_reason(evaluation)}"
    )
    if evaluation.missing and evaluation.verdict != "error":
        page.paragraph(
            f"{evaluation.missing:,} of {plural(evaluation.queries, 'query')} "
            "unanswered, each scored 0"
        )
    for metric in evaluation.metrics.values():
        page.blank()
        _add_metric(page, metric)
    if evaluation.metrics:
        page.blank()
        _add_judged(page, evaluation)
    _add_flags(page, evaluation)
    for label, text, *_ in explanations(evaluation, counts=False):
        page.blank()
        page.paragraph(f"{label}: {text}")
    if evaluation.explanation.losses:
        page.blank()
        add_losses(page, evaluation, texts=texts)
    return "\n".join(line.text for line in page.lines)


def _has_more(evaluation: Evaluation) -> bool:
    """Whether there is more to a dataset without a baseline than its scores."""
    return bool(evaluation.flags or evaluation.missing or evaluation.missed or evaluation.noise)


def add_losses(page: Page, evaluation: Evaluation, *, texts: bool) -> None:
    """Add the queries that lost most, with the ranks of their relevant documents."""
    page.add(_losses_title(evaluation))
    for loser in evaluation.explanation.losses[:_SHOWN]:
        _add_loser(page, loser, texts=texts)


def _reason(evaluation: Evaluation) -> str:
    if evaluation.verdict == "regressed":
        return ""  # it stands with the metric
    reason = doubt(evaluation) if evaluation.verdict == "inconclusive" else evaluation.reason
    return f", {reason}" if reason else ""


def _add_metric(page: Page, metric: MetricVerdict) -> None:
    verdict = f"gated: {metric.verdict}" if metric.gated else "recorded only"
    if metric.verdict == "regressed" and metric.against_anchor is not None:
        verdict += f" against {' and '.join(metric.regressed_against)}"
    is_same = all(each.changed == 0 for each in metric.comparisons)
    if is_same and metric.current is not None:
        queries = plural(metric.current.n, "query")
        page.add(
            f"{metric.metric}, {verdict}: {score(metric.now, _DIGITS)}, unchanged on all {queries}"
        )
        return
    page.add(f"{metric.metric}, {verdict}")
    if metric.current is None and metric.against_anchor is None:
        page.add(f"  now {score(metric.now, _DIGITS)}, baseline {score(metric.baseline, _DIGITS)}")
        return
    names = [page.spell(name) for name in ("Δ", "lower … upper")]
    page.add(_ROW.format("", "stored", "now", *names, "p drop", "p gain"))
    for name, before, comparison in (
        ("current", metric.baseline, metric.current),
        ("anchor", metric.anchor, metric.against_anchor),
    ):
        if comparison is not None:
            page.add(_row(page, name, before, metric, comparison))
    _add_evidence(page, metric, metric.current or metric.against_anchor)
    if metric.note:
        page.paragraph(metric.note, indent="  ", hanging="  ")


def _row(
    page: Page, name: str, before: float | None, metric: MetricVerdict, comparison: Comparison
) -> str:
    bounds = f"{change(comparison.lower, _DIGITS)} … {change(comparison.upper, _DIGITS)}"
    return _ROW.format(
        name,
        score(before, _DIGITS),
        score(metric.now, _DIGITS),
        page.spell(change(comparison.delta, _DIGITS)),
        page.spell(bounds),
        probability(comparison.p_drop, metric.alpha),
        probability(comparison.p_gain),
    )


def _add_evidence(page: Page, metric: MetricVerdict, comparison: Comparison | None) -> None:
    if comparison is None:
        return
    text = (
        f"{plural(comparison.n, 'query')}, {comparison.changed:,} changed: "
        f"{comparison.worse:,} worse, {comparison.better:,} better"
    )
    if comparison.largest_losers_share is not None:
        carried = share(comparison.largest_losers_share)
        text += f"; the three largest losers carry {carried} of the loss"
    page.paragraph(text, indent="  ", hanging="  ")
    limits = (
        f"margin {limit(metric.margin)}, margin bound {change(comparison.margin_bound, _DIGITS)}, "
        f"detectable drop (MDE) {score(comparison.mde, _DIGITS)}"
    )
    if metric.gated:
        limits = (
            f"fails at p ≤ {limit(metric.alpha)} with a loss of {limit(metric.min_effect)} "
            f"or more; {limits}"
        )
    page.paragraph(limits, indent="  ", hanging="  ")


def _add_judged(page: Page, evaluation: Evaluation) -> None:
    now, before = evaluation.judged_at_10
    if now is not None:
        earlier = "" if before is None else f"{score(before)} before, "
        page.add(f"judged@10: {earlier}{score(now)} now")


def _add_flags(page: Page, evaluation: Evaluation) -> None:
    flags = list(evaluation.flags)
    if flags:
        page.paragraph(f"flags: {', '.join(flags)}")
    if evaluation.strict_failures:
        page.paragraph(f"fails under strict: {', '.join(evaluation.strict_failures)}")


def _losses_title(evaluation: Evaluation) -> str:
    number = min(len(evaluation.explanation.losses), _SHOWN)
    metric = deciding(evaluation)
    what = "The query that lost most" if number == 1 else f"The {number} queries that lost most"
    return f"{what} ({metric.metric})" if metric else what


def _add_loser(page: Page, loser: QueryLoss, *, texts: bool) -> None:
    text = f"  {clean(loser.text)}" if texts and loser.text else ""
    page.add(f"  {score(loser.before)} → {score(loser.now)}  {clean(loser.query)}{text}")
    shown, more = costliest(loser.documents)
    for document in shown:
        _add_document(page, document, texts=texts)
    if more:
        page.add(f"      and {plural(more, 'other relevant document')}")


def _add_document(page: Page, document: MovedDocument, *, texts: bool) -> None:
    moved = page.spell(f"rank {rank(document.old_rank)} → {rank(document.new_rank)}")
    title = f"  {clean(document.title)}" if texts and document.title else ""
    grade = f" (grade {document.grade})" if document.grade != 1 else ""
    page.add(f"      {moved:<20} {cut(clean(document.id), 24)}{grade}{title}")
