"""A verdict in one line, and what to do about it: the words that every report shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.gate.evidence import SAME_EFFECT
from pytest_beir.gate.power import FEWEST_QUERIES, fewest_changed
from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.numbers import change, equation, limit, score
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.comparison import Comparison
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.text_layout import Style

EXCUSED = "passes, since unjudged documents may explain it"
_PYTEST = "pytest --beir"

_STYLES: dict[str, Style] = {
    "error": "red",
    "not comparable": "red",
    "no baseline": "red",
    "regressed": "red",
    "improved": "green",
    "inconclusive": "yellow",
}


def update(command: str = _PYTEST) -> str:
    """The command that stores what is new or improved."""
    return f"{command} --beir-update"


def accept(category: str, command: str = _PYTEST) -> str:
    """The command that accepts results of a category: neutral, dropped or incomparable."""
    return f"{command} --beir-accept={category} --beir-reason=TEXT"


def style(evaluation: Evaluation) -> Style:
    """The colour of an evaluation: what fails is red, what passes is never red."""
    if not evaluation.passed:
        return "red"
    if evaluation.update is not None:
        return "green"
    chosen = _STYLES.get(evaluation.verdict, "plain")
    return "yellow" if chosen == "red" else chosen


def metric_style(evaluation: Evaluation, metric: MetricVerdict) -> Style:
    """The colour of one gated metric: that of the dataset where it decides the verdict."""
    if metric.verdict == evaluation.verdict:
        return style(evaluation)
    return _STYLES.get(metric.verdict or "", "plain")


def verdict_word(evaluation: Evaluation) -> str:
    """The verdict as tables show it: `written` where a failing one became the new baseline."""
    fails = evaluation.verdict in {"regressed", "no baseline", "not comparable"}
    if fails and evaluation.passed and evaluation.update is not None:
        return "written"
    return evaluation.verdict


def deciding(evaluation: Evaluation) -> MetricVerdict | None:
    """The metric whose verdict is the dataset's; None where nothing was measured."""
    metrics = evaluation.metrics.values()
    gated = [metric for metric in metrics if metric.gated]
    for metric in gated:
        if metric.verdict == evaluation.verdict:
            return metric
    return next(iter([*gated, *metrics]), None)


def tested(metric: MetricVerdict) -> tuple[Comparison | None, float | None, str]:
    """The comparison that explains a metric's verdict, the mean it started from, and its name.

    That is the current baseline, unless only the anchor shows the regression.
    """
    if metric.verdict == "regressed" and metric.regressed_against == ("anchor",):
        return metric.against_anchor, metric.anchor, "anchor"
    return metric.current, metric.baseline, "current"


def shift(metric: MetricVerdict) -> str:
    """A metric's move, numbers first: `nDCG@10 −.041 (.652 → .611)`."""
    comparison, before, against = tested(metric)
    if comparison is None:
        return f"{metric.metric} {score(metric.now)}"
    source = " against the anchor" if against == "anchor" else ""
    arrow = f"({score(before)} → {score(metric.now)})".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{metric.metric} {change(comparison.delta)}{source} {arrow}"


def side(comparison: Comparison) -> float:
    """The p of the side on which the difference lies: of a gain above zero, else of a drop."""
    return comparison.p_gain if comparison.delta > 0 else comparison.p_drop


def evidence(metric: MetricVerdict) -> str:
    """A metric's move with its p and the queries behind it."""
    comparison, _, _ = tested(metric)
    if comparison is None:
        return shift(metric)
    queries = (
        f"{comparison.better} of {plural(comparison.n, 'query')} better"
        if comparison.delta > 0
        else f"{comparison.worse} of {plural(comparison.n, 'query')} worse"
    )
    return f"{shift(metric)}, {equation('p', side(comparison), metric.alpha)}, {queries}"


def moved(metric: MetricVerdict) -> str:
    """A metric's move and the queries behind it: `…, 35 of 300 queries worse, 6 better`."""
    comparison, _, _ = tested(metric)
    if comparison is None:
        return shift(metric)
    queries = plural(comparison.n, "query")
    if comparison.delta > 0:
        counted = f"{comparison.better} of {queries} better, {comparison.worse} worse"
    else:
        counted = f"{comparison.worse} of {queries} worse, {comparison.better} better"
    return f"{shift(metric)}, {counted}"


def one_line(evaluation: Evaluation, command: str = _PYTEST) -> str:
    """The message of a failed test: numbers first, then what to do where a command mends it.

    `command` is what was run, and what the remedy adds its options to; empty where none mends it.
    """
    return clean(_message(evaluation, command)).replace("\N{NO-BREAK SPACE}", " ")


