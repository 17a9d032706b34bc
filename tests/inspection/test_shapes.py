"""The shapes of the catalogue's datasets."""

from __future__ import annotations

import csv
import json
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.inspection.domains import estimate_subject
from pytest_beir.inspection.shapes import load_shapes
from pytest_beir.inspection.words import asks, code_share

if TYPE_CHECKING:
    from pathlib import Path

SHAPES = {shape.name: shape for shape in load_shapes()}


def test_ms_marco_and_the_eighteen_zero_shot_datasets_have_a_shape() -> None:
    assert set(SHAPES) == {"msmarco", *load_catalog().sets["beir-18"].members}


def test_lengths_and_counts_are_those_of_the_published_facts(shared_data: Path) -> None:
    with (shared_data / "beir_facts.csv").open(encoding="utf-8", newline="") as stream:
        facts = {row["beir_name"]: row for row in csv.DictReader(stream)}
    assert facts.keys() == SHAPES.keys()
    for name, shape in SHAPES.items():
        row = facts[name]
        assert shape.documents == int(row["corpus_docs_exact"])
        assert shape.document_words == float(row["avg_doc_words_paper_recalled"])
        measured = row["rel_per_query_measured"] or row["rel_per_query_readme"]
        assert shape.relevant == pytest.approx(float(measured), abs=0.006)


def test_bm25_is_the_published_score(shared_data: Path) -> None:
    path = shared_data / "published_scores_core.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        published = {
            row["dataset"]: float(row["value"])
            for row in csv.DictReader(stream)
            if row["model"] == "anserini/flat/bm25" and row["metric"] == "nDCG@10"
        }
    forums = [value for name, value in published.items() if name.startswith("cqadupstack-")]
    published["cqadupstack"] = fmean(forums)
    assert len(forums) == 12
    for name, shape in SHAPES.items():
        if name != "msmarco":  # not among them
            assert shape.bm25 == pytest.approx(published[name], abs=5e-5)


@pytest.mark.parametrize("name", ["trec-covid", "webis-touche2020", "fiqa", "scidocs"])
def test_what_was_measured_on_queries_can_be_measured_again(shared_data: Path, name: str) -> None:
    folder = shared_data / "beir-qrels" / name
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {record["_id"]: record["text"] for record in map(json.loads, lines)}
    rows = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    judged = [texts[query] for query in dict.fromkeys(row.split("\t")[0] for row in rows)]
    codes = [share for share in map(code_share, judged) if share is not None]
    shape = SHAPES[name]
    assert shape.asking == pytest.approx(fmean(map(asks, judged)), abs=6e-4)
    assert shape.query_codes == pytest.approx(fmean(codes), abs=6e-4)
    assert shape.domains == pytest.approx(estimate_subject(judged, []).shares, abs=6e-4)
