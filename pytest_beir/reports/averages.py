"""An average in words, always beside the set it is taken over, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.set_comparison import label
from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.numbers import change, equation, limit, score
from pytest_beir.reports.remark import Remark
from pytest_beir.reports.wording import side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.reports.remark import Hint
    from pytest_beir.suite.averages import Average, DiffuseLoss
    from pytest_beir.text_layout import Style


def average_notes(averages: Sequence[Average]) -> Iterator[Remark]:
    """The averages that decide something; one over a set that is shown already is a detail.

    A reason that withholds several metrics is told once.
    """
    withheld: dict[str, list[Average]] = {}
    for average in averages:
        if not average.gated and not (average.label and average.established):
            continue
        if average.withheld is None:
            name = "zero-shot" if average.label else "average"
            hint: Hint | None = "one search" if average.fails else None
            yield Remark(name, sentence(average), _style(average), hint)
        elif average.label is None:
            withheld.setdefault(average.withheld, []).append(average)
    for reason, alike in withheld.items():
        metrics = joined(each.metric for each in alike)
        text = f"{metrics} over {label(alike[0].set, with_id=False)}: {reason}"
        yield Remark("no average", text, "yellow")


def average_details(averages: Sequence[Average]) -> Iterator[Remark]:
    """Every average that `average_notes` leaves out, and the sets behind all of them."""
    shown = {each.set.id for each in averages if each.label is None and each.withheld is None}
    for average in averages:
        if average.label is not None and not average.set.members:
            yield Remark("no zero-shot", f"{average.metric}: {average.withheld}", "dim")
        elif average.label and average.set.id in shown:
            # The same number over the same set; what it may not be called is all that is new.
            yield Remark("zero-shot", _not_established(average), "dim")
        elif average.label and not average.established:
            name = "zero-shot" if average.withheld is None else "no zero-shot"
            yield Remark(name, sentence(average), "dim")
        elif not average.gated and not average.label:
            name = "average" if average.withheld is None else "no average"
            yield Remark(name, sentence(average), "dim")
    ids: dict[tuple[str, ...], dict[str, str]] = {}
    for average in averages:
        if average.set.members:
            ids.setdefault(average.set.members, {})[average.metric] = average.set.id
    for members, by_metric in ids.items():
        named = ", ".join(f"{metric} {set_id}" for metric, set_id in by_metric.items())
        yield Remark("set", f"{', '.join(members)} (its ids: {named})", "dim")


def _not_established(average: Average) -> str:
    return (
        f"not established: {average.metric} is zero-shot only if {average.retriever} was trained "
        f"on nothing related: declare trained_on"
    )


def sentence(average: Average) -> str:
    """The average with its set, its move and its verdict; or the set and why it is withheld."""
    head = f"{average.metric} over {label(average.set, with_id=False)}"
    if average.withheld is not None:
        return f"{head}: {average.withheld}"
    if average.label is not None and not average.established:
        head = f"not established: {head}"
    result = average.result
    if result is None or result.baseline is None:
        return f"{head}: {score(average.now)}"
    text = f"{head}: {score(result.baseline)} → {score(result.now)}"
    comparison = result.current
    if comparison is not None:
        level = f", the limit is {limit(result.alpha)}" if average.gated else ""
        text += (
            f", {change(comparison.delta)}, {equation('p', side(comparison), result.alpha)}{level}"
        )
    if result.against_anchor is not None:
        older = result.against_anchor
        text += (
            f"; against the anchor {score(result.anchor)} {change(older.delta)}, "
            f"{equation('p', older.p_drop, result.alpha)}"
        )
    if result.verdict:
        text += f": {result.verdict}"
        text += f" ({result.reason})" if result.reason else ""
        text += f", but passes: {average.excused}" if average.excused else ""
    return f"{text} ({average.note})" if average.note else text


def diffuse_notes(
    losses: Sequence[DiffuseLoss], evaluations: Sequence[Evaluation]
) -> Iterator[Remark]:
    """The diffuse tests that found a loss; one that did not has nothing to say."""
    for loss in losses:
        if loss.verdict == "regressed":
            told = diffuse_sentence(loss, evaluations)
            hint: Hint | None = "one search" if loss.fails else None
            yield Remark("diffuse loss", told, "red" if loss.fails else "yellow", hint)


def is_explained(loss: DiffuseLoss, evaluations: Sequence[Evaluation]) -> bool:
    """Whether each of the datasets that fell regressed by itself, so that the loss is no news."""
    is_anchored = loss.result is not None and loss.result.regressed_against == ("anchor",)
    fallen = []
    for each in evaluations:
        metric = each.metrics.get(loss.metric)
        if each.retriever != loss.retriever or metric is None:
            continue
        # Where the anchor is the current baseline, there is no comparison of its own with it.
        older = metric.against_anchor if is_anchored else None
        comparison = older or metric.current
        if comparison is not None and comparison.delta < 0:
            fallen.append(metric.verdict)
    return len(fallen) == loss.fell and set(fallen) == {"regressed"}


def diffuse_sentence(loss: DiffuseLoss, evaluations: Sequence[Evaluation]) -> str:
    """How many datasets fell and how sure it is, never an average."""
    result = loss.result
    if result is None or result.current is None:
        return f"{loss.metric}: {loss.withheld}"
    is_anchored = result.regressed_against == ("anchor",) and result.against_anchor is not None
    comparison = result.against_anchor if is_anchored else result.current
    source = " against the anchor" if is_anchored else ""
    p = comparison.p_drop if comparison is not None else 1.0
    text = (
        f"{loss.metric} fell in {loss.fell} of {plural(loss.datasets, 'dataset')}{source}, "
        f"{equation('p', p, result.alpha)}, the limit is {limit(result.alpha)}: "
        f"over all of them together, {result.verdict}"
    )
    if is_explained(loss, evaluations):
        text += "; each that fell regressed by itself, so start there"
    return f"{text}, but passes: {loss.excused}" if loss.excused else text


def disagreement(evaluations: Sequence[Evaluation], shape_matches: Sequence[str] = ()) -> str:
    """A warning where some datasets fell and others rose; empty where they agree."""
    fell = [e.dataset for e in evaluations if e.verdict == "regressed" or "likely-drop" in e.flags]
    rose = [e.dataset for e in evaluations if e.verdict == "improved"]
    if not fell or not rose:
        return ""
    text = f"the datasets disagree: {joined(fell)} fell, {joined(rose)} rose; "
    if shape_matches:
        verbs = "resembles yours and says" if len(shape_matches) == 1 else "resemble yours and say"
        return text + f"{joined(shape_matches)} {verbs} more than an average"
    return text + "those that resemble your data say more than an average"


def _style(average: Average) -> Style:
    if average.verdict == "regressed":
        return "red" if average.fails else "yellow"
    return "bold" if average.gated else "plain"
