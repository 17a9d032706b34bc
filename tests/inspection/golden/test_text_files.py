"""Files of a folder as documents."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.documents import Selection, read_documents
from pytest_beir.inspection.golden.text_files import NoTextError, read_text

if TYPE_CHECKING:
    from pathlib import Path


def _write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "document"),
    [
        ("---\ntitle: My pump\ntags: [a]\n---\n\nText.\n", ("My pump", "Text.\n")),
        ("---\ntitle: 'Pump'\n---\n# Pump\nText.\n", ("Pump", "Text.\n")),
        ("---\ntitle: Pump\n---\n# Other\nText.\n", ("Pump", "# Other\nText.\n")),
        ("---\ntags: [a]\n---\n# Pump\nText.\n", ("Pump", "Text.\n")),
        ("---\r\ntitle: Pump\r\n---\r\nText.\r\n", ("Pump", "Text.\n")),
        ('+++\ntitle = "Pump"\n+++\nText.\n', ("Pump", "Text.\n")),
        ("---\nA rule.\n\n---\nText.\n", ("", "---\nA rule.\n\n---\nText.\n")),
    ],
)
def test_front_matter_gives_the_title_and_leaves_the_text(
    tmp_path: Path, content: str, document: Any
) -> None:
    assert read_text(_write(tmp_path, "a.md", content)) == document


@pytest.mark.parametrize(
    ("content", "document"),
    [
        ("Pumps\n=====\n\nText.\n", ("Pumps", "Text.\n")),
        ("=====\nPumps\n=====\n\nText.\n", ("Pumps", "Text.\n")),
        ("Text alone.\n", ("", "Text alone.\n")),
    ],
)
def test_restructured_text_has_an_underlined_title(
    tmp_path: Path, content: str, document: Any
) -> None:
    assert read_text(_write(tmp_path, "a.rst", content)) == document


def test_html_is_its_headings_and_text(tmp_path: Path) -> None:
    pytest.importorskip("bs4", reason="needs beautifulsoup4")
    page = (
        "<html><head><title>My  pump</title><style>p {x: y}</style></head><body>"
        "<nav><a>Home</a></nav><h1>Pumps</h1><p>They <b>move</b> water.<br>Fast &amp; far.</p>"
        "<script>alert('no')</script><ul><li>One</li><li>Two</li></ul></body></html>"
    )
    title, text = read_text(_write(tmp_path, "a.html", page))
    assert title == "My pump"
    assert text == "Pumps\nThey move water.\nFast & far.\nOne\nTwo"


def test_a_notebook_is_its_cells_without_outputs(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Pumps\n", "They move water."]},
        {"cell_type": "code", "source": "pump()", "outputs": [{"text": "noise"}]},
    ]
    path = _write(tmp_path, "a.ipynb", json.dumps({"cells": cells}))
    assert read_text(path) == ("Pumps", "They move water.\n\npump()")


def _pdf(text: str, title: str = "") -> bytes:
    """A PDF of one page, by hand."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources 6 0 R >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Font << /F1 5 0 R >> >>",
        f"<< /Title ({title}) >>",
    ]
    content, places = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(content))
        content += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        f"{content}xref\n0 8\n0000000000 65535 f \n{table}"
        "trailer\n<< /Size 8 /Root 1 0 R /Info 7 0 R >>\n"
        f"startxref\n{len(content)}\n%%EOF\n"
    ).encode()


def test_a_pdf_is_the_text_of_its_pages(tmp_path: Path) -> None:
    pytest.importorskip("pypdf", reason="needs pypdf")
    assert read_text(_write(tmp_path, "a.pdf", _pdf("Pumps move water."))) == (
        "",
        "Pumps move water.",
    )
    titled = _write(tmp_path, "titled.pdf", _pdf("They move water.", " Pumps "))
    assert read_text(titled) == ("Pumps", "They move water.")
    with pytest.raises(NoTextError, match="without text"):
        read_text(_write(tmp_path, "b.pdf", _pdf("")))
    with pytest.raises(NoTextError, match="cannot be read"):
        read_text(_write(tmp_path, "c.pdf", b"%PDF-1.4 broken"))


def test_a_missing_library_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str) -> Any:
        raise ImportError(module)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(NoTextError, match=r"pip install 'pytest-beir\[documents\]'"):
        read_text(_write(tmp_path, "a.html", "<p>x</p>"))


def test_files_without_text_are_left_out_and_named(tmp_path: Path) -> None:
    _write(tmp_path, "a.txt", "fine")
    _write(tmp_path, "logo.png", b"\x89PNG")
    _write(tmp_path, "data", b"a\0b")
    documents = read_documents(tmp_path)
    assert list(documents.texts) == ["a.txt"]
    assert documents.skipped == {"data": "binary", "logo.png": "binary"}


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (Selection(include=("*.md",)), ["a.md", "drafts/c.md"]),
        (Selection(exclude=("drafts/*",)), ["a.md", "b.txt"]),
        (Selection(include=("*.md",), exclude=("c.*",)), ["a.md"]),
    ],
)
def test_globs_choose_files_by_name_or_path(
    tmp_path: Path, selection: Selection, names: list[str]
) -> None:
    for name in ("a.md", "b.txt", "drafts/c.md"):
        _write(tmp_path, name, "x")
    assert list(read_documents(tmp_path, selection).texts) == names


def test_a_files_fields_may_be_named(tmp_path: Path) -> None:
    path = _write(tmp_path, "chunks.jsonl", '{"chunk_link": "a", "words": "x", "title": "T"}\n')
    documents = read_documents(path, Selection(id="chunk_link", text="words"))
    assert documents.texts == {"a": ("T", "x")}


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("# a", "a"),
        ("#\ta #", "a"),
        ("# a ##", "a"),
        ("# C#", "C#"),
        ("# #", "#"),
        ("## a", ""),
        ("#a", ""),
        ("# a" + " " * 200_000 + "b", "a" + " " * 200_000 + "b"),
    ],
)
def test_a_heading_is_read_without_its_signs(tmp_path: Path, first: str, title: str) -> None:
    assert read_text(_write(tmp_path, "a.md", f"\n{first}\nbody"))[0] == title


@pytest.mark.parametrize(
    "front",
    ["[" * 100_000, "a: &a [x]\n" + "b: [" + "*a, " * 200 + "]", "title: [" + "x, " * 100 + "]"],
)
def test_a_hostile_front_matter_is_text_or_nothing(tmp_path: Path, front: str) -> None:
    title, _ = read_text(_write(tmp_path, "a.md", f"---\n{front}\n---\nbody"))
    assert title == ""


def test_blanks_before_a_title_take_no_time(tmp_path: Path) -> None:
    text = " " * 200_000 + "x"
    assert read_text(_write(tmp_path, "a.rst", text)) == ("", text)


def test_of_many_files_without_text_ten_are_named(tmp_path: Path) -> None:
    for number in range(12):
        _write(tmp_path, f"{number:02d}.png", b"\x89PNG")
    with pytest.raises(DatasetError, match="no documents in it; left out: 00") as caught:
        read_documents(tmp_path)
    assert str(caught.value).count("(binary)") == 10
