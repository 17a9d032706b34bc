from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import DatasetError, RunFileError
from pytest_beir.files import lines
from pytest_beir.files.lines import numbered_lines, opened

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


def test_a_gzip_that_unpacks_to_far_more_than_texts_do_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"\n".join([b"x" * 1000] * 100_000)))
    with pytest.raises(RunFileError, match=r"bomb\.gz: unpacks to more than 200 times its size"):
        list(numbered_lines(path, RunFileError))


@pytest.mark.parametrize("name", ["long", "long.gz"])
def test_a_line_that_is_too_long_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LONGEST", 1 << 20)
    path = tmp_path / name
    content = b"short\n" + b"x" * (5 << 20)
    path.write_bytes(gzip.compress(content) if path.suffix else content)
    with pytest.raises(DatasetError, match=r":2: the line is longer than 1,048,576 bytes"):
        list(numbered_lines(path))


@given(st.binary(max_size=300), st.integers(1, 9))
def test_lines_are_those_of_the_file_however_it_is_read(content: bytes, size: int) -> None:
    blocks = (content[start : start + size] for start in range(0, len(content), size))
    found = list(lines._lines(lines._whole_lines(blocks, Path("a"), DatasetError)))
    assert found == list(io.BytesIO(content))


def test_an_error_of_the_caller_stays_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("x\n")
    full = OSError("the disk is full")
    with pytest.raises(OSError, match="the disk is full"), opened(path):
        raise full
