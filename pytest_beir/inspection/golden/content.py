"""A user's file, parsed: rows of a table, records of JSON, JSON Lines or YAML, or plain lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pytest_beir.datasets.record import read_record
from pytest_beir.errors import DatasetError
from pytest_beir.files import yaml_with_lines
from pytest_beir.files.json_file import json_decoder, parse_json
from pytest_beir.files.lines import numbered_lines
from pytest_beir.inspection.golden.csv_table import read_csv, read_text_file
from pytest_beir.inspection.golden.judgement import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

Kind: TypeAlias = Literal["table", "list", "object", "qrels"]
Record: TypeAlias = "dict[str, Any]"

_JSON_LINES = (".jsonl", ".ndjson", ".parquet")
_TREC = re.compile(r"([^\s,;|]+)\s+[^\s,;|]+\s+(\S+)\s+(-?[0-9]+(?:\.[0-9]+)?)")
_YAML = (".yaml", ".yml")
_MOST_ALIASES = 100


@dataclass(frozen=True)
class Content:
    """A parsed file.

    `records` are (place, fields) of a table's rows, of a list's objects, or of the one list of
    objects that an object holds (under `key`). `whole` is the value of a file of JSON or YAML.
    `place` is `file:line` where lines are known, else the file and the item's number.
    """

    path: Path
    kind: Kind
    records: Sequence[tuple[str, Record]]
    whole: Any = None
    key: str | None = None

    @property
    def first(self) -> Record:
        """The first record's fields, or none."""
        return self.records[0][1] if self.records else {}

    def have(self, *names: str) -> bool:
        """Whether there are records, and some record has each of these fields."""
        return bool(self.records) and all(
            any(name in record for _, record in self.records) for name in names
        )


def read_content(path: Path, is_fit: Callable[[list[str]], bool]) -> Content:
    """The content of a file by its ending, `.gz` aside; anything unknown is read as CSV.

    `is_fit` says of a table's header whether it makes sense, which decides between delimiters.

    Raises:
        DatasetError: The file cannot be read or is malformed, with the line.

    """
    suffix = suffix_of(path)
    if suffix in _JSON_LINES:
        return Content(path, "list", list(read_json_lines(path)))
    if suffix == ".json":
        return _from_json(path)
    if suffix in _YAML:
        return _from_yaml(path)
    qrels = _qrels_of_trec(path)
    if qrels:
        return Content(path, "qrels", qrels)
    table = read_csv(path, is_fit)
    return Content(
        path,
        "table",
        [(f"{path}:{line}", dict(cells)) for line, cells in table.rows],
        whole=list(table.header),
    )


def _qrels_of_trec(path: Path) -> list[tuple[str, Record]] | None:
    """The rows of TREC's four columns, if every line has them: ids hold no blanks there."""
    rows = []
    for number, line in enumerate(read_text_file(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _TREC.fullmatch(line.strip())
        if match is None:
            return None
        query, document, grade = match.groups()
        rows.append((f"{path}:{number}", {"query_id": query, "doc_id": document, "rating": grade}))
    return rows


def suffix_of(path: Path) -> str:
    """The ending that says what a file holds, in lower case: `.json` of `a.json.gz`."""
    suffix = path.suffix.lower()
    return path.with_suffix("").suffix.lower() if suffix == ".gz" else suffix


def read_json_lines(path: Path) -> Iterator[tuple[str, Record]]:
    """Yield (`file:line`, object) of a file of JSON Lines.

    Raises:
        DatasetError: A line is not a JSON object.

    """
    for number, line in numbered_lines(path):
        try:
            record = read_record(line)
        except DatasetError as error:
            raise error.at(path, number) from error.__cause__
        yield f"{path}:{number}", record


def _from_json(path: Path) -> Content:
    text = read_text_file(path)
    if text.lstrip().startswith("["):
        items = list(_items(path, text))
        return Content(path, "list", _objects(items), whole=[value for _, value in items])
    try:
        whole = parse_json(text)
    except DatasetError as error:
        cause = error.__cause__
        if isinstance(cause, json.JSONDecodeError) and cause.msg == "Extra data":
            return Content(path, "list", list(read_json_lines(path)))  # under the name of JSON
        raise error.at(path) from cause
    return _of_value(path, whole)


def _from_yaml(path: Path) -> Content:
    try:
        # Every scalar stays text, so that the id 0017 is not taken for a number.
        text = read_text_file(path)
        whole = yaml_with_lines.parse(text, DatasetError, aliases=_MOST_ALIASES, texts=True).value
    except DatasetError as error:
        raise error if error.file else error.at(path) from None
    whole = _with_text_keys(whole, {})
    if isinstance(whole, list):
        items = [(f"{path}: item {number}", value) for number, value in enumerate(whole, 1)]
        return Content(path, "list", _objects(items), whole=whole)
    return _of_value(path, whole)


def _with_text_keys(value: Any, known: dict[int, Any]) -> Any:
    """The value as JSON could hold it: YAML's keys may be lists and mappings.

    `known` keeps what several aliases share as one, so that nothing is multiplied.
    """
    if not isinstance(value, (dict, list)):
        return value
    if id(value) not in known:
        if isinstance(value, dict):
            known[id(value)] = made = {}
            made.update({str(key): _with_text_keys(each, known) for key, each in value.items()})
        else:
            listed: list[Any] = []
            known[id(value)] = listed
            listed.extend(_with_text_keys(each, known) for each in value)
    return known[id(value)]


def _of_value(path: Path, whole: Any) -> Content:
    if not isinstance(whole, dict):
        raise DatasetError(f"{path}: expected a list of objects, or an object")
    lists = [
        key
        for key, value in whole.items()
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
    ]
    if len(lists) != 1:
        return Content(path, "object", (), whole=whole)
    key = lists[0]
    items = [(f'{path}: item {n} of "{key}"', value) for n, value in enumerate(whole[key], 1)]
    return Content(path, "object", items, whole=whole, key=key)


def _objects(items: list[tuple[str, Any]]) -> list[tuple[str, Record]]:
    for place, value in items:
        if not isinstance(value, dict):
            raise DatasetError(
                f"{place}: expected an object with named fields, not {kind_of(value)}"
            )
    return items


def _items(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of a top-level list one by one, so that each one's line is known."""
    decoder = json_decoder()
    position = _after_blanks(text, text.index("[") + 1)
    line, counted = 1, 0
    try:
        if text.startswith("]", position):
            _refuse_more(text, position + 1)
            return
        while True:
            value, end = decoder.raw_decode(text, position)
            line, counted = line + text.count("\n", counted, position), position
            yield f"{path}:{line}", value
            position = _after_blanks(text, end)
            if text.startswith("]", position):
                _refuse_more(text, position + 1)
                return
            if not text.startswith(",", position):
                raise json.JSONDecodeError("expected ',' or ']'", text, position)
            position = _after_blanks(text, position + 1)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{_line(path, error)}: malformed JSON ({error})") from error


def _refuse_more(text: str, position: int) -> None:
    position = _after_blanks(text, position)
    if position < len(text):
        raise json.JSONDecodeError(
            "more follows the list: put everything into one list", text, position
        )


def _after_blanks(text: str, position: int) -> int:
    while text[position : position + 1].isspace():
        position += 1
    return position


def _line(path: Path, error: Exception) -> str:
    return f"{path}:{error.lineno}" if isinstance(error, json.JSONDecodeError) else f"{path}"
