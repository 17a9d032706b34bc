from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_beir.datasets import record
from pytest_beir.datasets.record import parse, plain_records, read_id, read_record
from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from pathlib import Path

TEXT = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.booleans(), st.sampled_from(["", " ", "\r", "\t \r"]))
def test_parse_gives_what_the_standard_library_gives(value: Any, is_ascii: bool, end: str) -> None:
    line = (end + json.dumps(value, ensure_ascii=is_ascii) + end + "\n").encode()
    assert parse(line) == json.loads(line) == value


def refuse(constant: str) -> None:
    raise ValueError(constant)


@given(st.binary(max_size=30))
@example(b"0\x0b")
@example("0\u00a0".encode())
def test_parse_refuses_what_the_standard_library_refuses(line: bytes) -> None:
    try:
        expected = json.loads(line.decode(), parse_constant=refuse)
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            parse(line)
    else:
        assert parse(line) == expected


@pytest.mark.parametrize("line", [b'{"a": NaN}', b'{"a": Infinity}', b'{"a": 1} x', b"", b"{"])
def test_parse_refuses_what_is_no_json(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(line)


def test_orjson_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stub:
        """Stands for orjson where it is not installed: it refuses what only `json` accepts."""

        def loads(self, line: bytes) -> Any:
            if b"\\ud800" in line:
                raise ValueError("lone surrogate")
            return json.loads(line)

    monkeypatch.setattr(record, "orjson", Stub())
    monkeypatch.setattr(record, "parse_fast", record.parse_with_orjson)
    assert read_record(b'{"_id": "1"}') == {"_id": "1"}
    assert read_record(b'{"_id": "\\ud800"}') == {"_id": "\ud800"}
    with pytest.raises(DatasetError, match="malformed JSON at column 2"):
        read_record(b"{]")


def test_orjson_itself_agrees_with_the_standard_library(monkeypatch: pytest.MonkeyPatch) -> None:
    orjson = pytest.importorskip("orjson", reason="needs the extra `fast`")
    monkeypatch.setattr(record, "orjson", orjson)
    for line in (b'{"_id": "\\u00e9\\ud83d\\ude00", "a": [1, 2.5, null], "a": 3}', b" {} "):
        assert record.parse_with_orjson(line) == parse(line)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (b'{"_id": "1",}', "malformed-json", "column"),
        (b"\xff\xfe", "not-utf-8", "byte 1"),
        (b'["1"]', "not-an-object", "a list, not a JSON object"),
        (b"null", "not-an-object", "a null, not a JSON object"),
        (b"[" * 100_000, "malformed-json", "recursion"),
    ],
)
def test_a_line_that_is_no_record_says_why(line: bytes, code: str, words: str) -> None:
    with pytest.raises(DatasetError, match=words) as caught:
        read_record(line)
    assert caught.value.kind == code


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        ({"_id": 7}, "wrong-type", 'ids are text: write "_id": "7"'),
        ({"_id": True}, "wrong-type", "a boolean"),
        ({"_id": None}, "wrong-type", "a null"),
        ({"_id": ""}, "empty-id", "is empty"),
        ({"_id": "a\tb"}, "malformed-id", "holds a tab or a line end"),
        ({"_id": "\ud800"}, "malformed-json", "half of a surrogate pair"),
        ({}, "missing-field", 'no field "_id"'),
        ({"id": "7"}, "missing-field", 'rename its field "id"'),
    ],
)
def test_an_id_that_cannot_be_used_says_why(fields: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(DatasetError, match=words) as caught:
        read_id(fields)
    assert caught.value.kind == code


@pytest.mark.parametrize("read", [parse, record.parse_fast])
@pytest.mark.parametrize("key", ["_id", "text", "title"])
def test_a_field_given_twice_is_refused(read: Any, key: str) -> None:
    line = f'{{"_id": "1", "text": "a", "title": "b", "{key}": "c"}}'.encode()
    with pytest.raises(ValueError, match=f"the key '{key}' is in one object twice"):
        read(line)


def test_a_text_may_quote_the_name_of_a_field() -> None:
    line = b'{"_id": "1", "text": "the \\"_id\\" of a \\"text\\"", "other": {"b": 1}}'
    assert read_record(line)["text"] == 'the "_id" of a "text"'


def test_a_number_of_many_digits_is_malformed() -> None:
    with pytest.raises(DatasetError, match="a number of 5,000 digits, at most 400 are read"):
        read_record(b'{"_id": ' + b"1" * 5000 + b"}")


def test_records_are_read_many_at_a_time_until_one_is_not_plain(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "1", "text": "a"}\n{"text": "b", "_id": 2}\n', "utf-8")
    assert list(plain_records(path)) == [[{"_id": "1", "text": "a"}, {"_id": 2, "text": "b"}]]
    path.write_text('{"_id": "1", "text": "a", "text": "b"}\n', "utf-8")
    assert list(plain_records(path)) == [None]
