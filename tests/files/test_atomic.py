"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from pytest_beir.files.atomic import write_texts, written_whole

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file"
    with written_whole(target) as part:
        part.write_text("one")
        assert not target.exists()
    assert target.read_text() == "one"
    with written_whole(target) as part:
        part.write_text("two")
        assert target.read_text() == "one"
    assert target.read_text() == "two"
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_after_an_error_nothing_has_changed(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")

    def write_half() -> None:
        with written_whole(target) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_written_file_is_for_everybody_whom_the_umask_lets_read(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with written_whole(tmp_path / "one") as part:
            part.write_text("one")
        write_texts({tmp_path / "other": "other"})
    finally:
        os.umask(before)
    for name in ("one", "other"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o644


def test_several_texts_replace_their_files_only_once_all_are_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    unwritable = tmp_path / "a" / "below a file"
    with pytest.raises(OSError, match="a"):
        write_texts({tmp_path / "a": "new", unwritable: "text"})
    assert (tmp_path / "a").read_text() == "old"
    write_texts({tmp_path / "a": "\u00e4\n", tmp_path / "deep" / "b": "b"})
    assert (tmp_path / "a").read_bytes() == b"\xc3\xa4\n"
    assert (tmp_path / "deep" / "b").read_text() == "b"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "b", "deep"]
