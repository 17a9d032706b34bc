"""What a small dataset can tell, in the line that its first run prints."""

from __future__ import annotations

from pytest_beir.gate.power import FEWEST_QUERIES, power
from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import limit

_SMALL = 100
_WORDS = {
    "parameter": "after a changed parameter",
    "analyser": "with another analyser",
    "system": "with another system",
}


def first_words(queries: int, *, alpha: float, margin: float) -> str | None:
    """One line for a dataset of under 100 judged queries, None for a larger one.

    `alpha` is the dataset's level, `margin` is in metric units.
    """
    if queries >= _SMALL:
        return None
    found = power((queries,), alpha=alpha, margin=margin)
    drops = [f"{limit(float(f'{s.mde:.2g}'))} {_WORDS[s.kind]}" for s in found.sights]
    line = (
        f"{plural(queries, 'judged query')}: a drop is found four times in five "
        f"if it is about {', '.join(drops[:-1])} or {drops[-1]}"
    )
    if "regressed" in found.out_of_reach:
        line = (
            f"{plural(queries, 'judged query')}: no drop can be significant, "
            f"which takes {found.fewest_changed} changed queries at level {limit(alpha)}"
        )
    if queries < FEWEST_QUERIES:
        line += f"; below {FEWEST_QUERIES} queries no drop can be excluded"
    return line
