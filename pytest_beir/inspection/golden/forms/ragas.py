"""A test set of RAGAS: `user_input` and the texts that the answer was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.inspection.golden.fields import DOCUMENT
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
        query=(("userinput", "question"),),
        document=(("referencecontextids",), *DOCUMENT),
        reference=(("referencecontexts",),),
    )


RAGAS = GoldenForm(
    name="a test set of RAGAS",
    recognised_by="`user_input` with `reference_contexts` or `reference_context_ids`",
    recognises=lambda content: (
        content.have("user_input")
        and (content.have("reference_contexts") or content.have("reference_context_ids"))
    ),
    read=_read,
)
