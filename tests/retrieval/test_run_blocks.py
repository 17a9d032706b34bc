"""Blocks give what lines give, and nothing where a line is not plain."""

from __future__ import annotations

import io
from pathlib import Path  # noqa: TC003  # a fixture's annotation
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_blocks import plain_run
from pytest_beir.retrieval.run_files import RunFiles, read_run

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = st.text("ab\u00e9\u20ac0_", min_size=1, max_size=3)
LINES = st.lists(
    st.tuples(WORDS, WORDS, st.floats(-1e300, 1e300)),
    unique_by=lambda line: line[:2],
    min_size=1,
    max_size=40,
)


def content(lines: list[tuple[str, str, float]], between: str = " ", end: str = "\n") -> bytes:
    rows = (
        between.join((query, "Q0", document, "1", repr(score), "t")) + end
        for query, document, score in lines
    )
    return "".join(rows).encode()


def plainly(text: bytes) -> Mapping[str, Mapping[str, float]] | None:
    return plain_run(io.BytesIO(text), None)


@given(LINES, st.sampled_from([" ", "\t", "   "]), st.sampled_from(["\n", "\r\n"]))
def test_every_line_of_a_plain_file_is_read(
    lines: list[tuple[str, str, float]], between: str, end: str
) -> None:
    expected: dict[str, dict[str, float]] = {}
    for query, document, score in lines:
        expected.setdefault(query, {})[document] = score
    run = plainly(content(lines, between, end))
    assert run == expected
    assert list(run or {}) == list(expected)


def test_a_query_may_cross_the_border_of_blocks() -> None:
    lines = [("q", f"d{number}", float(number)) for number in range(20)]
    assert plainly(content(lines)) == {"q": {document: score for _, document, score in lines}}


def test_a_byte_order_mark_and_a_missing_last_line_end_change_nothing() -> None:
    assert plainly(b"\xef\xbb\xbfq Q0 d 1 2.5 t") == {"q": {"d": 2.5}}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"q Q0 d 1 2.5\nq Q0 e 2 1.5 t x\n", id="five columns, then seven"),
        pytest.param(b"q Q0 d 1 2.5 t\n\nq Q0 e 2 1.5 t\n", id="a blank line"),
        pytest.param(b"q Q0 d 1 1_0 t\n", id="a number that only Python reads"),
        pytest.param("q Q0 d 1 \u0661 t\n".encode(), id="a digit of another script"),
        pytest.param(b"q Q0 d 1 nan t\n", id="not a number"),
        pytest.param(b"q Q0 d 1 -inf t\nq Q0 e 1 inf t\n", id="two infinities"),
        pytest.param(b"q Q0 d 1 2 t\nq Q0 d 2 1 t\n", id="a document twice"),
        pytest.param(b"q Q0 d 1 2 t\np Q0 d 1 2 t\nq Q0 d 2 1 t\n", id="twice, apart"),
        pytest.param(b"q Q0 \xff 1 2 t\n", id="not UTF-8"),
        pytest.param(b"q Q0 a\x00b 1 2 t\n", id="a zero byte"),
        pytest.param(b"q 1\tQ0\td\t1\t2\tt\n", id="a space in an id between tabs"),
    ],
)
def test_what_is_not_plain_is_left_to_the_reader_of_lines(text: bytes) -> None:
    assert plainly(text) is None


@given(LINES)
def test_reading_whole_files_agrees_with_reading_lines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, str, float]]
) -> None:
    path = tmp_path_factory.mktemp("run") / "x.trec"
    path.write_bytes(content(lines))
    plain = read_run(path)
    path.write_bytes(content(lines) + b"\n")  # the blank line ends the fast reading
    assert read_run(path) == plain


def test_a_document_that_was_cut_off_is_still_seen_twice(tmp_path: Path) -> None:
    path = tmp_path / "x.trec"
    path.write_bytes(b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\np Q0 a 1 1 t\nq Q0 c 4 5 t\n")
    with pytest.raises(RunFileError, match=r"x\.trec:5: query 'q' has document 'c' a second time"):
        RunFiles(path).load("any", {"q", "p"}, top_k=2)
