from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.files.lines import numbered_lines

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = b"one\ntwo\n\nfour"
FORMS = {
    "plain": PLAIN,
    "CRLF": PLAIN.replace(b"\n", b"\r\n"),
    "byte order mark": b"\xef\xbb\xbf" + PLAIN,
    "last line feed": PLAIN + b"\n",
}


@pytest.mark.parametrize("content", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("is_packed", [False, True], ids=["as it is", "gzip"])
def test_the_form_of_a_file_changes_none_of_its_lines(
    tmp_path: Path, content: bytes, is_packed: bool
) -> None:
    path = tmp_path / ("a.txt.gz" if is_packed else "a.txt")
    path.write_bytes(gzip.compress(content) if is_packed else content)
    assert list(numbered_lines(path)) == [(1, b"one"), (2, b"two"), (4, b"four")]


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("a\u2028b\x0bc\rd\n".encode())
    assert [line.decode() for _, line in numbered_lines(tmp_path / "a")] == ["a\u2028b\x0bc\rd"]


def test_utf16_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("abc".encode("utf-16"))
    with pytest.raises(DatasetError, match=r"a:1: the file is UTF-16; save it as UTF-8"):
        list(numbered_lines(tmp_path / "a"))


@pytest.mark.parametrize("damage", [slice(None, -9), slice(4, None)], ids=["cut short", "headless"])
def test_a_damaged_gzip_is_named(tmp_path: Path, damage: slice) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(PLAIN * 1000)[damage])
    with pytest.raises(DatasetError, match=r"a\.gz: damaged gzip"):
        list(numbered_lines(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nowhere: cannot be read \(No such file"):
        list(numbered_lines(tmp_path / "nowhere"))
