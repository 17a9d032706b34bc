"""Parquet tables as lines of JSON, so that they pass through the same strict reading."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError, LocatedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BATCH = 4096  # rows in memory at a time


def parquet_lines(path: Path, error: type[LocatedError] = DatasetError) -> Iterator[bytes]:
    """Every row as one line of JSON with a line feed; dates and the like become text.

    Raises:
        LocatedError: of the class `error`: pyarrow is not installed, or the file is not parquet.

    """
    parquet = _pyarrow(path, error)
    try:
        with parquet.ParquetFile(path) as table:
            for batch in table.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str).encode() + b"\n"
    except (ValueError, OSError) as problem:  # what pyarrow's own errors derive from
        first = str(problem).partition("\n")[0]
        raise error(
            f"damaged parquet ({first})", file=path, remedy="fetch the file again"
        ) from problem


def _pyarrow(path: Path, error: type[LocatedError]) -> Any:
    try:
        from pyarrow import parquet
    except ImportError as problem:
        raise error(
            "reading parquet needs pyarrow",
            file=path,
            remedy="pip install 'pytest-beir[parquet]'",
        ) from problem
    return parquet
