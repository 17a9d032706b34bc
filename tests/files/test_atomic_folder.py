"""A folder is replaced as one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from pytest_beir.files import atomic_folder as module
from pytest_beir.files.atomic_folder import atomic_folder

if TYPE_CHECKING:
    from pathlib import Path


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


Killed = Callable[[Callable[[], object]], Iterator[int]]

OLD = {"a": "old", "deep/b": "old", "theirs": "kept"}
NEW = {"a": "new", "deep/b": "new", "theirs": "kept"}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text)


def rewrite(folder: Path) -> None:
    with atomic_folder(folder) as part:
        write(part, dict.fromkeys(("a", "deep/b"), "new"))


@pytest.mark.parametrize("in_one_step", [True, False])
def test_a_folder_is_replaced_and_keeps_what_nobody_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_one_step: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr(module, "_swapped", lambda *_: False)
    folder = tmp_path / "folder"
    write(folder, OLD)
    rewrite(folder)
    assert content(folder) == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_after_an_error_the_folder_is_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write(folder, OLD)

    def write_half() -> None:
        with atomic_folder(folder) as part:
            write(part, {"a": "half"})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert content(folder) == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_killed_at_any_step_it_is_the_old_folder_or_the_new_one(
    tmp_path: Path, killed_at_every_step: Killed
) -> None:
    folder = tmp_path / "folder"
    write(folder, OLD)
    if not module._swapped(tmp_path, tmp_path):
        pytest.skip("the system cannot exchange two folders in one step")
    seen = set()
    for step in killed_at_every_step(lambda: rewrite(folder)):
        assert content(folder) in (OLD, NEW), step
        seen.add(content(folder) == NEW)
        rewrite(folder)
        assert [path.name for path in tmp_path.iterdir()] == ["folder"], step
        write(folder, OLD)
    assert seen == {False, True}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux names this system call so")
def test_two_folders_change_places_in_one_step(tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path / name, {"file": name})
    assert module._swapped(tmp_path / "a", tmp_path / "b")
    assert (content(tmp_path / "a"), content(tmp_path / "b")) == ({"file": "b"}, {"file": "a"})
    assert not module._swapped(tmp_path / "a", tmp_path / "missing")
