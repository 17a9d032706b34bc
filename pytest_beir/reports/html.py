"""`beir.html`: a run as one page without script or network, made with the extra `[report]`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pytest_beir.reports import charts
from pytest_beir.reports.failure import failure_block
from pytest_beir.reports.latency import offers
from pytest_beir.reports.numbers import change, score
from pytest_beir.reports.remark import PAGE
from pytest_beir.reports.scatter import scatter
from pytest_beir.reports.table import metric_names
from pytest_beir.reports.wording import deciding
from pytest_beir.text_layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.explanation.query_views import QueryView, RankedDocument
    from pytest_beir.reports.story import Chapter, Story

NAME = "beir.html"
_NEEDS = ("jinja2", "vl_convert")


@dataclass(frozen=True)
class Figure:
    """A chart with the sentence that says the same to whoever cannot see it."""

    title: str
    svg: str
    text: str


@dataclass(frozen=True)
class Card:
    """One dataset, to be folded out: its figures, every number, and its queries."""

    evaluation: Evaluation
    happened: str
    figures: tuple[Figure, ...]
    block: str
    views: tuple[QueryView, ...]


def is_available() -> bool:
    """Whether what makes the page is installed."""
    return all(find_spec(name) is not None for name in _NEEDS)


def get_ready() -> None:
    """Import and start what the page is made with, so that the end of a run need not wait."""
    if is_available():
        import jinja2  # noqa: F401

        charts.start_engine()


def files(story: Story) -> Mapping[str, str]:
    """{file name: content} of this report; empty without the extra `[report]`."""
    return {NAME: render(story)} if is_available() else {}


def render(story: Story) -> str:
    """The page; whatever comes from a corpus, a query or a name is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("pytest_beir.reports", ""),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(clean=clean, score=score, change=change, mark=_mark)
    template = environment.get_template("report.html.jinja")
    text: str = template.render(
        story=story,
        hints={**story.hints, **PAGE},
        figures={
            chapter.family.name: tuple(_figures(chapter, story)) for chapter in story.chapters
        },
        cards={
            chapter.family.name: [_card(each, chapter, story) for each in _own(chapter, story)]
            for chapter in story.chapters
        },
        pareto=_pareto(story),
    )
    return text


def _pareto(story: Story) -> Figure | None:
    """Quality by time of several retrievers; None where there is nothing to choose from."""
    found = offers(story.run)
    if found is None:
        return None
    best = [each.retriever for each in found.offers if each.dominated_by is None]
    text = f"Up and to the left is better. Not dominated (filled): {', '.join(best)}."
    return Figure("Quality by time", charts.pareto(found.offers, found.metric), text)


def _own(chapter: Chapter, story: Story) -> list[Evaluation]:
    return [each for each in story.run.evaluations if each.retriever == chapter.family.name]


def _figures(chapter: Chapter, story: Story) -> Iterator[Figure]:
    evaluations = _own(chapter, story)
    svg = charts.forest(evaluations)
    if svg:
        yield Figure(
            "How much each dataset moved",
            svg,
            "A point is the change, the line its bounds, the upright tick the margin. The point's "
            "shape is the verdict: a triangle down regressed, up improved, a diamond is "
            "inconclusive, a circle is neither. The table above has the same numbers.",
        )
    for metric in metric_names(evaluations):
        svg = charts.dumbbells(evaluations, metric)
        if svg:
            yield Figure(f"{metric}, baseline and now", svg, "The tables have the same numbers.")


def _card(evaluation: Evaluation, chapter: Chapter, story: Story) -> Card:
    happened = next(
        (each.happened for each in chapter.paragraphs if each.evaluation is evaluation),
        f"is {evaluation.verdict}",
    )
    views = evaluation.explanation.views
    return Card(
        evaluation,
        happened,
        tuple(_own_figures(evaluation, story)),
        failure_block(evaluation, texts=story.texts) if evaluation.metrics else "",
        views,
    )


def _own_figures(evaluation: Evaluation, story: Story) -> Iterator[Figure]:
    metric = deciding(evaluation)
    key = (evaluation.retriever, evaluation.dataset)
    if metric is None:
        return
    before = story.stored.get(key)
    if evaluation.scores is not None and before is not None and metric.current is not None:
        stored = before.current.get(metric.metric, {})
        svg = scatter(stored, evaluation.scores.values[metric.metric], metric.metric)
        text = (
            f"{metric.current.worse} queries lie below the line, {metric.current.better} above."
            " A wider point is several queries."
        )
        if svg:
            yield Figure("Every query", svg, text)
    diagnosis = evaluation.explanation.diagnosis
    if diagnosis is not None and diagnosis.enrichments:
        found = [(each.label, each.share, each.loss_share) for each in diagnosis.enrichments]
        text = "; ".join(
            f"{label}: {loss:.0%} of the loss, {queries:.0%} of the queries"
            for label, queries, loss in found
        )
        yield Figure("Where losses gather", charts.losses(found), text)
    svg = charts.drift(story.drift.get(key, ()), metric.metric, metric.now)
    if svg:
        text = f"The anchor is {score(metric.anchor)}, the baseline {score(metric.baseline)}."
        yield Figure("Drift over the updates", svg, text)


def _mark(document: RankedDocument) -> str:
    """What is known of a document, in a word: no meaning by colour alone."""
    if document.grade is None:
        return "unjudged"
    return f"relevant, grade {document.grade}" if document.grade > 0 else "not relevant"
