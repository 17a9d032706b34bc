"""Parquet tables as lines of JSON, so that they pass through the same strict reading."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BATCH = 4096  # rows in memory at a time


def parquet_lines(path: Path) -> Iterator[bytes]:
    """Yield every row as one line of JSON with a line feed; dates and the like become text.

    Raises:
        DatasetError: pyarrow is not installed, or the file is no parquet.

    """
    parquet = _pyarrow(path)
    try:
        with parquet.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n"
    except ValueError as error:  # what pyarrow's own errors derive from
        raise DatasetError(f"{path}: damaged parquet ({error}); fetch the file again") from error


def _pyarrow(path: Path) -> Any:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise DatasetError(
            f"{path}: reading parquet needs pyarrow; pip install 'pytest-beir[parquet]'"
        ) from error
    return parquet
