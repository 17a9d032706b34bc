"""JSON made elsewhere is read within limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ReportError
from pytest_beir.files.json_file import read_json

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested more than 100 deep"),
        ("[" * 101 + "]" * 101, "nested more than 100 deep"),
        ('{"a":' * 500_000, "nested more than 100 deep"),
        ("9" * 5000, "a number of 5,000 digits, at most 400 are read"),
        ('{"a": 1,\n "a": 2}', "the key 'a' is in one object twice"),
        ("[1,\n NaN]", "NaN is not JSON"),
        ('{"a": ["\\ud800"]}', "half of a surrogate pair"),
        ('{"\\ud800": 1}', "half of a surrogate pair"),
        ("[1,\n2", r"a\.json:2: malformed JSON at column 2"),
        ("", r"a\.json:1: malformed JSON at column 1"),
    ],
)
def test_hostile_json_is_one_error(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ReportError, match=words):
        read_json(path, ReportError)


def test_ordinary_json_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('\ufeff{"a": [1, 2.5, null, true, "\u00e4"]}', "utf-8")
    assert read_json(path) == {"a": [1, 2.5, None, True, "\u00e4"]}
