"""A team's documents: JSON Lines, JSON, CSV, or a folder of files with text."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.content import read_content, read_json_lines, suffix_of
from pytest_beir.inspection.golden.fields import DOCUMENT_COLUMNS, DOCUMENT_NAMES, plain, ranked
from pytest_beir.inspection.golden.text_files import NoTextError, read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_SHOWN = 10


@dataclass(frozen=True)
class Selection:
    """Which documents are read, and how a record's fields are called.

    `include` and `exclude` are globs: without a `/` they match a file's name, else its path in
    the folder, where `*` matches any text. `id` and `text` are fields that the user named.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    id: str | None = None
    text: str | None = None

    def takes(self, path: str) -> bool:
        """Whether a file of this path within its folder is wanted."""
        wanted = not self.include or any(_matches(path, glob) for glob in self.include)
        return wanted and not any(_matches(path, glob) for glob in self.exclude)


@dataclass
class Documents:
    """{id: (title, text)} in the order they came, and what was not used.

    `unused` are fields, `skipped` files of a folder that hold no text, each with its reason.
    """

    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)

    def add(self, place: str, fields: Mapping[str, Any], selection: Selection) -> None:
        """Take one document from {column: value}.

        Raises:
            DatasetError: There is no id or no text, or the id was there before.

        """
        columns = _columns(fields, selection)
        self.unused.update(dict.fromkeys(name for name in fields if name not in columns.values()))
        if "id" not in columns or "text" not in columns:
            missing = "id" if "id" not in columns else "text"
            raise DatasetError(
                f"{place}: no field for the {missing}; there are: {', '.join(fields)}. Documents"
                f" have {DOCUMENT_COLUMNS}; name another with --{missing}-column"
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
            DatasetError: The id was there before, or no line of judgements can hold it.

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
                f"{place}: the document id {identifier!r} is in {self._places[identifier]} too;"
                " ids are unique, so rename or delete one"
            )
        self._places[identifier] = place
        self.texts[identifier] = (title, text)


def read_documents(
    path: Path, selection: Selection | None = None, *, without: Collection[Path] = ()
) -> Documents:
    """The documents of a file or folder.

    In a folder every file that is not hidden is a document: its id is the path within the folder
    (with `/`, extension included). Files in `without` are passed over.

    Raises:
        DatasetError: With the place of what is missing, malformed, repeated or not UTF-8.

    """
    documents = Documents()
    selection = selection or Selection()
    if path.is_dir():
        _read_folder(path, documents, selection, {one.resolve() for one in without})
    else:
        for place, fields in _records(path, selection):
            documents.add(place, fields, selection)
    if not documents.texts:
        skipped = [f"{name} ({why})" for name, why in list(documents.skipped.items())[:_SHOWN]]
        left_out = f"; left out: {', '.join(skipped)}" if skipped else ""
        raise DatasetError(f"{path}: no documents in it{left_out}")
    return documents


def _columns(names: Iterable[str], selection: Selection) -> dict[str, str]:
    """{what it holds: the field's name}; of several, the clearest name."""
    listed = list(names)
    columns = {}
    for noun, tiers in DOCUMENT_NAMES.items():
        given = {"id": selection.id, "text": selection.text}.get(noun)
        found = (
            [name for name in listed if plain(name) == plain(given)]
            if given
            else [name for _, name in ranked(listed, tiers)]
        )
        if found:
            columns[noun] = found[0]
    return columns


def _records(path: Path, selection: Selection) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if suffix_of(path) in (".jsonl", ".ndjson", ".parquet"):
        yield from read_json_lines(path)
        return
    content = read_content(path, lambda header: {"id", "text"} <= set(_columns(header, selection)))
    if content.kind == "table" and not {"id", "text"} <= {*_columns(content.whole, selection)}:
        there = ", ".join(name for name in content.whole if name)
        raise DatasetError(
            f"{path}:1: documents have the columns {DOCUMENT_COLUMNS}; there are: {there}. Name"
            " others with --id-column and --text-column"
        )
    if content.kind == "object" and not content.records:
        for identifier, value in content.whole.items():
            place = f"{path}: {identifier!r}"
            if isinstance(value, dict):
                yield place, {"_id": identifier, **value}
            else:
                yield place, {"_id": identifier, "text": value}
        return
    yield from content.records


def _read_folder(
    folder: Path, documents: Documents, selection: Selection, without: set[Path]
) -> None:
    broken = []
    for path in sorted(_visible_files(folder), key=lambda one: one.relative_to(folder).as_posix()):
        name = path.relative_to(folder).as_posix()
        if path.resolve() in without or not selection.takes(name):
            continue
        try:
            title, text = read_text(path)
        except NoTextError as error:
            documents.skipped[name] = str(error)
            continue
        except DatasetError as error:
            broken.append(str(error))
            continue
        documents.put(f"{path}", name, title, text)
    if broken:
        more = [f"and {len(broken) - _SHOWN} more files"] if len(broken) > _SHOWN else []
        advice = "convert them, or leave them out with --exclude"
        raise DatasetError("\n".join([*broken[:_SHOWN], *more, advice]))


def _visible_files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = (Path(parent, name) for name in files if not name.startswith("."))
        yield from (path for path in paths if path.is_file())


def _matches(path: str, glob: str) -> bool:
    return fnmatchcase(path if "/" in glob else path.rpartition("/")[2], glob)


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
