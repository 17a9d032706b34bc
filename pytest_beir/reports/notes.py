"""What needs a look, under a retriever's tables: drops, doubts, flags, and the limits used."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.explanations import explanations
from pytest_beir.reports.numbers import change, equation, limit
from pytest_beir.reports.wording import (
    EXCUSED,
    deciding,
    doubt,
    evidence,
    is_large_drop,
    style,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.run import RetrieverFamily
    from pytest_beir.text_layout import Page, Style

LABEL = 16
FLAGS = {
    "contaminated": "the retriever was trained on it; the score is not zero-shot",
    "corpus-changed": "the corpus is not the one that the baseline was measured on",
    "differs-from-catalogue": "the folder is not the published dataset",
    "drift": "against the anchor, half the margin or more is lost",
    "ids-unchecked": "there is no corpus to check document ids against",
    "fragile": "three queries carry over half of the loss",
    "pool-suspect": "fewer documents of the top ten are judged; read some before you believe it "
    "(to-judge/ of the report lists them)",
    "pool-unverifiable": "the two top tens share less than half; unjudged documents may decide "
    "(to-judge/ of the report lists them)",
    "resumed": "saved rankings were gone on with; they update no baseline",
    "stale-baseline": "the baseline is worse than what is measured now",
}


def add_note(page: Page, label: str, text: str, style: Style = "plain") -> None:
    """Add a paragraph that hangs behind its label."""
    page.paragraph(text, style, indent=f"{label:<{LABEL - 1}} ", hanging=" " * LABEL)


def add_notes(page: Page, evaluations: Sequence[Evaluation], family: RetrieverFamily) -> None:
    """Add what needs a look: likely drops first, then failures, suspects, doubts and flags."""
    likely = [each for each in evaluations if "likely-drop" in each.flags]
    for each in likely:
        add_note(page, "likely-drop", f"{each.dataset}: {_likely(each)}", "yellow")
    _add_failures(page, evaluations, family)
    _add_suspects(page, evaluations)
    for each in evaluations:
        if each.verdict == "inconclusive" and each not in likely:
            add_note(page, "cannot tell", f"{each.dataset}: {_unsure(each)}")
    for each in evaluations:
        for label, text, how in explanations(each):
            add_note(page, label, f"{each.dataset}: {text}", how)
    page.blank()
    _add_flags(page, evaluations)
    _add_remarks(page, evaluations)


def add_limits(page: Page, evaluations: Sequence[Evaluation], family: RetrieverFamily) -> None:
    """Add the limits and levels in force: the usual ones, then the datasets that differ."""
    tested = [
        (each.dataset, metric)
        for each in evaluations
        for metric in each.metrics.values()
        if metric.gated and metric.current is not None
    ]
    if not tested:
        return
    usual = Counter(_limits(metric) for _, metric in tested).most_common(1)[0][0]
    level, effect, margin = usual
    add_note(
        page,
        "limits",
        f"fails at p ≤ {level} with a loss of min_effect {effect} or more; margin {margin}; "
        f"α {limit(family.alpha)} over {plural(family.family, 'test')}",
        "dim",
    )
    several = len({metric.metric for _, metric in tested}) > 1
    others: dict[str, list[str]] = {}
    for dataset, metric in tested:
        own = _limits(metric)
        twice = " against current and anchor each" if metric.against_anchor is not None else ""
        named = ((f"p ≤ {own[0]}{twice}", 0), (f"min_effect {own[1]}", 1), (f"margin {own[2]}", 2))
        parts = [text for text, place in named if own[place] != usual[place]]
        if parts:
            name = f"{dataset} {metric.metric}" if several else dataset
            others.setdefault(", ".join(parts), []).append(name)
    if others:
        told = (f"{parts} for {joined(names)}" for parts, names in others.items())
        add_note(page, "", f"but {'; '.join(told)}", "dim")


def _limits(metric: MetricVerdict) -> tuple[str, str, str]:
    return limit(metric.alpha), limit(metric.min_effect), limit(metric.margin)


def _add_failures(page: Page, evaluations: Sequence[Evaluation], family: RetrieverFamily) -> None:
    for each in evaluations:
        if each.verdict == "regressed":
            add_note(page, "regressed", f"{each.dataset}: {_regressed(each, family)}", style(each))
    for each in evaluations:
        if each.verdict in {"error", "not comparable"}:
            add_note(page, each.verdict, f"{each.dataset}: {each.reason}", style(each))


def _add_suspects(page: Page, evaluations: Sequence[Evaluation]) -> None:
    for each in evaluations:
        for metric in each.metrics.values():
            if f"suspect:{metric.metric}" in each.flags:
                gating = "" if metric.gated else ", not gated"
                add_note(page, "suspect", f"{each.dataset}: {evidence(metric)}{gating}", "yellow")


def _likely(evaluation: Evaluation) -> str:
    metric = _large_drop(evaluation) or deciding(evaluation)
    if metric is None:
        return evaluation.reason
    return (
        f"{evidence(metric)}; as large as the margin {limit(metric.margin)} though not "
        f"significant at {limit(metric.alpha)}; {doubt(evaluation)}"
    )


def _regressed(evaluation: Evaluation, family: RetrieverFamily) -> str:
    parts = [
        f"{evidence(metric)}{_adjusted(metric, family)}"
        for metric in evaluation.metrics.values()
        if metric.gated and metric.verdict == "regressed"
    ]
    parts += [EXCUSED] if evaluation.is_excused else []
    return "; ".join(parts) or evaluation.reason


def _adjusted(metric: MetricVerdict, family: RetrieverFamily) -> str:
    only_anchor = metric.regressed_against == ("anchor",)
    comparison = metric.against_anchor if only_anchor else metric.current
    if comparison is None or not metric.level:
        return ""
    adjusted = min(1.0, comparison.p_drop * family.alpha / metric.level)
    if adjusted <= comparison.p_drop:
        return ""
    return f" ({equation('adjusted p', adjusted, family.alpha)})"


def _unsure(evaluation: Evaluation) -> str:
    metric = deciding(evaluation)
    if metric is None or metric.current is None:
        return evaluation.reason
    return f"{metric.metric} {change(_delta(metric))}, {doubt(evaluation)}"


def _large_drop(evaluation: Evaluation) -> MetricVerdict | None:
    for metric in evaluation.metrics.values():
        if metric.gated and metric.verdict == "inconclusive" and is_large_drop(metric):
            return metric
    return None


def _add_flags(page: Page, evaluations: Sequence[Evaluation]) -> None:
    bearers: dict[str, list[str]] = {}
    for each in evaluations:
        for flag in each.flags:
            if flag != "likely-drop" and not flag.startswith("suspect:"):
                bearers.setdefault(flag, []).append(each.dataset)
    for flag, datasets in bearers.items():
        meaning = FLAGS.get(flag)
        add_note(page, flag, f"{joined(datasets)}{f': {meaning}' if meaning else ''}", "yellow")
    for each in evaluations:
        if each.strict_failures:
            add_note(page, "strict", f"{each.dataset}: {', '.join(each.strict_failures)}", "red")


def _add_remarks(page: Page, evaluations: Sequence[Evaluation]) -> None:
    for each in evaluations:
        if each.missing and each.verdict != "error":
            missing = f"{each.missing:,} of {plural(each.queries, 'query')} unanswered"
            add_note(page, "missing", f"{each.dataset}: {missing}, each scored 0", "yellow")
        small = [m for m in each.metrics.values() if m.gated and m.note]
        for text in [*each.notes, *(f"{m.metric} {change(_delta(m))}, {m.note}" for m in small)]:
            add_note(page, "note", f"{each.dataset}: {text}")
        for text in each.warnings:
            add_note(page, "warning", f"{each.dataset}: {text}", "yellow")


def _delta(metric: MetricVerdict) -> float | None:
    return metric.current.delta if metric.current else None
