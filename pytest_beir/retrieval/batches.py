"""Queries in batches: what progress and resumption count."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pytest_beir.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def batches(queries: Mapping[str, str], size: int) -> Iterator[dict[str, str]]:
    """The queries in their own order, `size` at a time; UsageError if `size` is below 1."""
    if size < 1:
        raise UsageError(f"query_batch is {size}: at least one query must be sent at a time")
    remaining = iter(queries.items())
    while batch := dict(islice(remaining, size)):
        yield batch