def _message(evaluation: Evaluation, command: str) -> str:
    if evaluation.verdict == "error":
        return f"error: {evaluation.reason}"
    missed = "".join(f"{text}; " for text in _missed(evaluation))
    if evaluation.verdict == "not comparable":
        renew = f"; renew it: {accept('incomparable', command)}" if command else ""
        return f"{missed}not comparable: {evaluation.reason}{renew}"
    if evaluation.verdict == "no baseline":
        shown = ", ".join(shift(metric) for metric in evaluation.metrics.values())
        store = f"; store it: {update(command)}" if command else ""
        return f"{missed}no baseline: {shown}{store}"
    gated = [metric for metric in evaluation.metrics.values() if metric.gated]
    alike = [metric for metric in gated if metric.verdict == evaluation.verdict]
    line = "; ".join(evidence(metric) for metric in alike or gated)
    if evaluation.verdict == "inconclusive":
        line += f", inconclusive ({doubt(evaluation)})"
    groups = [each for each in evaluation.gated_groups if each.verdict == "regressed"]
    line = "; ".join([*_missed(evaluation), *map(evidence, groups), line])
    return f"{line}; {EXCUSED}" if evaluation.is_excused else line


def _missed(evaluation: Evaluation) -> list[str]:
    """The limits that were missed; of a drop that is accepted, what is left to change."""
    written = evaluation.update is not None
    return [
        f"{check.message}; the baseline is written, now change {check.place}"
        if written and check.kind == "floor"
        else check.message
        for check in evaluation.missed
    ]


def queries_needed(metric: MetricVerdict) -> int | None:
    """How many queries like these would exclude a drop of the margin, None if these are enough."""
    return None if metric.current is None else metric.current.queries_needed


def doubt(evaluation: Evaluation) -> str:
    """Why a dataset is inconclusive, for each metric that is."""
    several = sum(metric.gated for metric in evaluation.metrics.values()) > 1
    parts = []
    for metric in evaluation.metrics.values():
        if metric.gated and metric.verdict == "inconclusive" and metric.current is not None:
            explained = explanation(metric, metric.current)
            parts.append(f"{metric.metric} {explained}" if several else explained)
    return "; ".join(parts) or evaluation.reason


def explanation(metric: MetricVerdict, comparison: Comparison) -> str:
    """The reason of an inconclusive verdict with the numbers behind it."""
    reason = metric.reason or "inconclusive"
    detail = _detail(reason, metric, comparison)
    return f"{reason}: {detail}" if detail else reason


def _detail(reason: str, metric: MetricVerdict, comparison: Comparison) -> str | None:
    margin = limit(metric.margin)
    if reason == "underpowered" and comparison.queries_needed:
        return f"{comparison.queries_needed:,} queries would exclude a drop of {margin}"
    if reason == "too few changed queries":
        return _unreachable(metric, comparison)
    if reason == "too few queries":
        excluded = f"under {FEWEST_QUERIES}, no drop can be excluded"
        return "; ".join(filter(None, [excluded, _unreachable(metric, comparison)]))
    bound = change(comparison.margin_bound)
    return {
        "underpowered": f"a drop of {margin} is not excluded (bound {bound})",
        "undecided": f"a drop of {margin} would show, but is not excluded (bound {bound})",
        "noise": "repeating the retriever moves the score as much",
        "not confirmed": "a second search did not regress",
    }.get(reason)


def _unreachable(metric: MetricVerdict, comparison: Comparison) -> str | None:
    """How many queries changed, where so few that no p of theirs could be significant."""
    needed = fewest_changed(metric.alpha) if metric.alpha else 0
    if comparison.changed >= needed:
        return None
    changed = f"{comparison.changed:,} of {plural(comparison.n, 'query')} changed"
    return f"{changed}, and at least {needed} must for a drop to be significant"


def is_large_drop(metric: MetricVerdict) -> bool:
    """True where the drop reaches the margin, whether or not it is significant."""
    if metric.current is None or metric.margin is None:
        return False
    return metric.current.effect <= -metric.margin + SAME_EFFECT


def is_worth_reading(evaluation: Evaluation) -> bool:
    """True for a drop that passes though its queries may tell something."""
    metric = deciding(evaluation)
    if metric is None or metric.current is None or evaluation.update is not None:
        return False
    return metric.current.delta < 0 and (
        evaluation.verdict in {"inconclusive", "regressed"} or bool(evaluation.strict_failures)
    )


def is_unsure(evaluation: Evaluation) -> bool:
    """True where the gate cannot tell: inconclusive, or a regression that a flag excuses."""
    return evaluation.verdict == "inconclusive" or evaluation.is_excused


def update_line(old: Baseline | None, evaluation: Evaluation, category: str) -> str:
    """What was written, old to new: `scifact: improved, nDCG@10 .651 → .672, R@100 .91 → .92`.

    Every metric of the baseline moves, whether it is gated or not. A floor or a pinned query that
    is missed is no part of the baseline, and is named, since it fails the next run.
    """
    moves = []
    for metric in evaluation.metrics.values():
        before = f"{score(metric.baseline)} → " if old and metric.baseline is not None else ""
        moves.append(f"{metric.metric} {before}{score(metric.now)}")
    text = f"{evaluation.dataset}: {category}, {', '.join(moves)}"
    if evaluation.missed:
        places = joined(check.place for check in evaluation.missed)
        text += f"; the next run fails unless you change {places}"
    return text
