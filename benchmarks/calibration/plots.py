"""The plots, as SVG that is the same on every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib as mpl

from benchmarks.calibration.monte_carlo import LEVELS
from benchmarks.calibration.table import level_name

mpl.use("svg")

import matplotlib.pyplot as plt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.calibration import harmless, power, releases, single_test
    from benchmarks.calibration.results import Results

_STYLE = {
    "svg.hashsalt": "calibration",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "legend.frameon": False,
    "figure.facecolor": "white",
}
_COLOURS = ("#0b5394", "#d97706", "#2e7d32", "#8e24aa", "#c62828", "#546e7a")
_MARKERS = "osD^vP"


def save_all(folder: Path, results: Results) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(_STYLE):
        _save(_false_alarms(results.single), folder / "false-alarms.svg")
        _save(_sessions(results.sessions), folder / "sessions.svg")
        _save(_power(results.power), folder / "power.svg")
        _save(_releases(results.histories), folder / "releases.svg")


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)


def _label_sizes(axes: Any, sizes: Sequence[int]) -> None:
    names = [f"{n // 1000}k" if n >= 1000 else str(n) for n in sizes]
    axes.set_xticks(sizes, names)
    axes.minorticks_off()


def _points(loss: float) -> str:
    points = round(100 * loss)
    return f"a drop of {points} point{'s' if points > 1 else ''}"


def _false_alarms(single: single_test.SingleTest) -> Any:
    figure, panels = plt.subplots(1, 3, figsize=(9.6, 3.6), sharex=True, layout="constrained")
    names = list(dict.fromkeys(cell.source for cell in single.cells))
    for k, (level, axes) in enumerate(zip(LEVELS, panels, strict=True)):
        axes.axhline(100 * level, color="black", linewidth=0.8, linestyle="--")
        for name, colour, marker in zip(names, _COLOURS, _MARKERS, strict=True):
            cells = [cell for cell in single.cells if cell.source == name]
            axes.errorbar(
                [cell.n for cell in cells],
                [100 * cell.rates[k].value for cell in cells],
                yerr=[200 * cell.rates[k].error for cell in cells],
                color=colour,
                marker=marker,
                markersize=3.5,
                linewidth=1,
                elinewidth=0.6,
                label=name,
            )
        axes.set(xscale="log", ylim=(0, 160 * level), title=f"level {level_name(level)}")
        axes.set_xlabel("queries")
        _label_sizes(axes, sorted({cell.n for cell in single.cells}))
    panels[0].set_ylabel("false alarms, %")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    return figure


def _sessions(sessions: Sequence[harmless.Sessions]) -> Any:
    figure, axes = plt.subplots(figsize=(9.6, 3.4), layout="constrained")
    bars = (
        ("the family", [s.shown["regressed"] for s in sessions]),
        ("the family, --beir-strict", [s.strict for s in sessions]),
        ("each at .05", [s.uncorrected for s in sessions]),
        ("any mean lower by .01", [s.threshold for s in sessions]),
    )
    for k, ((name, rates), colour) in enumerate(zip(bars, _COLOURS, strict=False)):
        places = [place + 0.2 * (k - 1.5) for place in range(len(sessions))]
        drawn = axes.bar(
            places,
            [100 * rate.value for rate in rates],
            width=0.19,
            yerr=[200 * rate.error for rate in rates],
            error_kw={"elinewidth": 0.7},
            color=colour,
            label=name,
        )
        axes.bar_label(drawn, fmt="%.0f", padding=2, fontsize=8)
    axes.axhline(5, color="black", linewidth=0.8, linestyle="--")
    axes.set_xticks(range(len(sessions)), [f"{s.source} (sd {s.sd:.2f})" for s in sessions])
    axes.set(ylim=(0, 112), ylabel="sessions that fail, %")
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def _power(cells: Sequence[power.Cell]) -> Any:
    losses = sorted({cell.loss for cell in cells})
    figure, panels = plt.subplots(
        1, len(losses), figsize=(3.2 * len(losses), 3.6), sharey=True, layout="constrained"
    )
    lines = (
        ("gate", "gate at .05", 0),
        ("bootstrap", "percentile bootstrap at .05", 0),
        ("gate", "gate at .05/18", 1),
        ("ranx compare", "ranx compare", None),
        ("threshold .01", "threshold .01", None),
    )
    for loss, axes in zip(losses, panels, strict=True):
        chosen = [cell for cell in cells if cell.loss == loss and cell.source == "analyser"]
        for (key, name, k), colour, marker in zip(lines, _COLOURS, _MARKERS, strict=False):
            rates = [c.own_rule[key] if k is None else c.by_level[key][k] for c in chosen]
            axes.errorbar(
                [cell.n for cell in chosen],
                [100 * rate.value for rate in rates],
                yerr=[200 * rate.error for rate in rates],
                color=colour,
                marker=marker,
                markersize=3.5,
                linewidth=1,
                elinewidth=0.6,
                linestyle="-" if k is not None else ":",
                label=name,
            )
        axes.set(xscale="log", ylim=(0, 104), xlabel="queries", title=_points(loss))
        _label_sizes(axes, [cell.n for cell in chosen])
    panels[0].set_ylabel("found, %")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def _releases(histories: releases.Histories) -> Any:
    sizes = sorted({decline.n for decline in histories.declines})
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.6), sharey=True, layout="constrained")
    for n, axes in zip(sizes, panels, strict=True):
        for decline in histories.declines:
            if decline.n != n:
                continue
            for (name, rates), colour in zip(decline.caught.items(), _COLOURS, strict=False):
                axes.plot(
                    range(1, len(rates) + 1),
                    [100 * rate.value for rate in rates],
                    color=colour,
                    linewidth=1.4 if decline.loss else 0.9,
                    linestyle="-" if decline.loss else ":",
                    marker="o" if decline.loss else None,
                    markersize=3,
                    label=name if decline.loss else None,
                )
        axes.set(ylim=(0, 104), xlabel="release", title=f"{n} queries")
    panels[0].set_ylabel("histories that have failed, %")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure
