"""The scatter of a dataset's queries as SVG, drawn here: a page has one for each dataset.

A library for charts takes about a tenth of a second for each, and writes every point as an element
of its own: with 10,000 queries that is megabytes of points on top of each other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SIDE = 260
_LEFT, _TOP, _RIGHT, _BOTTOM = 46, 8, 12, 42
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_POINT = "#5b7fb5"
# Up to how many queries in one place, and how wide their point is.
_WIDTHS = ((1, 5.0), (9, 7.5), (99, 10.0), (float("inf"), 13.0))


def scatter(before: Mapping[str, float], now: Mapping[str, float], metric: str) -> str:
    """Each query's score in the baseline and now; below the line it lost.

    Scores lie between 0 and 1, which the axes show. Queries in one place are one point, the wider
    the more there are. Empty where no query has both scores.
    """
    places = Counter(
        (round(_x(before[query])), round(_y(now[query]))) for query in now if query in before
    )
    if not places:
        return ""
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    return "".join(
        (
            f'<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width}',
            f' {height}" font-family="system-ui, sans-serif" font-size="10" fill="currentColor">',
            *_axes(metric),
            f'<path d="M{_x(0):g} {_y(0):g}L{_x(1):g} {_y(1):g}"',
            ' stroke="currentColor" stroke-dasharray="3 3"/>',
            *_points(places),
            "</svg>",
        )
    )


def _x(score: float) -> float:
    return _LEFT + _SIDE * score


def _y(score: float) -> float:
    return _TOP + _SIDE * (1 - score)


def _axes(metric: str) -> Iterator[str]:
    grid = "".join(
        f"M{_x(tick):g} {_y(0):g}V{_y(1):g}M{_x(0):g} {_y(tick):g}H{_x(1):g}" for tick in _TICKS
    )
    yield f'<path d="{grid}" stroke="currentColor" stroke-opacity="0.12"/>'
    for tick in _TICKS:
        yield f'<text x="{_x(tick):g}" y="{_y(0) + 14:g}" text-anchor="middle">{tick:g}</text>'
        yield f'<text x="{_x(0) - 6:g}" y="{_y(tick) + 3:g}" text-anchor="end">{tick:g}</text>'
    middle = _x(0.5)
    name = clean(metric).replace("&", "&amp;").replace("<", "&lt;")
    yield (
        f'<text x="{middle:g}" y="{_y(0) + 34:g}" text-anchor="middle" font-size="11">'
        f"{name} of a query in the baseline</text>"
    )
    yield (
        f'<text transform="translate(12 {_y(0.5):g}) rotate(-90)" text-anchor="middle"'
        ' font-size="11">now</text>'
    )


def _points(places: Mapping[tuple[int, int], int]) -> Iterator[str]:
    """One path for each width: a line of no length with round ends is a point."""
    smallest = 0.0
    for most, width in _WIDTHS:
        drawn = "".join(
            f"M{x} {y}h0" for (x, y), count in sorted(places.items()) if smallest < count <= most
        )
        smallest = most
        if drawn:
            yield (
                f'<path d="{drawn}" stroke="{_POINT}" stroke-opacity="0.6"'
                f' stroke-width="{width:g}" stroke-linecap="round"/>'
            )
