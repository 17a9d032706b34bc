"""The shape of a dataset, on one small enough to count by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import DatasetError
from pytest_beir.inspection.profile import _overlap, profile_dataset

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = {
    "a": ("Pump E17", "Replace the valve of the pump"),
    "b": ("", "The patient lies asleep"),
    "c": ("", "Valves and tubes"),
    "d": ("", "Something else entirely"),
}
QUERIES = {
    "1": "replace pump E17 today",  # three of its four content words stand in a, none in b
    "2": "why does the patient sleep?",  # one of two content words stands in b
    "3": "not judged at all",
}
QRELS = {"1": {"a": 2, "b": 1, "d": 0}, "2": {"b": 1}}


def _write(folder: Path, *, corpus: bool = True) -> Path:
    (folder / "qrels").mkdir(parents=True)
    if corpus:
        lines = [{"_id": key, "title": t, "text": x} for key, (t, x) in DOCUMENTS.items()]
        (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    lines = [{"_id": query, "text": text} for query, text in QUERIES.items()]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    rows = [f"{q}\t{d}\t{grade}" for q, judged in QRELS.items() for d, grade in judged.items()]
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows), encoding="utf-8")
    return folder


def test_a_shape_can_be_counted_by_hand(tmp_path: Path) -> None:
    folder = _write(tmp_path / "mine")
    profile = profile_dataset(load_dataset(folder, cache_dir=tmp_path / "cache"))
    assert (profile.documents, profile.queries, profile.searched) == (4, 2, 4)
    assert profile.query_words == pytest.approx((4 + 5) / 2)
    assert profile.document_words == pytest.approx((8 + 4 + 3 + 3) / 4)
    assert profile.relevant == pytest.approx((2 + 1) / 2)
    assert profile.grades == (0, 1, 2)
    assert profile.asking == pytest.approx(1 / 2)
    assert profile.query_codes == pytest.approx((1 / 4 + 0) / 2)
    # "Pump E17 Replace valve pump" has one code in five; the others have none.
    assert profile.document_codes == pytest.approx((1 / 5 + 0 + 0 + 0) / 4)
    assert profile.overlap == pytest.approx(((3 / 4 + 0) / 2 + 1 / 2) / 2)
    assert profile.found == 1.0


def test_what_bm25_reaches_is_scored_on_the_judged_queries(tmp_path: Path) -> None:
    folder = _write(tmp_path / "mine")
    profile = profile_dataset(load_dataset(folder, cache_dir=tmp_path / "cache"))
    # Query 1: a (grade 2) first, then the rest without a word of it by descending id: d, c, b
    # (grade 1 at rank 4): (2 + 1/log2 5) / (2 + 1/log2 3). Query 2: b first, 1.
    first = (2 + 1 / 2.321928094887362) / (2 + 1 / 1.584962500721156)
    assert profile.bm25 == pytest.approx((first + 1) / 2)


def test_without_a_corpus_there_is_no_shape(tmp_path: Path) -> None:
    folder = _write(tmp_path / "mine", corpus=False)
    with pytest.raises(DatasetError, match=r"mine: no corpus\.jsonl"):
        profile_dataset(load_dataset(folder, cache_dir=tmp_path / "cache"))


def test_a_query_that_is_a_document_does_not_find_itself(tmp_path: Path) -> None:
    folder = tmp_path / "forum"
    (folder / "qrels").mkdir(parents=True)
    posts = {f"p{n}": f"post number {n} asks about word{n}" for n in range(12)}
    lines = [json.dumps({"_id": key, "text": text}) for key, text in posts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("p0\tp0\t1\n", encoding="utf-8")
    found = [
        profile_dataset(
            load_dataset(folder, drop_identical_ids=drop, cache_dir=tmp_path / "cache")
        ).found
        for drop in (False, True)
    ]
    assert found == [1.0, 0.0]


def test_lengths_and_relevant_documents_of_scifact_are_the_published_ones(
    shared_data: Path, tmp_path: Path
) -> None:
    profile = profile_dataset(load_dataset(shared_data / "beir" / "scifact", cache_dir=tmp_path))
    assert profile.query_words == pytest.approx(12.51, abs=0.006)
    assert profile.document_words == pytest.approx(213.63, rel=0.01)
    assert profile.relevant == pytest.approx(1.13, abs=0.006)
    assert profile.grades == (1,)


def test_at_most_twenty_relevant_documents_of_a_query_are_read(tmp_path: Path) -> None:
    looked: list[str] = []

    class Counted(dict[str, "dict[str, str]"]):
        def __getitem__(self, name: str) -> dict[str, str]:
            looked.append(name)
            return super().__getitem__(name)

    names = [f"d{number:02d}" for number in range(45)]
    documents = Counted({name: {"title": "", "text": "pumps"} for name in names})
    dataset = load_dataset(_write(tmp_path / "mine"), cache_dir=tmp_path / "cache")
    dataset = replace(dataset, queries={"q": "pumps"}, qrels={"q": dict.fromkeys(names, 1)})
    assert _overlap(dataset, ["q"], documents) == 1.0
    assert len({*looked}) == len(looked) == 20
