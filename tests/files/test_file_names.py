"""Names as file names: reversible, and safe on every file system."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import BaselineError
from pytest_beir.files.file_names import LONGEST, escape, unescape

NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=15),
    st.text("aAbB.-_~%/ 1", min_size=1, max_size=15),
    st.sampled_from(["con", "CON", "aux.x", "nul", "com1", "Lpt9.tar", "console", ".", ".."]),
)
WINDOWS_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


@pytest.mark.parametrize(
    ("name", "file_name"),
    [
        ("bm25", "bm25"),
        ("cqadupstack/android", "cqadupstack%2Fandroid"),
        ("BM25", "BM25~3"),
        ("MiniLM-L6", "MiniLM-L6~b1"),
        ("v1.2_x", "v1.2_x"),
        (".hidden", "%2Ehidden"),
        ("..", "%2E%2E"),
        ("-x", "%2Dx"),
        ("a.", "a%2E"),
        ("naïve", "na%C3%AFve"),
        ("first stage", "first%20stage"),
        ("50%", "50%25"),
        ("a~1", "a%7E1"),
        ("aux", "%61ux"),
        ("nul.old", "%6Eul.old"),
        ("COM1", "%43OM1~7"),
        ("console", "console"),
    ],
)
def test_a_name_becomes_this_file_name_and_back(name: str, file_name: str) -> None:
    assert escape(name) == file_name
    assert unescape(file_name) == name


@given(NAMES)
def test_every_name_comes_back(name: str) -> None:
    assert unescape(escape(name)) == name


@given(NAMES)
def test_a_file_systems_change_of_case_does_not_matter(name: str) -> None:
    assert unescape(escape(name).lower()) == name


@given(NAMES, NAMES)
def test_two_names_are_two_files_even_where_case_does_not_count(one: str, other: str) -> None:
    same_file = escape(one).casefold() == escape(other).casefold()
    assert same_file == (one == other)


@given(NAMES)
def test_a_file_name_is_plain_ascii_that_no_system_reads_otherwise(name: str) -> None:
    file_name = escape(name)
    assert re.fullmatch(r"[A-Za-z0-9._%~-]+", file_name)
    assert file_name[0] not in ".-"
    assert file_name[-1] != "."
    assert not WINDOWS_RESERVED.fullmatch(file_name)


@pytest.mark.parametrize(
    "file_name", ["", "a b", "%", "%zz", "%FF", "BM25", "bm25~", "a~0", "a~", ".x", "%41~2", "é"]
)
def test_a_file_name_of_another_making_is_no_name(file_name: str) -> None:
    assert unescape(file_name) is None


@pytest.mark.parametrize(
    ("name", "message"),
    [("", "empty"), ("x" * (LONGEST + 1), "shorter"), ("é" * 40, "shorter"), ("\ud800", "Unicode")],
)
def test_a_name_that_cannot_be_a_file_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(BaselineError, match=message):
        escape(name)
