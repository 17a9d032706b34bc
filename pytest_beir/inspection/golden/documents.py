"""A team's documents: JSON Lines, JSON, CSV, or a folder of text files."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.columns import DOCUMENT_COLUMNS, DOCUMENT_NAMES, find_columns
from pytest_beir.inspection.golden.csv_table import read_csv, read_text_file
from pytest_beir.inspection.golden.json_list import read_json_lines, read_json_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_MARKDOWN = (".md", ".markdown")
_HEADING = re.compile(r"\s*#[ \t]+(?P<title>\S[^\n]*?)(?:[ \t]+#+)?[ \t]*(?:\n|$)")
_SHOWN = 10


@dataclass
class Documents:
    """{id: (title, text)} in the order they came, and the fields that were not used."""

    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, fields: dict[str, Any]) -> None:
        """Take one document from {column: value}.

        Raises:
            DatasetError: no id, no text, or an id that was there before.

        """
        columns, unused = find_columns(fields, DOCUMENT_NAMES)
        self.unused.update(dict.fromkeys(unused))
        if "id" not in columns or "text" not in columns:
            missing = "id" if "id" not in columns else "text"
            raise DatasetError(
                f"{place}: no field for the {missing}; documents have {DOCUMENT_COLUMNS}"
            )
        self.put(
            place,
            _identifier(place, columns["id"], fields[columns["id"]]),
            _text(place, "title", fields.get(columns.get("title", ""))),
            _text(place, columns["text"], fields[columns["text"]]),
        )

    def put(self, place: str, identifier: str, title: str, text: str) -> None:
        """Take one document whose parts are known.

        Raises:
            DatasetError: the id was there before, or no line of judgements can hold it.

        """
        if any(sign in identifier for sign in "\t\n\r\0"):
            raise DatasetError(
                f"{place}: the id {identifier!r} holds a tab or a line end, which no qrels can hold"
            )
        try:
            f"{identifier}{title}{text}".encode()
        except UnicodeEncodeError as error:
            raise DatasetError(
                f"{place}: id, title or text of {identifier!r} holds what UTF-8 cannot hold"
                " (half of a surrogate pair, or a file name in another encoding)"
            ) from error
        if identifier in self._places:
            raise DatasetError(
                f"{place}: the document id {identifier!r} stands in {self._places[identifier]} too;"
                " ids are unique, so rename or delete one"
            )
        self._places[identifier] = place
        self.texts[identifier] = (title, text)


def read_documents(path: Path, *, without: Collection[Path] = ()) -> Documents:
    """Give the documents of a file or folder.

    In a folder every file that is not hidden is a document: its id is the path within the folder
    (with `/`, extension included), its text the whole file; a Markdown file's leading `# heading`
    becomes the title. Files in `without` are passed over.

    Raises:
        DatasetError: with the place of what is missing, malformed, repeated or not UTF-8.

    """
    documents = Documents()
    if path.is_dir():
        _read_folder(path, documents, {one.resolve() for one in without})
    else:
        for place, fields in _records(path):
            documents.add(place, fields)
    if not documents.texts:
        raise DatasetError(f"{path}: no documents in it")
    return documents


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if suffix in (".jsonl", ".ndjson"):
        yield from read_json_lines(path)
    elif suffix == ".json":
        for place, value in read_json_list(path, key="documents"):
            if not isinstance(value, dict):
                raise DatasetError(f"{place}: expected an object with {DOCUMENT_COLUMNS}")
            yield place, value
    else:
        table = read_csv(path, lambda header: {"id", "text"} <= set(_found(header)))
        if not {"id", "text"} <= set(_found(list(table.header))):
            there = ", ".join(name for name in table.header if name)
            raise DatasetError(
                f"{path}:{table.header_line}: documents have the columns {DOCUMENT_COLUMNS};"
                f" there are: {there}"
            )
        for line, cells in table.rows:
            yield f"{path}:{line}", dict(cells)


def _found(header: list[str]) -> dict[str, str]:
    return find_columns(header, DOCUMENT_NAMES)[0]


def _read_folder(folder: Path, documents: Documents, without: set[Path]) -> None:
    broken = []
    for path in sorted(_visible_files(folder), key=lambda one: one.relative_to(folder).as_posix()):
        if path.resolve() in without:
            continue
        try:
            text = read_text_file(path)
        except DatasetError as error:
            broken.append(str(error))
            continue
        title, text = _titled(path, text.replace("\r\n", "\n").replace("\r", "\n"))
        documents.put(f"{path}", path.relative_to(folder).as_posix(), title, text)
    if broken:
        more = [f"and {len(broken) - _SHOWN} more files"] if len(broken) > _SHOWN else []
        raise DatasetError("\n".join([*broken[:_SHOWN], *more]))


def _visible_files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(parent, name) for name in files if not name.startswith("."))
        yield from (path for path in paths if path.is_file())


def _titled(path: Path, text: str) -> tuple[str, str]:
    """Take the heading out of the text, where it would count twice."""
    heading = _HEADING.match(text) if path.suffix.lower() in _MARKDOWN else None
    if heading is None:
        return "", text
    return heading["title"], text[heading.end() :].lstrip("\n")


def _identifier(place: str, name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise DatasetError(f'{place}: "{name}" is {value!r}; ids are text or whole numbers')
    if not str(value).strip():
        raise DatasetError(f'{place}: "{name}" is empty; give every document an id of its own')
    return str(value)


def _text(place: str, name: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DatasetError(f'{place}: "{name}" is {type(value).__name__}; it has to be text')
    return value
