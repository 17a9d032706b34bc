"""The project gates itself: `pytest --beir` compares its BM25 with `baselines/bm25`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir import BM25


@pytest.fixture(scope="session")
def retriever() -> BM25:
    from pytest_beir import BM25

    return BM25()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`pytest --beir` runs the gate alone; `pytest` runs the tests."""
    is_tests = collection_path == config.rootpath / "tests"
    return True if is_tests and config.getoption("beir") else None
