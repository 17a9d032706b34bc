"""Questions of Chroma's chunking evaluation: `references` quote a corpus, with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    yield from read_records(
        content.records,
        request,
        query=(("question",),),
        document=(),
        reference=(("references",),),
    )


CHROMA = GoldenForm(
    name="questions of Chroma's chunking evaluation",
    recognised_by="`question` with `references` and `corpus_id`",
    recognises=lambda content: content.have("question", "references", "corpus_id"),
    read=_read,
)
