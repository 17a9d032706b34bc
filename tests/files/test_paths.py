"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_beir.errors import UsageError
from pytest_beir.files.paths import user_path


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
