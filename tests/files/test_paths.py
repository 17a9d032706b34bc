"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_beir.errors import UsageError
from pytest_beir.files.paths import user_path, without_home


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("~nosuch-user/x", "no user is called 'nosuch-user'"),
        ("x" * 256, "the path is too long"),
        ("\u00e9" * 128, "the path is too long"),
        ("/".join(["x" * 200] * 30), "the path is too long"),
        ("a\0b", "holds a NUL character"),
    ],
)
def test_a_path_that_no_file_has_is_refused(written: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        user_path(written)


def test_a_path_counts_from_its_base_and_keeps_its_links(tmp_path: Path) -> None:
    assert user_path("a/../b", tmp_path) == tmp_path / "b"
    assert user_path("b") == Path.cwd() / "b"
    assert user_path("~") == Path.home()


def test_the_home_folder_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    assert without_home("/home/ada/x: no; /home/ada2/y") == "~/x: no; /home/ada2/y"
    monkeypatch.setattr(Path, "home", lambda: Path("/"))
    assert without_home("/a/b") == "/a/b"
