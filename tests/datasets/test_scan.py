from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.datasets.lint import stop
from pytest_beir.datasets.scan import _read_plain, read_document, scan_corpus

if TYPE_CHECKING:
    from pytest_beir.errors import DatasetError

TEXT = st.text(st.characters(codec="utf-8"))
IDS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0"), min_size=1)
DOCUMENTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"_id": IDS, "text": TEXT}, optional={"title": TEXT | st.none(), "metadata": st.just({})}
)
RUBBISH = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["_id", "text", "title"]), inner)
    ),
    max_leaves=4,
)


@given(DOCUMENTS)
def test_the_short_way_reads_a_document_as_the_long_way_does(document: dict[str, Any]) -> None:
    line = json.dumps(document).encode() + b"\n"
    right = (document["_id"], document.get("title") or "", document["text"])
    assert read_document(line) == right
    assert _read_plain(line) in (None, right)


def test_an_ordinary_line_goes_the_short_way() -> None:
    assert _read_plain(b'{"_id": "d1", "title": "Tea", "text": "Leaves."}\r\n') == (
        "d1",
        "Tea",
        "Leaves.",
    )


@given(RUBBISH)
def test_the_short_way_takes_nothing_that_the_long_way_refuses(value: Any) -> None:
    line = json.dumps(value).encode()
    found: list[DatasetError] = []
    scan = scan_corpus(Path("a"), BytesIO(line), found.append)
    is_document = (
        isinstance(value, dict)
        and isinstance(value.get("_id"), str)
        and bool(value["_id"])
        and not set(value["_id"]) & set("\t\n\r\0")
        and isinstance(value.get("text"), str)
        and isinstance(value.get("title"), str | None)
    )
    assert (scan.documents, len(found)) == ((1, 0) if is_document else (0, 1))


@given(st.lists(DOCUMENTS | st.just(None)))
def test_rows_know_their_lines(documents: list[dict[str, Any] | None]) -> None:
    lines = [b"\n" if one is None else json.dumps(one).encode() + b"\n" for one in documents]
    scan = scan_corpus(Path("a"), lines, stop)
    numbers = [number for number, one in enumerate(documents, 1) if one is not None]
    assert [scan.line_of(row) for row in range(scan.documents)] == numbers
    assert scan.size == sum(map(len, lines))
