"""The page of metrics: each form has its row, and each worked number is computed."""

from __future__ import annotations

import re
from math import log2
from pathlib import Path

import pytest

from pytest_beir.scoring.measures import MEASURES
from pytest_beir.scoring.scorer import score_run

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "metrics.md").read_text(encoding="utf-8")
NUMBER = r"(\d*\.?\d+)"


def test_every_form_of_every_measure_is_on_the_page() -> None:
    for measure in MEASURES:
        for form in measure.forms:
            plain = form.replace("(rel=2)", "")
            assert f"`{plain}`" in PAGE, form
        if "rel" in measure.takes:
            sentence = PAGE[PAGE.index("`R`, `R_cap`") : PAGE.index("take a level")]
            assert f"`{measure.kind}`" in sentence


def test_the_logarithms_are_right() -> None:
    rows = re.findall(r"^\| (?:1 / )?log2\(r \+ 1\) \| (.*) \|$", PAGE, re.MULTILINE)
    logarithms, discounts = ([float(cell) for cell in row.split(" | ")] for row in rows)
    assert logarithms == [round(log2(rank + 1), 5) for rank in range(1, 11)]
    assert discounts == [round(1 / log2(rank + 1), 5) for rank in range(1, 11)]


def test_every_sum_and_quotient_is_right_as_a_pocket_calculator_gives_it() -> None:
    sums = re.findall(rf"{NUMBER} \+ {NUMBER} \+ {NUMBER} =\s+{NUMBER}", PAGE)
    assert len(sums) == 4
    for *terms, total in sums:
        assert sum(map(float, terms)) == pytest.approx(float(total), abs=1e-9)
    quotients = re.findall(rf"{NUMBER} / {NUMBER} = (?:\*\*)?{NUMBER}", PAGE)
    assert len(quotients) == 5
    for numerator, denominator, quotient in quotients:
        digits = len(quotient.partition(".")[2])
        assert round(float(numerator) / float(denominator), digits) == float(quotient)


@pytest.mark.parametrize(
    ("metric", "qrels", "ranking", "expected"),
    [
        ("nDCG@10", {"a": 1, "b": 1, "c": 1}, "a--b---c--", "**.8194**"),
        ("nDCG@10", {"a": 1, "b": 1, "c": 1}, "ab--c-----", "**.9469**"),
        ("nDCG@10", {"a": 1, "b": 3}, "ab", "**.7967**"),
        ("nDCG(dcg='exp-log2')@10", {"a": 1, "b": 3}, "ab", "**.7098**"),
    ],
)
def test_the_worked_examples_are_what_is_computed(
    metric: str, qrels: dict[str, int], ranking: str, expected: str
) -> None:
    run = {sign if sign != "-" else f"x{rank}": -float(rank) for rank, sign in enumerate(ranking)}
    value = score_run({"q": qrels}, {"q": run}, [metric])[metric]["q"]
    assert f"**{value:.4f}**".replace("0.", ".") == expected
    assert expected in PAGE
