"""A short paragraph for each dataset that needs a look: how much, how sure, why, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.phrasing import plural
from pytest_beir.reports.diagnosis import causes
from pytest_beir.reports.explanations import circumstances, losses
from pytest_beir.reports.flags import hint, meaning, shown_flags
from pytest_beir.reports.numbers import change, equation, limit, probability
from pytest_beir.reports.remark import Remark
from pytest_beir.reports.wording import (
    EXCUSED,
    deciding,
    doubt,
    evidence,
    is_large_drop,
    is_worth_reading,
    moved,
    side,
    style,
    tested,
    verdict_word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.comparison import Comparison
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.run import RetrieverFamily
    from pytest_beir.text_layout import Style

_READ = "read the queries that lost most"


@dataclass(frozen=True)
class Paragraph:
    """What there is to say of one dataset: what happened to it, and labelled lines under that.

    `details` are shown on demand; `evaluation` is what all of it was made from.
    """

    evaluation: Evaluation
    happened: str
    style: Style
    lines: tuple[Remark, ...]
    details: tuple[Remark, ...] = ()

    @property
    def headline(self) -> str:
        """The dataset and what happened to it."""
        return f"{self.evaluation.dataset} {self.happened}"


def paragraphs(evaluations: Sequence[Evaluation], family: RetrieverFamily) -> tuple[Paragraph, ...]:
    """The datasets that need a look, the most urgent first; none for one that is as it was."""
    made = [_paragraph(each, family) for each in sorted(evaluations, key=_urgency)]
    return tuple(paragraph for paragraph in made if paragraph is not None)


def _urgency(evaluation: Evaluation) -> int:
    """Likely drops first, since they pass: nobody would look there otherwise."""
    if "likely-drop" in evaluation.flags:
        return 0
    order = ("regressed", "error", "not comparable", "inconclusive", "improved")
    return order.index(evaluation.verdict) + 1 if evaluation.verdict in order else len(order) + 1


def _paragraph(evaluation: Evaluation, family: RetrieverFamily) -> Paragraph | None:
    lines = [*_lines(evaluation, family)]
    verdict = verdict_word(evaluation)
    has_moved = verdict in {"regressed", "error", "not comparable", "inconclusive", "improved"}
    if not (lines or has_moved):
        return None
    return Paragraph(
        evaluation,
        f"{_outcome(evaluation)}{_how_much(evaluation)}",
        style(evaluation),
        tuple(lines),
        tuple(_details(evaluation)),
    )


def _outcome(evaluation: Evaluation) -> str:
    words = {
        "error": "ended in an error",
        "improved": "improved",
        "inconclusive": "is inconclusive",
        "no baseline": "has no baseline yet",
        "not comparable": "does not compare with its baseline",
        "regressed": "regressed",
        "unchanged": "is unchanged",
        "within tolerance": "is within tolerance",
        "written": "has a new baseline",
    }
    if "likely-drop" in evaluation.flags:
        return "is inconclusive, a likely drop"
    return words[verdict_word(evaluation)]


def _how_much(evaluation: Evaluation) -> str:
    if evaluation.verdict in {"error", "not comparable"}:
        return f": {evaluation.reason}" if evaluation.reason else ""
    gated = [metric for metric in evaluation.metrics.values() if metric.gated]
    alike = [metric for metric in gated if metric.verdict == evaluation.verdict] or gated
    shown = "; ".join(moved(metric) for metric in alike if metric.current is not None)
    copies = sum(len(ids) - 1 for ids in evaluation.same_text)
    if shown and copies:
        shown += f"; {plural(copies, 'query')} with the text of another not counted again"
    return f": {shown}" if shown else ""


def _lines(evaluation: Evaluation, family: RetrieverFamily) -> Iterator[Remark]:
    if evaluation.verdict in {"regressed", "inconclusive", "improved"}:
        yield Remark("sure", _how_sure(evaluation, family), "plain")
    yield from losses(evaluation)
    yield from _suspects(evaluation)
    if evaluation.explanation.diagnosis is not None:
        for cause in causes(evaluation.explanation.diagnosis):
            yield Remark("cause", cause, "plain")
    yield from _circumstances(evaluation)
    yield from _doubts(evaluation)
    for metric in evaluation.metrics.values():
        if metric.gated and metric.note:
            yield Remark("note", f"{moved(metric)}: {metric.note}", "plain")
    if evaluation.strict_failures:
        flags = ", ".join(evaluation.strict_failures)
        yield Remark("strict", f"{flags}: declared to fail", "red")
    yield from _to_do(evaluation)


def _suspects(evaluation: Evaluation) -> Iterator[Remark]:
    for metric in evaluation.metrics.values():
        if f"suspect:{metric.metric}" in evaluation.flags:
            gating = "" if metric.gated else ", not gated"
            yield Remark("suspect", f"{evidence(metric)}{gating}", "yellow")


def _doubts(evaluation: Evaluation) -> Iterator[Remark]:
    """Missing answers; and flags, where the verdict depends on what they say."""
    if evaluation.missing and evaluation.verdict != "error":
        queries = plural(evaluation.queries, "query")
        text = f"{evaluation.missing:,} of {queries} unanswered, each scored 0"
        yield Remark("missing", text, "yellow")
    if evaluation.verdict in {"regressed", "inconclusive"}:
        for flag in shown_flags(evaluation):
            yield Remark("flag", f"{flag}: {meaning(flag)}", "yellow", hint(flag))


def _circumstances(evaluation: Evaluation) -> Iterator[Remark]:
    for each in circumstances(evaluation):
        if each.style != "dim":
            yield each


def _to_do(evaluation: Evaluation) -> Iterator[Remark]:
    """Where to look; what a command mends stands with the commands."""
    if evaluation.verdict == "error":
        cause = "fix the cause" if evaluation.raised else "fix what the line above names"
        yield Remark("to do", cause, "plain", "raised" if evaluation.raised else "error")
    elif evaluation.explanation.losses and not evaluation.passed:
        yield Remark("to do", _READ, "plain", "failed")
    elif evaluation.explanation.losses and is_worth_reading(evaluation):
        yield Remark("to do", _READ, "plain", "passed")


def _how_sure(evaluation: Evaluation, family: RetrieverFamily) -> str:
    if evaluation.verdict == "inconclusive":
        metric = _large_drop(evaluation) or deciding(evaluation)
        if metric is None or metric.current is None:
            return evaluation.reason
        large = "as large as the margin, " if is_large_drop(metric) else ""
        return f"{large}{_significance(metric, metric.current)}; {doubt(evaluation)}"
    parts = []
    for metric in evaluation.metrics.values():
        if metric.gated and metric.verdict == evaluation.verdict:
            comparison, _, _ = tested(metric)
            if comparison is not None:
                parts.append(_significance(metric, comparison) + _adjusted(metric, family))
    parts = list(dict.fromkeys(parts))
    parts += [EXCUSED] if evaluation.is_excused else []
    return "; ".join(parts) or evaluation.reason


def _significance(metric: MetricVerdict, comparison: Comparison) -> str:
    p = side(comparison)
    relation = "below" if metric.alpha is not None and p <= metric.alpha else "above"
    return f"{equation('p', p, metric.alpha)}, {relation} the limit {limit(metric.alpha)}"


def _adjusted(metric: MetricVerdict, family: RetrieverFamily) -> str:
    comparison, _, _ = tested(metric)
    if comparison is None or not metric.level or metric.verdict != "regressed":
        return ""
    adjusted = min(1.0, comparison.p_drop * family.alpha / metric.level)
    if probability(adjusted) == probability(comparison.p_drop):
        return ""
    return f" ({equation('adjusted p', adjusted, family.alpha)})"


def _large_drop(evaluation: Evaluation) -> MetricVerdict | None:
    for metric in evaluation.metrics.values():
        if metric.gated and metric.verdict == "inconclusive" and is_large_drop(metric):
            return metric
    return None


def _details(evaluation: Evaluation) -> Iterator[Remark]:
    """What stands behind the lines, for `-v` and for reports."""
    for each in circumstances(evaluation):
        if each.style == "dim":
            yield each
    for metric in evaluation.metrics.values():
        if metric.gated and metric.current is not None and evaluation.verdict != "unchanged":
            bound = change(metric.current.lower)
            yield Remark("bounds", f"{metric.metric} lower {bound}, {_power(metric)}", "dim")


def _power(metric: MetricVerdict) -> str:
    comparison = metric.current
    upper = change(comparison.upper) if comparison else ""
    mde = limit(round(comparison.mde, 4)) if comparison and comparison.mde is not None else "–"
    return f"upper {upper}; a drop of {mde} would be found four times in five"
