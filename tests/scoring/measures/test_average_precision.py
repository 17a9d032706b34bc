"""Average precision: by hand, and as trec_eval computes it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.scoring.scorer import score_run


def test_it_adds_up_the_precision_at_each_relevant_document() -> None:
    qrels = {"q": {"a": 1, "b": 2, "c": 1, "never found": 1, "x": 0}}
    run = {"q": {"a": 5.0, "x": 4.0, "b": 3.0, "y": 2.0, "c": 1.0}}
    scored = score_run(qrels, run, ["AP@3", "AP@10", "AP"])
    assert scored["AP@3"]["q"] == pytest.approx((1 / 1 + 2 / 3) / 4, abs=1e-15)
    assert scored["AP@10"]["q"] == pytest.approx((1 / 1 + 2 / 3 + 3 / 5) / 4, abs=1e-15)
    assert scored["AP"] == scored["AP@10"]


@pytest.mark.parametrize(
    ("metric", "measure", "level"),
    [
        ("AP", "map", 1),
        ("AP@5", "map_cut.5", 1),
        ("AP@100", "map_cut.100", 1),
        ("AP(rel=2)", "map", 2),
        ("AP(rel=3)@10", "map_cut.10", 3),
    ],
)
def test_it_is_trec_evals_map(sample: Any, metric: str, measure: str, level: int) -> None:
    assert sample.ours(metric) == pytest.approx(sample.by_trec_eval(measure, level=level), abs=1e-9)
