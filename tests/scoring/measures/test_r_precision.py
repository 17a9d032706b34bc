"""R-precision: by hand, and as trec_eval computes it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.measures import parse_metric
from pytest_beir.scoring.scorer import score_run


def test_it_looks_at_as_many_documents_as_are_relevant() -> None:
    qrels = {"q": {"a": 1, "b": 2, "c": 1}}
    run = {"q": {"a": 5.0, "x": 4.0, "b": 3.0, "c": 2.0}}
    assert score_run(qrels, run, ["Rprec"]) == {"Rprec": {"q": 2 / 3}}


@pytest.mark.parametrize(("metric", "level"), [("Rprec", 1), ("Rprec(rel=2)", 2)])
def test_it_is_trec_evals(sample: Any, metric: str, level: int) -> None:
    assert sample.ours(metric) == pytest.approx(sample.by_trec_eval("Rprec", level=level), abs=1e-9)


def test_it_has_no_cut_off() -> None:
    with pytest.raises(ScoringError, match="unknown metric 'Rprec@10'"):
        parse_metric("Rprec@10")
