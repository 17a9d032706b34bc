"""An average in words, always beside the set it is taken over, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.notes import add_note
from pytest_beir.reports.numbers import change, equation, limit, score
from pytest_beir.reports.wording import side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.suite.averages import Average
    from pytest_beir.text_layout import Page, Style


def add_averages(
    page: Page,
    averages: Sequence[Average],
    evaluations: Sequence[Evaluation],
    shape_matches: Sequence[str] = (),
) -> None:
    """Add the averages of one retriever, preceded by a warning where the datasets disagree."""
    if not averages:
        return
    page.blank()
    warning = disagreement(evaluations, shape_matches)
    if warning:
        add_note(page, "read first", warning, "bold")
    for label, text, average in labelled(averages):
        add_note(page, label, text, _style(average))


def labelled(averages: Sequence[Average]) -> Iterator[tuple[str, str, Average]]:
    """Each average with `average` or `no average` before it, one reason being told only once."""
    told: set[str] = set()
    shown = {each.set.id for each in averages if each.label is None and each.withheld is None}
    for average in averages:
        if average.label is not None and not average.set.members:
            yield "no zero-shot", f"{average.metric}: {average.withheld}", average
        elif average.label and average.set.id in shown:
            # The same number over the same set; what it may not be called is all that is new.
            yield "zero-shot", _not_established(average), average
        elif average.withheld is None:
            yield "zero-shot" if average.label else "average", sentence(average), average
        else:
            again = average.withheld in told
            label = "no zero-shot" if average.label else "no average"
            yield label, _withheld(average, "likewise" if again else ""), average
            told.add(average.withheld)


def _not_established(average: Average) -> str:
    return (
        f"not established: {average.metric} over the same set ({average.set.id}) is zero-shot only "
        f"if {average.retriever} was trained on nothing related: declare trained_on"
    )


def sentence(average: Average) -> str:
    """The average with its set, its move and its verdict; or the set and why it is withheld."""
    if average.withheld is not None:
        return _withheld(average)
    head = f"{average.metric} over {set_name(average.set)}"
    if average.label is not None and "not established" in average.label:
        head = f"not established: {head}"
    result = average.result
    if result is None or result.baseline is None:
        return f"{head}: {score(average.now)}"
    text = f"{head}: {score(result.baseline)} → {score(result.now)}"
    comparison = result.current
    if comparison is not None:
        level = f" (tested at {limit(result.alpha)})" if average.gated else ""
        text += (
            f", {change(comparison.delta)} (lower {change(comparison.lower)}), "
            f"{equation('p', side(comparison), result.alpha)}{level}"
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


def _withheld(average: Average, reason: str = "") -> str:
    return f"{average.metric} over {set_name(average.set)}: {reason or average.withheld}"


def set_name(average_set: AverageSet) -> str:
    """The set with its size and id; its members too where it bears no name."""
    size = plural(len(average_set.members), "dataset")
    if average_set.name:
        return f"{average_set.name} ({size}, set {average_set.id})"
    return f"{size} (set {average_set.id}: {', '.join(average_set.members)})"


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
    if average.withheld is not None:
        return "yellow"
    if average.verdict == "regressed":
        return "red" if average.fails else "yellow"
    return "bold" if average.gated else "dim"
