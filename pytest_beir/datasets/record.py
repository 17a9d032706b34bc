"""One line of a JSON Lines file: parsed strictly, with the reason where it cannot be used."""

from __future__ import annotations

import json
from json.scanner import make_scanner
from typing import Any, NoReturn, cast

try:
    import orjson
except ImportError:  # the extra `fast` is not installed; the standard library reads the same
    orjson = None  # type: ignore[assignment, unused-ignore]

Record = dict[str, Any]


class RecordError(Exception):
    """A line that is no usable record: `code` for machines, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_SCAN = make_scanner(cast("Any", _DECODER))
_SPACE = " \t\n\r"


def parse(line: bytes) -> Any:
    """Give the JSON value of one line in UTF-8.

    Raises:
        ValueError: it is not UTF-8 or not JSON.
        RecursionError: it is nested too deeply.

    """
    text = line.decode()
    try:
        value, end = _SCAN(text, 0)  # what json.loads does, without its checks of the argument
    except StopIteration:
        return _DECODER.decode(text)
    return _DECODER.decode(text) if text[end:].strip(_SPACE) else value


def parse_with_orjson(line: bytes) -> Any:
    """Do the same faster; what orjson refuses, the standard library judges."""
    try:
        return orjson.loads(line)
    except ValueError:
        return parse(line)


parse_fast = parse if orjson is None else parse_with_orjson


def read_record(line: bytes) -> Record:
    """Give the JSON object of one line.

    Raises:
        RecordError: `not-utf-8`, `malformed-json` or `not-an-object`.

    """
    try:
        value = parse_fast(line)
    except UnicodeDecodeError as error:
        raise RecordError(
            "not-utf-8", f"byte {error.start + 1} of the line is not UTF-8; save the file as UTF-8"
        ) from error
    except json.JSONDecodeError as error:
        raise RecordError(
            "malformed-json",
            f"malformed JSON at column {error.colno} ({error.msg}); a line is one JSON object",
        ) from error
    except (ValueError, RecursionError) as error:
        raise RecordError("malformed-json", f"malformed JSON ({error})") from error
    if not isinstance(value, dict):
        raise RecordError(
            "not-an-object", f"a {_kind(value)}, not a JSON object; write one object a line"
        )
    return value


def read_id(record: Record) -> str:
    """Give the record's `_id`.

    Raises:
        RecordError: it is missing, no text, empty, or holds what no line of qrels can hold.

    """
    if "_id" not in record:
        near = next((name for name in ("id", "docid", "doc_id", "query_id") if name in record), "")
        hint = f'; rename its field "{near}"' if near else ""
        raise RecordError("missing-field", f'the record has no field "_id"{hint}')
    value = record["_id"]
    if not isinstance(value, str):
        quoted = json.dumps(str(value), ensure_ascii=False)
        raise RecordError(
            "wrong-type",
            f'"_id" is a {_kind(value)} ({value}); ids are text: write "_id": {quoted}',
        )
    if not value:
        raise RecordError("empty-id", '"_id" is empty; give every record an id of its own')
    if any(sign in value for sign in "\t\n\r\0"):
        raise RecordError(
            "malformed-id", f"the id {value!r} holds a tab or a line end, which no qrels can hold"
        )
    return _encodable(value, "_id")


def read_text(record: Record, name: str, *, default: str | None = None) -> str:
    """Give a field of text; `default`, if given, stands for a missing or null one.

    Raises:
        RecordError: it is missing or no text.

    """
    value = record.get(name)
    if value is None and default is not None:
        return default
    if name not in record:
        raise RecordError("missing-field", f'the record has no field "{name}"')
    if not isinstance(value, str):
        raise RecordError("wrong-type", f'"{name}" is a {_kind(value)}; it has to be text')
    return _encodable(value, name)


def _encodable(value: str, name: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise RecordError(
            "malformed-json", f'"{name}" holds half of a surrogate pair; write the character itself'
        ) from error
    return value


def _kind(value: object) -> str:
    names = {bool: "boolean", int: "number", float: "number", list: "list", dict: "JSON object"}
    return "null" if value is None else names.get(type(value), "text")
