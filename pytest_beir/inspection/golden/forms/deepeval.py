"""Goldens of DeepEval: `input` and the `context` that it is to be answered from."""

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
    if content.have("retrieval_context"):
        request.told.append(
            "'retrieval_context' is what a system found, not what is relevant: not used"
        )
    # `source_file` names the file of a golden, which its `context` says more closely.
    yield from read_records(
        content.records,
        request,
        query=(("input",),),
        document=(),
        reference=(("context",),),
    )


DEEPEVAL = GoldenForm(
    name="goldens of DeepEval",
    recognised_by="`input` with `context`",
    recognises=lambda content: content.have("input", "context"),
    read=_read,
)
