"""What the page says of the match, measured again."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.inspection.domains import Subject
from pytest_beir.inspection.likeness import match_datasets
from pytest_beir.inspection.profile import Profile
from pytest_beir.inspection.shapes import load_shapes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "your-own-data.md"


def test_the_table_of_datasets_left_out_is_computed() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([\w-]+) \((\.\d\d)\) \| (yes|no) \|$", text, re.MULTILINE)
    shapes = load_shapes()
    assert [row[0] for row in rows] == [shape.name for shape in shapes]
    entries = load_catalog().entries
    for (name, nearest, distance, is_alike), shape in zip(rows, shapes, strict=True):
        profile = Profile(
            documents=shape.documents,
            queries=300,
            query_words=shape.query_words or 0.0,
            document_words=shape.document_words or 0.0,
            relevant=shape.relevant or 0.0,
            grades=(0, 1, 2) if shape.is_graded else (0, 1),
            asking=shape.asking,
            query_codes=shape.query_codes,
            document_codes=0.0,
            overlap=shape.overlap or 0.0,
            found=0.5,
            bm25=shape.bm25,
            searched=shape.documents,
            subject=Subject(shape.domains),
        )
        other = next(match for match in match_datasets(profile) if match.name != name)
        assert (other.name, f"{other.distance:.2f}") == (nearest, f"0{distance}")
        mine, its = entries[name], entries[nearest]
        assert (mine.task == its.task or mine.domain == its.domain) == (is_alike == "yes")
    right = sum(row[3] == "yes" for row in rows)
    assert f"in common with it in only {right} of {len(rows)} cases" in " ".join(text.split())
