"""A judgement list of OpenSearch's Search Relevance Workbench."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _ratings(content: Content) -> Any:
    """The list or mapping of ratings, also inside a search's answer (`_source`)."""
    whole = content.whole
    if content.kind != "object":
        return None
    source = whole.get("_source")
    return (source if isinstance(source, dict) else whole).get("judgmentRatings")


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    ratings = _ratings(content)
    if isinstance(ratings, dict):
        ratings = [{"query": query, "ratings": rated} for query, rated in ratings.items()]
    records = [
        (f'{content.path}: item {number} of "judgmentRatings"', record)
        for number, record in enumerate(ratings, 1)
    ]
    yield from read_records(
        records, request, query=(("query",),), document=(("ratings",),), reference=()
    )


OPENSEARCH = GoldenForm(
    name="a judgement list of OpenSearch",
    recognised_by="an object with `judgmentRatings`",
    recognises=lambda content: isinstance(_ratings(content), (list, dict)),
    read=_read,
)
