"""Rows of parquet files as lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.files.parquet import parquet_lines

if TYPE_CHECKING:
    from pathlib import Path


def test_every_row_is_a_line_of_json_and_dates_are_text(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    day = pyarrow.array([19_000], pyarrow.date32())
    parquet.write_table(pyarrow.table({"é": [1], "day": day}), tmp_path / "a.parquet")
    (line,) = parquet_lines(tmp_path / "a.parquet")
    assert line.endswith(b"\n")
    assert json.loads(line) == {"é": 1, "day": "2022-01-08"}


def test_a_damaged_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 not")
    with pytest.raises(DatasetError, match="damaged parquet") as caught:
        list(parquet_lines(path))
    assert caught.value.file == path
    assert caught.value.remedy == "fetch the file again"
