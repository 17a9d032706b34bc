"""The charts of `beir.html` as SVG: no script, colours of the page, a shape for each verdict.

Each is one of a few for a retriever; what every dataset has is drawn in `scatter.py`. A chart is
written as plain Vega-Lite, since a library that writes it takes as long to import as all charts
take to draw.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_beir.reports.wording import deciding, tested, verdict_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.reports.latency import Offer
    from pytest_beir.reports.story import StoredMean

_INK = "#123456"  # stands for the page's text colour until the SVG is put into it
_COLOURS = {
    "regressed": "#d1495b",
    "improved": "#2a9d5c",
    "inconclusive": "#c98a1b",
    "within tolerance": "#5b7fb5",
    "unchanged": "#808b96",
    "written": "#5b7fb5",
}
_SHAPES = {
    "regressed": "triangle-down",
    "improved": "triangle-up",
    "inconclusive": "diamond",
    "within tolerance": "circle",
    "unchanged": "circle",
    "written": "square",
}
_WIDTH = 260
_LABEL = 170
_TICKS = 4
_FONT = 12  # a phone shows it at four fifths of that
_WIDER = 0.2  # by how much a browser's letters may be wider than those that labels were placed by
_SIZE = re.compile(r'(<svg [^>]*?)width="[\d.]+" height="[\d.]+"')
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_numbers = count(1)

_Json: TypeAlias = dict[str, Any]


def _layer(data: _Json, mark: _Json, **encoding: _Json) -> _Json:
    """One kind of mark over one set of rows."""
    return {"data": data, "mark": mark, "encoding": encoding}


def _place(field: str, **more: Any) -> _Json:
    """A number of the rows, as a place on an axis."""
    return {"field": field, "type": "quantitative", **more}


def _name(field: str, **more: Any) -> _Json:
    """A text of the rows, which tells one thing from another."""
    return {"field": field, "type": "nominal", **more}


_AXIS = {"tickCount": _TICKS}
_DATASETS = _name("dataset", sort=None, title=None, axis={"labelLimit": _LABEL})
_VERDICTS = {
    channel: _name("verdict", legend=None, scale={"domain": [*looks], "range": [*looks.values()]})
    for channel, looks in (("color", _COLOURS), ("shape", _SHAPES))
}
_RULE = {"type": "rule", "color": _INK, "strokeWidth": 2}
_DASHED = {"type": "rule", "color": _INK, "strokeDash": [3, 3]}
_POINT = {"type": "point", "filled": True, "opacity": 1, "size": 80}
_TEXT = {
    "labelColor": _INK,
    "titleColor": _INK,
    "labelFontSize": _FONT,
    "titleFontSize": _FONT,
}
_CONFIG = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "axis": {
        **_TEXT,
        "tickColor": _INK,
        "domainColor": _INK,
        "gridColor": _INK,
        "gridOpacity": 0.12,
        "titleFontWeight": "normal",
        "labelOverlap": "greedy",
        "labelSeparation": 6,
        "labelFlush": False,
    },
    "legend": {**_TEXT, "orient": "bottom"},
    "view": {"stroke": None},
}


def forest(evaluations: Sequence[Evaluation]) -> str:
    """Each dataset's change with its bounds and its margin; empty where nothing was compared."""
    rows = []
    for each in evaluations:
        metric = deciding(each)
        comparison = tested(metric)[0] if metric is not None else None
        if metric is not None and comparison is not None:
            rows.append(
                {
                    "dataset": each.dataset,
                    "verdict": verdict_word(each),
                    "change": comparison.delta,
                    "lower": comparison.lower,
                    "upper": comparison.upper,
                    "margin": -metric.margin if metric.margin is not None else None,
                }
            )
    if not rows:
        return ""
    change = _place("lower", title="change, with its one-sided 95 % bounds", axis=_AXIS)
    data, y = {"values": rows}, _DATASETS
    margin = {"type": "tick", "color": _COLOURS["regressed"], "thickness": 2}
    return _svg(
        _layer(data, _RULE, x=change, x2={"field": "upper"}, y=y),
        _layer(data, margin, x=_place("margin"), y=y),
        _layer({"values": [{"zero": 0}]}, _DASHED, x=_place("zero")),
        _layer(data, _POINT, x=_place("change"), y=y, **_VERDICTS),
    )


def dumbbells(evaluations: Sequence[Evaluation], metric: str) -> str:
    """Each dataset's mean in the baseline (hollow) and now (filled)."""
    rows = [
        {
            "dataset": each.dataset,
            # One that is only recorded has no verdict: the dataset's would not be its own.
            "verdict": verdict_word(each) if each.metrics[metric].gated else "within tolerance",
            "now": each.metrics[metric].now,
            "baseline": each.metrics[metric].baseline,
        }
        for each in evaluations
        if metric in each.metrics
    ]
    if not rows:
        return ""
    now = _place("now", title=f"{metric}: hollow the baseline, filled now", axis=_AXIS)
    data, y = {"values": rows}, _DATASETS
    rule = {"type": "rule", "color": _INK, "opacity": 0.5}
    hollow = {"type": "point", "color": _INK, "filled": False, "size": 80}
    return _svg(
        _layer(data, rule, x=now, x2={"field": "baseline"}, y=y),
        _layer(data, hollow, x=_place("baseline"), y=y),
        _layer(data, _POINT, x=now, y=y, **_VERDICTS),
    )


