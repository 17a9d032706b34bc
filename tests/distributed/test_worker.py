"""The one retriever that a worker's process holds."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from pytest_beir.distributed import worker
from pytest_beir.distributed.shard import Shard, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CLOSED: list[str] = []


class Kept:
    """Says when it is closed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def index(self, corpus: object) -> None:
        """Nothing to do."""

    def search(self, queries: dict[str, str], top_k: int) -> dict[str, dict[str, float]]:
        return {key: {"d": float(top_k)} for key in queries}

    def close(self) -> None:
        CLOSED.append(self.name)


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    CLOSED.clear()
    yield
    worker.close_retriever()


def test_another_retriever_takes_the_place_of_the_one_before_which_is_closed() -> None:
    lines = b'{"_id": "d", "text": "a"}\n'
    shard = Shard(
        "made", "test", 0, 1, 0, 1, None, 0, len(lines), len(lines), digest_of(lines), "f"
    )
    first, second = pickle.dumps(Kept("first")), pickle.dumps(Kept("second"))

    def answered(retriever: bytes) -> list[str]:
        found = worker.search(retriever, shard, lines, "", {"q": "why"}, 10, None)
        assert isinstance(found, dict)
        return list(found)

    assert answered(first) == answered(first) == ["q"]
    assert CLOSED == []
    assert answered(second) == ["q"]
    assert CLOSED == ["first"]
    worker.close_retriever()
    assert CLOSED == ["first", "second"]
    worker.close_retriever()
    assert CLOSED == ["first", "second"]
