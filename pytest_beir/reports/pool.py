"""What unjudged documents may have to do with a drop, in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.reports.numbers import change, equation, score, share

if TYPE_CHECKING:
    from pytest_beir.explanation.pool import Bounds, PoolCheck


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
