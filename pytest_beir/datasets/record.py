"""One line of a JSON Lines file: parsed strictly, with the reason where it cannot be used."""

from __future__ import annotations

import json
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any, cast

from pytest_beir.errors import DatasetError
from pytest_beir.files.json_file import refuse_constant, unique_keys, whole_number
from pytest_beir.files.lines import opened_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import orjson
except ImportError:  # the extra `fast` is not installed; the standard library reads the same
    orjson = None  # type: ignore[assignment, unused-ignore]

Record = dict[str, Any]


_READ = ("_id", "text", "title", "metadata", "group")  # the fields that anything here reads


def _record_of(pairs: list[tuple[str, Any]]) -> Record:
    made = dict(pairs)
    if len(made) != len(pairs):
        unique_keys([pair for pair in pairs if pair[0] in _READ])
    return made


_DECODER = json.JSONDecoder(
    parse_constant=refuse_constant, parse_int=whole_number, object_pairs_hook=_record_of
)
_SCAN = make_scanner(cast("Any", _DECODER))
_SPACE = " \t\n\r"
_KEYS = tuple(f'"{key}"'.encode() for key in _READ)
_OWN_KEYS = (b'"_id"', b'"text"')
_RARE_KEYS = tuple(key for key in _KEYS if key not in _OWN_KEYS)


def parse(line: bytes) -> Any:
    """The JSON value of one line in UTF-8.

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
    if any(line.count(key) > 1 for key in _KEYS):
        return parse(line)  # orjson takes the last of two values for one key
    try:
        return orjson.loads(line)
    except ValueError:
        return parse(line)


parse_fast = parse if orjson is None else parse_with_orjson


def read_record(line: bytes) -> Record:
    """The JSON object of one line.

    Raises:
        DatasetError: `not-utf-8`, `malformed-json` or `not-an-object`.

    """
    try:
        value = parse_fast(line)
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"byte {error.start + 1} of the line is not UTF-8; save the file as UTF-8",
            kind="not-utf-8",
        ) from error
    except json.JSONDecodeError as error:
        raise DatasetError(
            f"malformed JSON at column {error.colno} ({error.msg}); a line is one JSON object",
            kind="malformed-json",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"malformed JSON ({error})", kind="malformed-json") from error
    if not isinstance(value, dict):
        raise DatasetError(
            f"a {_kind(value)}, not a JSON object; write one object a line", kind="not-an-object"
        )
    return value


def plain_records(file: Path) -> Iterator[list[dict[str, Any]] | None]:
    """The records of many lines at a time by orjson, None at the first that are not plain.

    No line may be blank, and each has one `_id` and one `text`, so that a record's place tells its
    line. What is not plain is left to `read_record`, which says what it is.
    """
    if orjson is None or file.suffix == ".parquet":
        yield None
        return
    with opened_pieces(file) as pieces:
        for piece in pieces:
            lines = piece.removesuffix(b"\n").split(b"\n")
            if any(piece.count(key) != len(lines) for key in _OWN_KEYS) or any(
                line.count(key) > 1 for key in _RARE_KEYS if key in piece for line in lines
            ):
                yield None
                return
            try:
                records = list(map(orjson.loads, lines))
            except ValueError:
                yield None
                return
            yield records if {*map(type, records)} == {dict} else None


def read_id(record: Record) -> str:
    """The record's `_id`.

    Raises:
        DatasetError: it is missing, no text, empty, or holds what no line of qrels can hold.

    """
    if "_id" not in record:
        near = next((name for name in ("id", "docid", "doc_id", "query_id") if name in record), "")
        hint = f'; rename its field "{near}"' if near else ""
        raise DatasetError(f'the record has no field "_id"{hint}', kind="missing-field")
    value = record["_id"]
    if not isinstance(value, str):
        quoted = json.dumps(str(value), ensure_ascii=False)
        raise DatasetError(
            f'"_id" is a {_kind(value)} ({value}); ids are text: write "_id": {quoted}',
            kind="wrong-type",
        )
    if not value:
        raise DatasetError('"_id" is empty; give every record an id of its own', kind="empty-id")
    if any(sign in value for sign in "\t\n\r\0"):
        raise DatasetError(
            f"the id {value!r} holds a tab or a line end, which no qrels can hold",
            kind="malformed-id",
        )
    return _encodable(value, "_id")


def read_text(record: Record, name: str, *, default: str | None = None) -> str:
    """A field of text; `default`, if given, stands for a missing or null one.

    Raises:
        DatasetError: it is missing or no text.

    """
    value = record.get(name)
    if value is None and default is not None:
        return default
    if name not in record:
        raise DatasetError(f'the record has no field "{name}"', kind="missing-field")
    if not isinstance(value, str):
        raise DatasetError(f'"{name}" is a {_kind(value)}; it has to be text', kind="wrong-type")
    return _encodable(value, name)


def _encodable(value: str, name: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise DatasetError(
            f'"{name}" holds half of a surrogate pair; write the character itself',
            kind="malformed-json",
        ) from error
    return value


def _kind(value: object) -> str:
    names = {bool: "boolean", int: "number", float: "number", list: "list", dict: "JSON object"}
    return "null" if value is None else names.get(type(value), "text")
