"""Columns give what lines give, and nothing where a line is not plain."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import AnswerError, RunFileError
from pytest_beir.retrieval.answers import Answers
from pytest_beir.retrieval.run_columns import plain_table
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.scoring.scorer import score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.scoring.ranking_table import RankingTable

NAMES = st.text(st.sampled_from('ab"é€0_,'), min_size=1, max_size=2)
NUMBERS = st.one_of(
    st.sampled_from(("1", "1.0", "-0", "1e-5", ".5", "5.", "+1", "1e400", "1e-400", "0.1")),
    st.sampled_from(("nan", "inf", "1_0", "x", "0x1", "1e", "16777217", "16777216", "1e39")),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
BETWEEN = st.sampled_from((" ", " ", " ", "\t", "  ", "\x0b"))
LINES = st.one_of(
    st.builds(
        lambda query, document, number, between: between.join(
            (query, "Q0", document, "1", number, "tag")
        ),
        st.sampled_from("pqr"),
        NAMES,
        NUMBERS,
        BETWEEN,
    ),
    st.builds("q Q0 {} 1 1.5 tag".format, NAMES),
    st.sampled_from(("", " ", "q Q0 d 1 1.5", "q Q0 d 1 1.5 tag ", " q Q0 d 1 1.5 tag", "a\tb c")),
)
WANTED = {"p", "q"}


def content(lines: list[str], end: str = "\n") -> bytes:
    return "".join(f"{line}{end}" for line in lines).encode()


def loaded(text: bytes, top_k: int) -> Mapping[str, Mapping[str, float]] | str:
    """What a run file gives, or the text of its error without the folder."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "run.trec").write_bytes(text)
        try:
            found = RunFiles("run.trec", folder=Path(folder)).load("set", WANTED, top_k)
            return {query: dict(found[query]) for query in found}
        except RunFileError as error:
            return str(error).replace(folder, "")


@given(
    st.lists(LINES, max_size=12).map(lambda lines: sorted(lines, key=lambda line: line[:2])),
    st.sampled_from(("\n", "\n", "\r\n")),
    st.sampled_from((b"", b"", b"\xef\xbb\xbf")),
    st.booleans(),
    st.sampled_from((1, 2, 100)),
    st.sampled_from((1, 60, 1 << 20)),
)
def test_any_file_is_read_as_line_by_line(
    lines: list[str], end: str, mark: bytes, is_ended: bool, top_k: int, block: int
) -> None:
    text = mark + content(lines, end)
    text = text if is_ended else text.removesuffix(end.encode())
    with patch("pytest_beir.retrieval.run_columns._BLOCK", block):
        fast = loaded(text, top_k)
    with (
        patch("pytest_beir.retrieval.run_files.plain_table", return_value=None),
        patch("pytest_beir.retrieval.run_files.plain_run", return_value=None),
    ):
        assert fast == loaded(text, top_k)


RANKINGS = st.dictionaries(
    st.sampled_from("pqrs"),
    st.dictionaries(
        st.sampled_from(["a", "b", "c", "é", "d1", "d2"]),
        st.sampled_from((1.0, 0.5, 0.1, 16777216.0, 16777217.0, -1e39, 1e39, 1e-5)),
        min_size=1,
    ),
    min_size=1,
)


def table_of(run: Mapping[str, Mapping[str, float]]) -> RankingTable:
    rows = [
        f"{query} Q0 {document} 1 {score!r} t"
        for query, documents in run.items()
        for document, score in documents.items()
    ]
    table = plain_table([content(rows)], None, 100)
    assert table is not None
    return table


@given(RANKINGS, st.sampled_from((1, 40, 1 << 20)), st.booleans())
def test_columns_score_as_dicts_do(
    run: dict[str, dict[str, float]], block: int, is_dropped: bool
) -> None:
    qrels = {
        "q": {"a": 2, "q": 1, "absent": 1},
        "p": {"b": 1, "é": 0, "c": 3},
        "r": {"d1": 1},
        "nobody": {"a": 1},
    }
    if run.keys().isdisjoint(qrels):
        run = {**run, "q": {"a": 1.0}}
    with patch("pytest_beir.retrieval.run_columns._BLOCK", block):
        table = table_of(run)
    metrics = ("nDCG@10", "R@100", "RR@10", "AP@100", "P@5")
    found = score(qrels, table, metrics, drop_identical_ids=is_dropped)
    expected = score(qrels, run, metrics, drop_identical_ids=is_dropped)
    assert found == expected
    assert list(found.top10) == list(expected.top10)


@given(RANKINGS)
def test_scores_too_close_for_32_bits_are_counted_as_in_dicts(
    run: dict[str, dict[str, float]],
) -> None:
    in_columns, in_dicts = Answers("set", None, 100), Answers("set", None, 100)
    in_columns.checked(table_of(run), run)
    in_dicts.checked(run, run)
    assert in_columns.ties.loses_most == in_dicts.ties.loses_most
    assert sorted(in_columns.ties.lost) == sorted(in_dicts.ties.lost)
    assert [n.partition("such as")[0] for n in in_columns.notes] == [
        n.partition("such as")[0] for n in in_dicts.notes
    ]


def test_a_table_is_the_mapping_of_its_file() -> None:
    run = {"q2": {"b": 2.0, "a": 1.0}, "q1": {"a": 0.5}}
    table = table_of(run)
    assert dict(table) == run
    assert list(table) == ["q2", "q1"]
    assert len(table) == 2
    assert "q1" in table
    assert "q3" not in table


def test_a_document_that_is_not_in_the_corpus_is_refused_in_columns_too() -> None:
    answers = Answers("set", {"a"}, 100)
    with pytest.raises(AnswerError, match="query 'q': document 'b' is not in the corpus"):
        answers.checked(table_of({"q": {"a": 2.0, "b": 1.0}}), {"q"})


def test_a_query_whose_lines_are_apart_is_left_to_other_readers() -> None:
    lines = ["q Q0 a 1 1 t", "p Q0 a 1 1 t", "q Q0 b 1 1 t"]
    assert plain_table([content(lines)], None, 100) is None
    with patch("pytest_beir.retrieval.run_columns._BLOCK", 1):
        assert plain_table([content([line]) for line in lines], None, 100) is None


def test_without_arrow_nothing_is_read_in_columns() -> None:
    with patch("pytest_beir.retrieval.run_columns.find_spec", return_value=None):
        assert plain_table([content(["q Q0 a 1 1 t"])], None, 100) is None
