"""The table of scores per query: what is read a column at a time is what lines give."""

from __future__ import annotations

import json
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.baselines.queries_table import QueriesTable, parse
from pytest_beir.errors import BaselineError

HEADER = "query-id\tnDCG@10\tJudged@10\tanchor:nDCG@10\ttop10\tjudged"
IDS = st.text(st.sampled_from('ab"\\é]['), max_size=3)
QUERIES = st.sets(IDS.filter(bool), min_size=1, max_size=4).map(sorted)
SCORES = st.one_of(st.floats(0, 1).map(repr), st.sampled_from(("nan", "1e999", "x", "", "1_0")))
TOP10 = st.one_of(
    st.lists(IDS, max_size=11).map(json.dumps),
    st.sampled_from(('["a"]x', "[1]", '"a"', "", '[["a"]]', '["a"', " []", "null", "[" * 99)),
)
JUDGED = st.one_of(
    st.lists(st.tuples(st.integers(0, 101), IDS), max_size=3).map(json.dumps),
    st.sampled_from(('[[true, "a"]]', '[[1, "a", 2]]', '[["a", 1]]', "[1]", "[[1]]", "{}")),
)


@st.composite
def tables(draw: st.DrawFn) -> str:
    lines = [
        "\t".join((query, *(draw(SCORES) for _ in range(3)), draw(TOP10), draw(JUDGED)))
        for query in draw(QUERIES)
    ]
    return "\n".join([HEADER, *lines]) + "\n"


@st.composite
def right_tables(draw: st.DrawFn) -> str:
    score = st.floats(0, 1).map(repr)
    ids = st.lists(IDS, max_size=10).map(json.dumps)
    judged = st.lists(st.tuples(st.integers(1, 100), IDS), max_size=3).map(json.dumps)
    lines = [
        "\t".join((query, *(draw(score) for _ in range(3)), draw(ids), draw(judged)))
        for query in draw(QUERIES)
    ]
    return "\n".join([HEADER, *lines]) + "\n"


def outcome(text: str) -> QueriesTable | tuple[str, int | None]:
    try:
        return parse(text)
    except BaselineError as error:
        return str(error), error.line


@given(st.one_of(tables(), right_tables()))
def test_a_table_is_read_as_line_by_line(text: str) -> None:
    fast = outcome(text)
    with patch("pytest_beir.baselines.queries_table._plain_rows", return_value=None):
        assert fast == outcome(text)


@given(right_tables())
def test_a_right_table_is_read_a_column_at_a_time(text: str) -> None:
    with patch("pytest_beir.baselines.queries_table._rows", side_effect=AssertionError):
        table = parse(text)
    assert list(table.scores.values["nDCG@10"]) == [
        line.split("\t")[0] for line in text.split("\n")[1:-1]
    ]
