"""JSON objects of a user's file one by one, each with the place where it stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_beir.datasets.record import read_record
from pytest_beir.errors import DatasetError
from pytest_beir.files.lines import numbered_lines
from pytest_beir.inspection.golden.csv_table import read_text_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_json_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (`file:line`, object) of a file of JSON Lines.

    Raises:
        DatasetError: a line is no JSON object.

    """
    for number, line in numbered_lines(path):
        try:
            record = read_record(line)
        except DatasetError as error:
            raise error.at(path, number) from error.__cause__
        yield f"{path}:{number}", record


def read_json_list(path: Path, key: str) -> Iterator[tuple[str, Any]]:
    """Yield (place, value) of a JSON list, or of the list that an object holds under `key`.

    Raises:
        DatasetError: the file is not JSON, or neither of the two.

    """
    text = read_text_file(path)
    if text.lstrip().startswith("["):
        yield from _items(path, text)
        return
    try:
        whole = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{_line(path, error)}: malformed JSON ({error})") from error
    listed = whole.get(key) if isinstance(whole, dict) else None
    if not isinstance(listed, list):
        raise DatasetError(f'{path}: expected a list of objects, or an object with a list "{key}"')
    for number, value in enumerate(listed, 1):
        yield f'{path}: item {number} of "{key}"', value


def _items(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of a top-level list one by one, so that each one's line is known."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    position = _after_blanks(text, text.index("[") + 1)
    try:
        if text.startswith("]", position):
            return
        while True:
            value, end = decoder.raw_decode(text, position)
            yield f"{path}:{text.count(chr(10), 0, position) + 1}", value
            position = _after_blanks(text, end)
            if text.startswith("]", position):
                return
            if not text.startswith(",", position):
                raise json.JSONDecodeError("expected ',' or ']'", text, position)
            position = _after_blanks(text, position + 1)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{_line(path, error)}: malformed JSON ({error})") from error


def _after_blanks(text: str, position: int) -> int:
    while text[position : position + 1].isspace():
        position += 1
    return position


def _line(path: Path, error: Exception) -> str:
    return f"{path}:{error.lineno}" if isinstance(error, json.JSONDecodeError) else f"{path}"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
