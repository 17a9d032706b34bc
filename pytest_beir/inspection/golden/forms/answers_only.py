"""Questions with answers, and nothing that says where they are found: no judgements yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.fields import (
    ANSWER,
    DOCUMENT,
    QUERY,
    RATING,
    REFERENCE,
    ranked,
)
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _recognises(content: Content) -> bool:
    names = {name for _, record in content.records for name in record}
    has_judgement = any(ranked(names, tiers) for tiers in (DOCUMENT, REFERENCE, RATING))
    return bool(ranked(names, QUERY) and ranked(names, ANSWER)) and not has_judgement


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    if request.names.document:
        yield from read_records(content.records, request)
        return
    names = dict.fromkeys(name for _, record in content.records for name in record)
    questions = plural(len(content.records), "question")
    raise DatasetError(
        f"{content.path}: {questions} with answers, and nothing says which documents hold"
        f" them (there are: {', '.join(names)}). To make judgements of it, search"
        " each question with your system, let a person mark which of the first ten documents"
        " answer it, and give them in columns doc_id and rating; or give the passages that the"
        " answers were written from as reference_contexts. If a field holds documents, name it:"
        " --document-column=…"
    )


ANSWERS_ONLY = GoldenForm(
    name="questions and answers",
    recognised_by="a query and an answer, without a field for documents, texts or ratings",
    recognises=_recognises,
    read=_read,
)
