"""A team's documents, from files and folders."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.documents import read_documents

if TYPE_CHECKING:
    from pathlib import Path


def _write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("identifier", ["_id", "id", "doc_id"])
@pytest.mark.parametrize("text", ["text", "body", "content"])
def test_json_lines_name_their_fields_in_several_ways(
    tmp_path: Path, identifier: str, text: str
) -> None:
    record = {identifier: "0001", "title": "T", text: "words", "price": 3}
    documents = read_documents(_write(tmp_path / "docs.jsonl", json.dumps(record)))
    assert documents.texts == {"0001": ("T", "words")}
    assert list(documents.unused) == ["price"]


def test_whole_numbers_are_taken_as_ids_and_null_as_no_text(tmp_path: Path) -> None:
    path = _write(tmp_path / "docs.json", '[{"id": 7, "title": null, "text": null}]')
    assert read_documents(path).texts == {"7": ("", "")}


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path / "docs.jsonl.gz", gzip.compress(b'{"id": "a", "text": "b"}\n'))
    assert read_documents(path).texts == {"a": ("", "b")}


def test_csv_texts_may_be_long_and_hold_line_ends(tmp_path: Path) -> None:
    text = "word, " * 40_000 + "\nend"
    path = _write(tmp_path / "docs.csv", f'id;title;body\na;T;"{text}"\nb;;short\n')
    assert read_documents(path).texts == {"a": ("T", text), "b": ("", "short")}


def test_an_id_in_a_folder_is_the_path_within_it(tmp_path: Path) -> None:
    _write(tmp_path / "docs" / "b" / "two words.txt", "x")
    _write(tmp_path / "docs" / "a.md", "y")
    _write(tmp_path / "docs" / ".hidden" / "c.txt", "z")
    assert list(read_documents(tmp_path / "docs").texts) == ["a.md", "b/two words.txt"]


@pytest.mark.parametrize(
    ("name", "content", "document"),
    [
        ("a.md", "\ufeff# Pumps ##\r\n\r\nThey pump.\r\n", ("Pumps", "They pump.\n")),
        ("a.md", "Intro\n# Pumps\n", ("", "Intro\n# Pumps\n")),
        ("a.md", "#tag\n", ("", "#tag\n")),
        ("a.md", "## Second level\n", ("", "## Second level\n")),
        ("a.md", "# C# in depth", ("C# in depth", "")),
        ("a.txt", "# No Markdown\n", ("", "# No Markdown\n")),
    ],
)
def test_a_markdown_files_first_heading_is_its_title(
    tmp_path: Path, name: str, content: str, document: tuple[str, str]
) -> None:
    _write(tmp_path / "docs" / name, content)
    assert read_documents(tmp_path / "docs").texts == {name: document}


def test_every_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    _write(tmp_path / "docs" / "a.md", b"x\n\xff\xfe")
    _write(tmp_path / "docs" / "b.txt", b"caf\xe9")
    _write(tmp_path / "docs" / "c.txt", "fine")
    with pytest.raises(
        DatasetError,
        match=r"a\.md:2: byte 0xff is not UTF-8[^\n]*\n[^\n]*b\.txt:1: byte 0xe9 is not UTF-8",
    ):
        read_documents(tmp_path / "docs")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("d.jsonl", '{"id": "a"}\n', r"d\.jsonl:1: no field for the text"),
        ("d.jsonl", '{"text": "a"}\n', r"d\.jsonl:1: no field for the id"),
        ("d.jsonl", '{"id": 1.5, "text": "a"}\n', "ids are text or whole numbers"),
        ("d.jsonl", '{"id": " ", "text": "a"}\n', '"id" is empty'),
        ("d.jsonl", '{"id": "a\\tb", "text": "a"}\n', "holds a tab"),
        ("d.jsonl", '{"id": "a", "text": 3}\n', "has to be text"),
        ("d.jsonl", '{"id": "a", "text": "\\udc00"}\n', "surrogate"),
        ("d.jsonl", "{\n", r"d\.jsonl:1: malformed JSON"),
        ("d.jsonl", '{"id": "a", "text": "b"}\n' * 2, r":2: .* 'a' is in .*d\.jsonl:1 too"),
        ("d.csv", "id,title\na,b\n", r"d\.csv:1: documents have the columns"),
        ("d.json", '["a"]', "expected an object"),
        ("d.jsonl", "", "no documents"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        read_documents(_write(tmp_path / name, content))
