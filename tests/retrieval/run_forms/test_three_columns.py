"""MS MARCO's three columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_files import RunFiles, read_run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("sign", ["\t", " "])
def test_a_rank_becomes_its_negative_as_score(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "run.tsv"
    path.write_text("1 d7 1\n1 d3 2\n2 d9 1\n".replace(" ", sign), "utf-8")
    assert read_run(path) == {"1": {"d7": -1.0, "d3": -2.0}, "2": {"d9": -1.0}}


def test_only_the_best_of_the_asked_queries_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("1\td7\t1\n1\td3\t2\n2\td9\t1\n", "utf-8")
    assert RunFiles(tmp_path / "x.tsv").load("x", ["1"], 1) == {"1": {"d7": -1.0}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\td7\t1\n1\td3\n", r":2: expected the three columns"),
        ("1\td7\t1\n1\td7\t2\n", r":2: query '1' has document 'd7' a second time"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "run.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(RunFileError, match=message):
        read_run(path)
