"""What a report's folder is refused for, beside what is edited in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.errors import ReportError
from pytest_beir.stored_results.report_folder import refuse_clashes

DOCS = DatasetIdentity("docs", "test", 9, 4, 4, Fingerprints("queries", "qrels", "corpus"))


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (replace(DOCS, fingerprints=Fingerprints("queries", "qrels", "new")), "corpus"),
        (replace(DOCS, fingerprints=Fingerprints("queries", "new", "new")), "qrels; corpus"),
        (replace(DOCS, split="dev"), "split 'test', 'dev'"),
        (
            replace(DOCS, documents=8, fingerprints=Fingerprints("queries", "qrels", "new")),
            "documents 9, 8; corpus",
        ),
    ],
)
def test_one_name_for_two_datasets_is_refused_with_what_differs(
    other: DatasetIdentity, difference: str
) -> None:
    places = {
        (Path("one"), "bm25", "docs"): DOCS,
        (Path("one"), "dense", "docs"): DOCS,
        (Path("two"), "bm25", "docs"): other,
    }
    with pytest.raises(ReportError) as caught:
        refuse_clashes(places)
    assert str(caught.value) == (
        "two: the docs that bm25 was measured on is not the docs of bm25 in one"
        f" (differing in {difference}): measure all on the same data"
    )


def test_several_datasets_each_of_one_identity_are_let_through() -> None:
    other = replace(DOCS, name="other", documents=8)
    places = {
        (Path("one"), "bm25", "docs"): DOCS,
        (Path("one"), "bm25", "other"): other,
        (Path("two"), "dense", "docs"): DOCS,
    }
    refuse_clashes(places)
    with pytest.raises(ReportError, match="the other that"):
        refuse_clashes({**places, (Path("two"), "dense", "other"): DOCS})
