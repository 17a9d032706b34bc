from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import cache_folder, key_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_default_is_the_platforms_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pytest_beir.datasets.cache.user_cache_path", tmp_path.joinpath)
    assert cache_folder() == tmp_path / "pytest-beir"


def test_a_given_folder_becomes_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder("here") == tmp_path / "here"
    assert cache_folder("~/there") == tmp_path / "home" / "there"


def test_one_file_has_one_key_whatever_the_way_to_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "file").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    keys = {key_of(tmp_path / way) for way in ("a/file", "b/file", "a/../b/file")}
    assert len(keys) == 1
    assert keys != {key_of(tmp_path / "a" / "other")}
