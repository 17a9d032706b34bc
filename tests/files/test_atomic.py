"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_beir.files.atomic import (
    UNFINISHED,
    atomic_file,
    is_dead,
    parts_of,
    write_atomically,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file"
    with atomic_file(target) as part:
        part.write_text("one")
        assert not target.exists()
    assert target.read_text() == "one"
    with atomic_file(target) as part:
        part.write_text("two")
        assert target.read_text() == "one"
    assert target.read_text() == "two"
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_after_an_error_nothing_has_changed(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")

    def write_half() -> None:
        with atomic_file(target) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_written_file_is_for_everybody_whom_the_umask_lets_read(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with atomic_file(tmp_path / "one") as part:
            part.write_text("one")
        write_atomically({tmp_path / "other": "other"})
    finally:
        os.umask(before)
    for name in ("one", "other"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o644


def test_several_texts_replace_their_files_only_once_all_are_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    unwritable = tmp_path / "a" / "below a file"
    with pytest.raises(OSError, match="a"):
        write_atomically({tmp_path / "a": "new", unwritable: "text"})
    assert (tmp_path / "a").read_text() == "old"
    write_atomically({tmp_path / "a": "\u00e4\n", tmp_path / "deep" / "b": "b"})
    assert (tmp_path / "a").read_bytes() == b"\xc3\xa4\n"
    assert (tmp_path / "deep" / "b").read_text() == "b"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "b", "deep"]


def test_what_is_being_written_is_unknown_to_git(tmp_path: Path) -> None:
    with atomic_file(tmp_path / "file") as part:
        assert part.parent == tmp_path / UNFINISHED
        assert (part.parent / ".gitignore").read_text() == "*\n"


def test_what_a_killed_process_left_is_removed_and_what_is_being_written_is_not(
    tmp_path: Path,
) -> None:
    target = tmp_path / "file"
    killed = subprocess.run(
        [sys.executable, "-c", _KILLED, str(target)],
        check=False,
    )
    assert killed.returncode != 0
    left = parts_of(target)
    assert len(left) == 1
    assert is_dead(left[0])
    with atomic_file(target) as first, atomic_file(target) as second:
        assert sorted([first, second]) == parts_of(target)
        assert not is_dead(first)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.write_text("old")
    private.chmod(0o600)
    write_atomically({private: "new"})
    with atomic_file(tmp_path / "copy", copy_of=private) as part:
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
    for path in (private, tmp_path / "copy"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


_KILLED = """
import os, signal, sys
from pathlib import Path
from pytest_beir.files.atomic import atomic_file
with atomic_file(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_folder_that_another_process_removes_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.open
    refused: list[str] = []

    def open_late(path: str, flags: int, mode: int = 0o777) -> int:
        if len(refused) < 3 and "a.txt." in os.fspath(path):
            refused.append(path)
            raise FileNotFoundError(path)
        return really(path, flags, mode)

    monkeypatch.setattr(os, "open", open_late)
    write_atomically({tmp_path / "a.txt": "whole"})
    assert (tmp_path / "a.txt").read_text() == "whole"
    assert len(refused) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_that_is_always_removed_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FileNotFoundError):
        write_atomically({tmp_path / "a.txt": "whole"})
    assert not (tmp_path / "a.txt").exists()
