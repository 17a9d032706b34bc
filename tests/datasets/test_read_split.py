"""How a folder differs from what the catalogue says of the dataset."""

from __future__ import annotations

import pytest

from pytest_beir.datasets.read_split import Expected, _differences


def expected(split: str | None, queries: int | None, documents: int | None) -> Expected:
    return Expected(documents=documents, queries=queries, split=split)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (None, []),
        (expected(None, None, None), []),
        (expected("test", 300, 5183), []),
        (expected("dev", 300, 5183), ["split test instead of dev"]),
        # Another split has another number of queries; that alone is told.
        (expected("dev", 30, 5183), ["split test instead of dev"]),
        (expected(None, 1300, None), ["300 judged queries instead of 1,300"]),
        (expected("test", 300, 5184), ["5,183 documents instead of 5,184"]),
        (
            expected("test", 299, 5182),
            ["300 judged queries instead of 299", "5,183 documents instead of 5,182"],
        ),
    ],
)
def test_every_difference_is_told(known: Expected | None, told: list[str]) -> None:
    assert list(_differences(known, "test", 300, 5183)) == told


def test_without_a_corpus_its_size_is_no_difference() -> None:
    assert list(_differences(expected("test", 300, 5183), "test", 300, None)) == []
