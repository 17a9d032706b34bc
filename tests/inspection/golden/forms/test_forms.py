"""The list of forms."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.documents import Documents
from pytest_beir.inspection.golden.forms import FORMS
from pytest_beir.inspection.golden.golden_set import make_golden_set
from pytest_beir.inspection.golden.judgements import read_judgements

NAMES = (
    *("query", "question", "inputs", "outputs", "doc_id", "documents", "ratings", "rating"),
    *("user_input", "reference_contexts", "input", "context", "references", "corpus_id"),
    *("queries", "corpus", "relevant_docs", "judgmentRatings", "requests", "request", "topics"),
    *("query_groups", "relevant_documents", "placeholders", "$query", "index", "tests", "vars"),
    *("query_doc_pairs", "judgements", "query_id", "_source", "params", "assert", "answer"),
)
PLAIN = st.sampled_from(["x", "a b c d e", "", None, 1, -1, 2.5, True, "0.5", "[1]", "['a']", "{"])
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=15,
)
PAGE = Path(__file__).resolve().parents[4] / "docs" / "your-own-data.md"
TESTS = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}


def test_every_form_has_a_file_and_a_test() -> None:
    files = {form.read.__module__.rpartition(".")[2] for form in FORMS}
    assert files == TESTS - {"forms"}


def test_the_page_lists_every_form_with_what_it_is_recognised_by() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for form in FORMS:
        assert f"| {form.name} | {form.recognised_by} |" in page


@given(VALUES, st.sampled_from(["golden.json", "golden.jsonl", "golden.yaml"]))
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path: Path, value: Any, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(value), encoding="utf-8")
    documents = Documents(texts={"x": ("", "a b c d e")})
    with contextlib.suppress(DatasetError):
        golden = make_golden_set(read_judgements(path), documents)
        assert golden.qrels


def test_aliases_of_yaml_are_not_multiplied(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    path = tmp_path / "golden.yaml"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"golden\.yaml"):
        read_judgements(path)
