"""Only ordinary files of a sane size are read."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ReportError
from pytest_beir.files.content import read_bytes, read_text
from pytest_beir.files.lines import numbered_lines

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and devices with names")
@pytest.mark.parametrize("read", [read_bytes, lambda *args: list(numbered_lines(*args))])
def test_what_is_not_an_ordinary_file_is_refused_at_once(
    read: Callable[..., object], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, kind in [(pipe, "pipe"), (Path("/dev/zero"), "device"), (tmp_path, "folder")]:
        with pytest.raises(ReportError, match=f"is a {kind}, not a file"):
            read(path, ReportError)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", r"nowhere: cannot be read \(No such file"),
        ("a" * 300, r"cannot be read \(File name too long"),
        ("a\0b", "cannot hold a NUL character"),
    ],
)
def test_a_path_that_leads_nowhere_is_one_error(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=words):
        read_bytes(tmp_path / name, ReportError)


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 11)
    assert read_bytes(path, largest=11) == b"x" * 11
    with pytest.raises(ReportError, match="is larger than 10 bytes"):
        read_bytes(path, ReportError, largest=10)


def test_what_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfa\n\xff")
    with pytest.raises(ReportError, match=r"text:2: byte 0xff is not UTF-8; save the file"):
        read_text(path, ReportError)
    path.write_bytes(b"\xef\xbb\xbfa\n")
    assert read_text(path) == "a\n"
