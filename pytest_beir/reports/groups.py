"""One group of queries in a line: how much it moved, and how many of its queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import change, score

if TYPE_CHECKING:
    from pytest_beir.explanation.groups import Group


def group_line(group: Group) -> str:
    """A group as `billing: −.041 (.652 → .611), 5 of 12 queries worse, 1 better`."""
    queries = plural(group.n, "query")
    if group.delta is None:
        return f"{group.name}: {score(group.now)}, {queries}"
    return (
        f"{group.name}: {change(group.delta)} ({score(group.before)} → {score(group.now)}), "
        f"{group.worse} of {queries} worse, {group.better} better"
    )
