"""What the page says of the match, measured again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pytest_beir.inspection.shapes import load_shapes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "your-own-data.md"


def test_the_table_of_datasets_left_out_is_computed(match_benchmark: Any) -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([\w-]+) \((\.\d\d)\) \| (yes|no) \|$", text, re.MULTILINE)
    shapes = load_shapes()
    assert [row[0] for row in rows] == [shape.name for shape in shapes]
    for (name, nearest, distance, is_alike), shape in zip(rows, shapes, strict=True):
        other, measured, is_right = match_benchmark.nearest_other(shape)
        assert (name, other, f"{measured:.2f}") == (shape.name, nearest, f"0{distance}")
        assert is_right == (is_alike == "yes")
    right = sum(row[3] == "yes" for row in rows)
    assert f"in common with it in only {right} of {len(rows)} cases" in " ".join(text.split())