def drift(means: Sequence[StoredMean], metric: str, now: float | None) -> str:
    """A metric's stored mean and its anchor over past updates, and today's; from two points on."""
    rows: list[dict[str, Any]] = []
    for each in means:
        if each.metric == metric:
            rows += [
                {"update": each.commit[:8], "line": "baseline", "mean": each.mean},
                {"update": each.commit[:8], "line": "anchor", "mean": each.anchor},
            ]
    if len(rows) < 4:  # noqa: PLR2004  # one update is no line
        return ""
    if now is not None:
        rows.append({"update": "this run", "line": "baseline", "mean": now})
    colours = {"domain": ["baseline", "anchor"], "range": [_INK, "#c98a1b"]}
    return _svg(
        _layer(
            {"values": rows},
            {"type": "line", "point": True},
            x=_name("update", sort=None, title="update"),
            y=_place("mean", title=metric, scale={"zero": False}),
            color=_name("line", title=None, scale=colours),
            strokeDash=_name("line", title=None),
        ),
        height=120,
    )


def losses(shares: Iterable[tuple[str, float, float]]) -> str:
    """(label, share of the queries, share of the loss): where the loss gathers, as bars."""
    rows = [
        {"label": label, "what": what, "share": value}
        for label, queries, loss in shares
        for what, value in (("queries", queries), ("loss", min(loss, 1.0)))
    ]
    if not rows:
        return ""
    colours = {"domain": ["queries", "loss"], "range": ["#808b96", "#d1495b"]}
    return _svg(
        _layer(
            {"values": rows},
            {"type": "bar"},
            x=_place("share", title="share", axis={"format": "%", **_AXIS}),
            y=_name("label", title=None, axis={"labelLimit": _LABEL}),
            yOffset=_name("what"),
            color=_name("what", title=None, scale=colours),
        )
    )


def pareto(offers: Sequence[Offer], metric: str) -> str:
    """Quality by time, a point for each retriever, hollow where another one dominates it."""
    rows = [
        {"name": each.retriever, "ms": each.seconds * 1000, "quality": each.quality}
        for each in offers
    ]
    best = [row for row, each in zip(rows, offers, strict=True) if each.dominated_by is None]
    every, chosen = {"values": rows}, {"values": best}
    scale = {"type": "log", "padding": 20}
    places = {
        "x": _place("ms", title="p50 of a search in ms", scale=scale),
        "y": _place("quality", title=metric, scale={"padding": 20, "zero": False}),
    }
    line = {"type": "line", "color": _INK, "strokeDash": [3, 3]}
    point = {"type": "point", "color": _INK, "opacity": 1, "size": 80}
    label = {"type": "text", "align": "left", "color": _INK, "dx": 8, "dy": -8}
    return _svg(
        _layer(chosen, line, **places),
        _layer(every, point, **places),
        _layer(chosen, {**point, "filled": True}, **places),
        _layer(every, label, **places, text=_name("name")),
        height=240,
    )


def start_engine() -> None:
    """Start what draws charts, which takes longer than to draw them all."""
    _svg(_layer({"values": []}, _POINT))


def _svg(*layers: _Json, height: int | None = None) -> str:
    """The layers as one SVG that takes the page's text colour and shrinks with the page."""
    import vl_convert

    chart = {"layer": layers, "width": _WIDTH, "config": _CONFIG}
    if height is not None:
        chart["height"] = height
    number = next(_numbers)
    svg: str = vl_convert.vegalite_to_svg(chart)
    svg = re.sub(r'(id="|url\(#|href="#)(clip|gradient)', rf"\1c{number}-\2", svg)
    svg = re.sub(r'aria-roledescription="[^"]*"', "", svg)
    svg = _SIZE.sub(r"\1", svg, count=1)  # its view box scales it to the page
    svg = _VIEW.sub(_with_room, svg, count=1)
    svg = re.sub(
        r'(<svg [^>]*?)width="(\d+(?:\.\d+)?)" height="\d+(?:\.\d+)?"', r"\1", svg, count=1
    )
    return svg.replace(_INK, "currentColor").replace("<svg ", '<svg aria-hidden="true" ', 1)


def _with_room(view: re.Match[str]) -> str:
    """The view box with room at the left, where the longest label would be cut off."""
    width, height = float(view[1]), float(view[2])
    room = _WIDER * _LABEL
    return f'viewBox="{-room:g} 0 {width + room:g} {height:g}"'
