from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.datasets.lint import stop
from pytest_beir.datasets.queries import read_queries
from pytest_beir.errors import DatasetError


def write(tmp_path: Path, *lines: str) -> tuple[Path]:
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return (path,)


def test_texts_are_untouched_and_ids_are_text(tmp_path: Path) -> None:
    files = write(tmp_path, '{"_id": "0001", "text": " who?\\r"}', '{"_id": "é", "text": ""}')
    assert read_queries(files, stop).texts == {"0001": " who?\r", "é": ""}


def test_metadata_and_group_are_kept(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        '{"_id": "1", "text": "a", "metadata": {"url": "x", "group": "old"}, "group": "new"}',
        '{"_id": "2", "text": "b", "metadata": {}}',
        '{"_id": "3", "text": "c", "metadata": "none"}',
    )
    assert read_queries(files, stop).metadata == {"1": {"url": "x", "group": "new"}}


def test_only_wanted_texts_are_kept_but_all_ids_are_known(tmp_path: Path) -> None:
    files = write(tmp_path, '{"_id": "1", "text": "a"}', '{"_id": "2", "text": "b"}')
    reading = read_queries(files, stop, wanted={"2"})
    assert reading.texts == {"2": "b"}
    assert list(reading.lines) == ["1", "2"]


def test_every_bad_line_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        '{"_id": "1", "text": "a"}',
        "",
        '{"_id": "1", "text": "b"}',
        '{"_id": 2, "text": "b"}',
        '{"_id": "3"}',
        '{"_id": "4", "text": null}',
        '{"_id": "5", "text": "a"',
        '{"_id": "6", "text": "f"}',
    )
    found: list[DatasetError] = []
    reading = read_queries(files, found.append)
    assert [(one.kind, one.line) for one in found] == [
        ("duplicate-id", 3),
        ("wrong-type", 4),
        ("missing-field", 5),
        ("wrong-type", 6),
        ("malformed-json", 7),
    ]
    assert reading.texts == {"1": "a", "6": "f"}


def test_an_id_that_stands_there_twice_names_both_lines_even_if_unwanted(tmp_path: Path) -> None:
    files = write(tmp_path, '{"_id": "1", "text": "a"}', '{"_id": "1", "text": "a"}')
    with pytest.raises(DatasetError, match=r"queries\.jsonl:2: the id '1' is on line 1 too"):
        read_queries(files, stop, wanted=set())


VALUES = st.text(st.sampled_from('ab"_\\\t\n\r\0é\ud800'), max_size=4)
LINES = st.one_of(
    st.builds(lambda query, text: json.dumps({"_id": query, "text": text}), VALUES, VALUES),
    st.builds(lambda query: json.dumps({"_id": query, "text": "t", "group": "g"}), VALUES),
    st.sampled_from(
        ("", " ", "{}", "[]", '{"_id": "x"}', '{"_id": "x", "_id": "y", "text": "t"}',
         '{"_id": "x", "text": "t", "metadata": {"text": "u"}}', '{"text": "t", "_id": 1}',
         '{"_id": "x", "text": "t", "group": 1, "group": 2}', "\ufeff{}", "{")
    ),
)  # fmt: skip


@given(st.lists(LINES, max_size=4), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_many_lines_at_a_time_read_as_line_by_line(
    lines: list[str], end: str, is_ended: bool
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "queries.jsonl"
        path.write_text(end.join(lines) + end * is_ended, "utf-8", newline="")
        found: list[DatasetError] = []
        reading = read_queries((path,), found.append, wanted={"a", "b", "x"})
        slow: list[DatasetError] = []
        with patch("pytest_beir.datasets.queries.plain_records", lambda _: iter([None])):
            again = read_queries((path,), slow.append, wanted={"a", "b", "x"})
    assert reading == again
    assert [str(each) for each in found] == [str(each) for each in slow]
