"""Two rankings of one query side by side, and the queries that lost most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.errors import UsageError
from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import change, score
from pytest_beir.suggestions import did_you_mean
from pytest_beir.text_layout import Page, columns, cut, cut_middle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.scoring.scorer import Scores
    from pytest_beir.text_layout import Line

_RANK = 4  # columns
_MARK = 5


@dataclass(frozen=True)
class ComparedScores:
    """What two sides scored on one dataset, which is None where it is not at hand.

    `labels` are the sides' names, `metrics` the gated ones, the first of which decides.
    """

    labels: tuple[str, str]
    scores: tuple[Scores, Scores]
    metrics: Sequence[str]
    dataset: Dataset | None = None

    def losses(self) -> list[tuple[float, str]]:
        """(change, query id) of every query that lost in the first metric, largest loss first."""
        before, now = (each.values[self.metrics[0]] for each in self.scores)
        return sorted(
            (now[query] - before[query], query)
            for query in now
            if query in before and now[query] < before[query]
        )

    def text(self, query: str) -> str:
        """The query's text, empty where the dataset is not at hand."""
        return self.dataset.queries.get(query, "") if self.dataset else ""


def worst(compared: ComparedScores, most: int, *, texts: bool, ascii: bool) -> Sequence[Line]:  # noqa: A002
    """The queries that lost most, one in a line: before, now, change, id and text."""
    page = Page(ascii=ascii)
    metric = compared.metrics[0]
    losses = compared.losses()
    total = len(compared.scores[1].values[metric])
    page.add(f"{metric}: {len(losses)} of {plural(total, 'query')} worse", "bold")
    before, now = (each.values[metric] for each in compared.scores)
    for difference, query in losses[:most]:
        head = page.spell(
            f"{score(before[query])} → {score(now[query])} {change(difference)}  {query}"
        )
        text = compared.text(query) if texts else ""
        page.add(f"{head}  {text}".rstrip())
    if len(losses) > most:
        page.add(f"and {len(losses) - most:,} more")
    if losses:
        page.add(f"Look at one with --query={losses[0][1]}")
    return page.lines


def one_query(
    compared: ComparedScores,
    query: str,
    *,
    texts: bool,
    ascii: bool,  # noqa: A002
) -> Sequence[Line]:
    """Both top tens of a query side by side, and where its relevant documents are.

    Raises:
        UsageError: No side has a judged query of that id.

    """
    known = compared.scores[1].values[compared.metrics[0]]
    if query not in known:
        raise UsageError(
            f"--query={query}: no judged query has that id{did_you_mean(query, known)}"
        )
    page = Page(ascii=ascii)
    text = compared.text(query) if texts else ""
    page.paragraph(f"{query}: {text}" if text else query, "bold")
    for metric in compared.metrics:
        before, now = (each.values[metric].get(query, 0.0) for each in compared.scores)
        page.add(f"{metric} {score(before)} → {score(now)} ({change(now - before)})")
    page.blank()
    width = (page.width - _RANK) // 2
    labels = [f"{side} {label}" for side, label in zip("AB", compared.labels, strict=True)]
    page.add(_row(page, "", *labels, width=width))
    old, new = (each.top10.get(query, ()) for each in compared.scores)
    for place in range(max(len(old), len(new))):
        cells = [_cell(compared, query, side, place) for side in (0, 1)]
        page.add(_row(page, f"{place + 1:>2}", *cells, width=width))
    if not old and not new:
        page.add("neither side answers this query")
    page.blank()
    page.add("[2] is a document's grade, [ ] one that nobody judged")
    page.lines.extend(_relevant(compared, query, texts=texts, ascii=ascii))
    return page.lines


def _row(page: Page, rank: str, left: str, right: str, *, width: int) -> str:
    cells = [cut_middle(page.spell(cell), width - 2, ascii=page.ascii) for cell in (left, right)]
    gap = " " * (width - columns(cells[0]))
    return f"{rank:<{_RANK}}{cells[0]}{gap}{cells[1]}"


def _cell(compared: ComparedScores, query: str, side: int, place: int) -> str:
    top = compared.scores[side].top10.get(query, ())
    if place >= len(top):
        return ""
    document = top[place]
    return f"{_mark(compared, query, side, document):<{_MARK}}{document}"


def _mark(compared: ComparedScores, query: str, side: int, document: str) -> str:
    """The grade in brackets; without judgements at hand, whether there is one."""
    if compared.dataset is not None:
        grade = compared.dataset.qrels.get(query, {}).get(document)
        return "[ ]" if grade is None else f"[{grade}]"
    judged = {each for _, each in compared.scores[side].judged.get(query, ())}
    return "[j]" if document in judged else "[ ]"


def _relevant(
    compared: ComparedScores,
    query: str,
    *,
    texts: bool,
    ascii: bool,  # noqa: A002
) -> Iterator[Line]:
    """Where each relevant document was and is, deepest fall first."""
    if compared.dataset is None:
        return
    page = Page(ascii=ascii)
    ranks: list[Mapping[str, int]] = [
        {document: rank for rank, document in each.judged.get(query, ())}
        for each in compared.scores
    ]
    grades = compared.dataset.qrels[query]
    relevant = sorted(document for document, grade in grades.items() if grade > 0)
    page.blank()
    page.add(plural(len(relevant), "relevant document"), "bold")
    for document in relevant:
        places = [str(found.get(document, "beyond 100")) for found in ranks]
        title = _title(compared.dataset, query, document) if texts else ""
        moved = page.spell(f"[{grades[document]}] {document}: {places[0]} → {places[1]}")
        page.add(f"{moved}  {cut(title, max(10, page.width - columns(moved) - 2))}".rstrip())
    yield from page.lines


def _title(dataset: Dataset, query: str, document: str) -> str:
    """The document's title, else the beginning of its text."""
    part = dataset
    if dataset.members:  # a forum's query names its forum first
        name = f"{dataset.name}/{query.split('/', 1)[0]}"
        part = next(each for each in dataset.members if each.name == name)
    if part.corpus is None or document not in part.corpus:
        return ""
    found = part.corpus[document]
    return " ".join((found["title"] or found["text"]).split())
