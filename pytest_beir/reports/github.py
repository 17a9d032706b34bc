"""What GitHub Actions shows of a run: workflow commands beside the code that is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.averages import diffuse_sentence, sentence
from pytest_beir.reports.strict import complaint_line
from pytest_beir.reports.wording import one_line
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.reports.story import Story

_MOST = 10
"""GitHub shows ten errors of a step, and drops the others without a word."""

Place = tuple[str, int]
"""File, relative to the repository, and line."""


def workflow_commands(story: Story, places: Mapping[str, Place]) -> list[str]:
    """One workflow command per failure, at the fixture of its retriever; the tenth counts the rest.

    `places` are the retrievers' fixtures by name.
    """
    failures = list(_failures(story))
    shown = failures if len(failures) <= _MOST else failures[: _MOST - 1]
    lines = [
        _command("error", places.get(retriever), f"BEIR {title}", message)
        for retriever, title, message in shown
    ]
    rest = [title for _, title, _ in failures[len(shown) :]]
    if rest:
        named = joined([*rest[:_MOST], *(["others"] if len(rest) > _MOST else [])])
        lines.append(
            _command("error", None, "BEIR", f"and {plural(len(rest), 'failure')}: {named}")
        )
    return lines


def _failures(story: Story) -> Iterator[tuple[str, str, str]]:
    """Retriever, title and message of everything that fails the run."""
    run = story.run
    several = len(run.retrievers) > 1
    for each in run.evaluations:
        if not each.passed:
            name = f"{each.retriever} {each.dataset}" if several else each.dataset
            yield each.retriever, name, one_line(each, run.command)
    for average in run.averages:
        if average.fails:
            name = f"{average.retriever} average" if several else "average"
            yield average.retriever, name, sentence(average)
    for loss in run.diffuse:
        if loss.fails:
            name = f"{loss.retriever} diffuse loss" if several else "diffuse loss"
            yield loss.retriever, name, diffuse_sentence(loss, run.evaluations)
    for wrong in run.failures:
        yield "", wrong.key, wrong.text
    for complaint in run.complaints:
        retriever = complaint.evaluation.retriever if complaint.evaluation else ""
        yield retriever, f"strict: {complaint.name}", complaint_line(complaint, run.command)


def _command(kind: str, place: Place | None, title: str, message: str) -> str:
    where = f"file={_property(place[0])},line={place[1]}," if place else ""
    return f"::{kind} {where}title={_property(title)}::{_message(message)}"


def _message(text: str) -> str:
    """`text` as a workflow command takes it: a line break would end it."""
    shown = clean(text).replace("\N{NO-BREAK SPACE}", " ")
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
