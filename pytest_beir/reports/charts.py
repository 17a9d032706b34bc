"""The charts of `beir.html` as SVG: no script, colours of the page, a shape for each verdict.

Each is one of a few for a retriever; what every dataset has is drawn in `scatter.py`.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

from pytest_beir.reports.wording import deciding, tested, verdict_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    import altair as alt

    base = _base(rows).encode(y=_datasets())
    title = "change, with its one-sided 95 % bounds"
    axis = alt.X("lower:Q", title=title, axis=alt.Axis(tickCount=_TICKS))
    return _svg(
        base.mark_rule(strokeWidth=2, color=_INK).encode(x=axis, x2="upper:Q"),
        base.mark_tick(color=_COLOURS["regressed"], thickness=2).encode(x="margin:Q"),
        _base([{"zero": 0}]).mark_rule(color=_INK, strokeDash=[3, 3]).encode(x="zero:Q"),
        base.mark_point(filled=True, size=80, opacity=1).encode(x="change:Q", **_verdicts()),
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
    import altair as alt

    base = _base(rows).encode(y=_datasets())
    title = f"{metric}: hollow the baseline, filled now"
    now = alt.X("now:Q", title=title, axis=alt.Axis(tickCount=_TICKS))
    return _svg(
        base.mark_rule(color=_INK, opacity=0.5).encode(x=now, x2="baseline:Q"),
        base.mark_point(filled=False, size=80, color=_INK).encode(x="baseline:Q"),
        base.mark_point(filled=True, size=80, opacity=1).encode(x=now, **_verdicts()),
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
    import altair as alt

    return _svg(
        _base(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X("update:N", sort=None, title="update"),
            y=alt.Y("mean:Q", title=metric, scale=alt.Scale(zero=False)),
            color=alt.Color(
                "line:N",
                title=None,
                scale=alt.Scale(domain=["baseline", "anchor"], range=[_INK, "#c98a1b"]),
            ),
            strokeDash=alt.StrokeDash("line:N", title=None),
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
    import altair as alt

    return _svg(
        _base(rows)
        .mark_bar()
        .encode(
            y=alt.Y("label:N", title=None, axis=alt.Axis(labelLimit=_LABEL)),
            yOffset="what:N",
            x=alt.X("share:Q", title="share", axis=alt.Axis(format="%", tickCount=_TICKS)),
            color=alt.Color(
                "what:N",
                title=None,
                scale=alt.Scale(domain=["queries", "loss"], range=["#808b96", "#d1495b"]),
            ),
        ),
        width=260,
    )


def pareto(offers: Sequence[Offer], metric: str) -> str:
    """Quality by time, a point for each retriever, hollow where another one dominates it."""
    import altair as alt

    rows = [
        {"name": each.retriever, "ms": each.seconds * 1000, "quality": each.quality}
        for each in offers
    ]
    best = [row for row, each in zip(rows, offers, strict=True) if each.dominated_by is None]
    scale = alt.Scale(zero=False, padding=20)
    across = alt.X("ms:Q", title="p50 of a search in ms", scale=alt.Scale(type="log", padding=20))
    up = alt.Y("quality:Q", title=metric, scale=scale)
    return _svg(
        _base(best).mark_line(color=_INK, strokeDash=[3, 3]).encode(x=across, y=up),
        _base(rows).mark_point(size=80, color=_INK, opacity=1).encode(x=across, y=up),
        _base(best).mark_point(size=80, color=_INK, opacity=1, filled=True).encode(x=across, y=up),
        _base(rows)
        .mark_text(align="left", dx=8, dy=-8, color=_INK)
        .encode(x=across, y=up, text="name:N"),
        height=240,
    )


def _base(rows: Sequence[Mapping[str, Any]]) -> Any:
    import altair as alt

    return alt.Chart(alt.InlineData(values=[*rows]))


def _datasets() -> Any:
    import altair as alt

    return alt.Y("dataset:N", sort=None, title=None, axis=alt.Axis(labelLimit=_LABEL))


def _verdicts() -> dict[str, Any]:
    import altair as alt

    names, colours, shapes = [*_COLOURS], [*_COLOURS.values()], [*_SHAPES.values()]
    return {
        "color": alt.Color("verdict:N", legend=None, scale=alt.Scale(domain=names, range=colours)),
        "shape": alt.Shape("verdict:N", legend=None, scale=alt.Scale(domain=names, range=shapes)),
    }


def _svg(*layers: Any, width: int = _WIDTH, height: int | None = None) -> str:
    """The layers as one SVG that takes the page's text colour and shrinks with the page."""
    import altair as alt
    import vl_convert

    chart = alt.layer(*layers).properties(width=width)
    if height is not None:
        chart = chart.properties(height=height)
    chart = (
        chart.configure(background="transparent", font="system-ui, sans-serif")
        .configure_axis(
            labelColor=_INK,
            titleColor=_INK,
            tickColor=_INK,
            domainColor=_INK,
            gridColor=_INK,
            gridOpacity=0.12,
            titleFontWeight="normal",
            labelFontSize=_FONT,
            titleFontSize=_FONT,
            labelOverlap="greedy",
            labelSeparation=6,
            labelFlush=False,
        )
        .configure_legend(
            orient="bottom",
            labelColor=_INK,
            titleColor=_INK,
            labelFontSize=_FONT,
            titleFontSize=_FONT,
        )
        .configure_view(stroke=None)
    )
    number = next(_numbers)
    # Altair's validation, against a schema of the whole language, takes longer than the drawing.
    svg: str = vl_convert.vegalite_to_svg(chart.to_dict(validate=False))
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
