"""The forms of golden sets that are known, each in a file of its own.

The first that recognises a file reads it. A new one is a file with a `GoldenForm`, a line in
`FORMS` and a test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.inspection.golden.forms.answers_only import ANSWERS_ONLY
from pytest_beir.inspection.golden.forms.chroma import CHROMA
from pytest_beir.inspection.golden.forms.deepeval import DEEPEVAL
from pytest_beir.inspection.golden.forms.elasticsearch import ELASTICSEARCH
from pytest_beir.inspection.golden.forms.flat import FLAT
from pytest_beir.inspection.golden.forms.langsmith import LANGSMITH
from pytest_beir.inspection.golden.forms.llamaindex import LLAMAINDEX
from pytest_beir.inspection.golden.forms.opensearch import OPENSEARCH
from pytest_beir.inspection.golden.forms.promptfoo import PROMPTFOO
from pytest_beir.inspection.golden.forms.quepid import QUEPID_BOOK, QUEPID_CASE
from pytest_beir.inspection.golden.forms.query_map import QUERY_MAP
from pytest_beir.inspection.golden.forms.ragas import RAGAS
from pytest_beir.inspection.golden.forms.rre import RRE
from pytest_beir.inspection.golden.forms.trec import TREC

if TYPE_CHECKING:
    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.forms.form import GoldenForm

FORMS: tuple[GoldenForm, ...] = (
    TREC,
    OPENSEARCH,
    ELASTICSEARCH,
    LLAMAINDEX,
    RRE,
    QUEPID_BOOK,
    QUEPID_CASE,
    PROMPTFOO,
    LANGSMITH,
    RAGAS,
    DEEPEVAL,
    CHROMA,
    QUERY_MAP,
    ANSWERS_ONLY,
    FLAT,
)


def form_of(content: Content) -> GoldenForm:
    """The form that a parsed file has."""
    return next(form for form in FORMS if form.recognises(content))
