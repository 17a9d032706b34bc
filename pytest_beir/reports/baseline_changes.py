"""A changed baseline in words: what it was, what it is, why, and how many queries moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import score
from pytest_beir.reports.remark import Remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_beir.baselines.change import BaselineChange


def change_remarks(changes: Iterable[BaselineChange]) -> Iterator[Remark]:
    """A remark for each change, labelled with the retriever and the dataset."""
    for change in changes:
        yield Remark(f"{change.retriever}/{change.dataset}", change_line(change), "yellow")


def change_line(change: BaselineChange) -> str:
    """`nDCG@10 .676 → .657 (41 of 300 queries moved), dropped: half the latency`."""
    if change.problem is not None:
        return change.problem
    if change.after is None:
        return "deleted"
    parts = []
    for metric in change.after.metrics:
        now = score(change.after.mean(metric))
        if change.before is None or metric not in change.before.metrics:
            parts.append(f"{metric} {now}, which is new")
            continue
        text = f"{metric} {score(change.before.mean(metric))} → {now}"
        moved = len(change.moved(metric))
        queries = plural(change.after.identity.queries, "query")
        parts.append(f"{text} ({moved:,} of {queries} moved{_anchor(change, metric)})")
    accepted = change.after.history.accepted
    reason = f": {accepted.reason}" if accepted.reason else ""
    return f"{'; '.join(parts)}; {accepted.category}{reason}"


def _anchor(change: BaselineChange, metric: str) -> str:
    """The move of the anchor, from which decline is measured, where it moved too."""
    if change.before is None or change.after is None:
        return ""
    old, new = (each.mean(metric, anchor=True) for each in (change.before, change.after))
    return "" if old == new else f"; anchor {score(old)} → {score(new)}"
