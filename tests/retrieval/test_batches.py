"""Queries in batches."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import UsageError
from pytest_beir.retrieval.batches import batches


def test_batches_hold_every_query_once_in_order() -> None:
    queries = {f"q{one}": str(one) for one in range(7)}
    parts = list(batches(queries, 3))
    assert [len(part) for part in parts] == [3, 3, 1]
    assert [item for part in parts for item in part.items()] == list(queries.items())


def test_no_queries_make_no_batch() -> None:
    assert list(batches({}, 3)) == []


@pytest.mark.parametrize("size", [0, -1])
def test_a_batch_of_nothing_is_refused(size: Any) -> None:
    with pytest.raises(UsageError, match=f"query_batch is {size}"):
        list(batches({"q": ""}, size))
