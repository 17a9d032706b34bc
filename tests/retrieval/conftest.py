"""Small datasets for the tests of retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints

CORPUS = {
    "d1": {"title": "Boilers", "text": "How to bleed a boiler."},
    "d2": {"title": "Gardens", "text": "Bleed the roses of aphids."},
    "d3": {"title": "", "text": ""},
}
QUERIES = {"q1": "boiler", "q2": "roses", "q3": "aphids"}


def make_part(name: str = "toy", **changes: Any) -> Dataset:
    corpus = changes.pop("corpus", CORPUS)
    queries = changes.pop("queries", QUERIES)
    return Dataset(
        name=name,
        split=changes.pop("split", "test"),
        folder=Path("data") / name,
        queries=queries,
        qrels={query: {"d1": 1} for query in queries},
        corpus=corpus,
        fingerprints=Fingerprints("q" * 64, "r" * 64, None if corpus is None else f"{name}-hash"),
        counts=Counts(None if corpus is None else len(corpus), len(queries), len(queries)),
        **changes,
    )


@pytest.fixture(name="make_part")
def make_part_fixture() -> Any:
    """A function that makes a dataset of three queries and three documents."""
    return make_part


@pytest.fixture
def part() -> Dataset:
    return make_part()
