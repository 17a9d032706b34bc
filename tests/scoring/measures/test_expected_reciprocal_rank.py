"""ERR: by hand, by its definition as a sum over where the reader stops, and as TREC's gdeval."""

from __future__ import annotations

import shutil
from math import prod
from typing import Any

import pytest

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.ranking import order
from pytest_beir.scoring.scorer import score_run


def test_a_reader_stops_with_the_probability_of_the_grade() -> None:
    qrels, run = {"q": {"a": 4, "b": 1}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    # Stops at rank 2 with 15/16, else at rank 3 with 1/16.
    expected = 15 / 16 / 2 + (1 / 16) * (1 / 16) / 3
    assert score_run(qrels, run, ["ERR@10"])["ERR@10"]["q"] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("cutoff", [1, 5, 20])
def test_it_is_the_expectation_over_where_the_reader_stops(sample: Any, cutoff: int) -> None:
    expected = {}
    for query, judged in sample.qrels.items():
        ranking = order(sample.run[query], depth=cutoff)
        stops = [(2 ** max(0, judged.get(document, 0)) - 1) / 16 for document in ranking]
        expected[query] = sum(
            stop / rank * prod(1 - before for before in stops[: rank - 1])
            for rank, stop in enumerate(stops, 1)
        )
    assert sample.ours(f"ERR@{cutoff}") == pytest.approx(expected, abs=1e-9)


@pytest.mark.skipif(shutil.which("perl") is None, reason="needs perl, which gdeval runs on")
@pytest.mark.filterwarnings("ignore:.*Python 3[.]14:DeprecationWarning")  # of ir_measures
def test_it_is_gdevals_to_the_five_digits_that_it_prints(sample: Any) -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures")
    ours = sample.ours("ERR@10")
    # gdeval reads numbers as query ids, and passes over a query without an answer.
    qrels = {query[1:]: of for query, of in sample.qrels.items() if sample.run[query]}
    run = {query: sample.run[f"q{query}"] for query in qrels}
    provider = ir_measures.gdeval
    found = list(provider.iter_calc([ir_measures.parse_measure("ERR@10")], qrels, run))
    assert len(found) == len(qrels)
    for one in found:
        assert ours[f"q{one.query_id}"] == pytest.approx(one.value, abs=6e-6)


def test_a_grade_beyond_the_scale_is_an_error() -> None:
    with pytest.raises(ScoringError, match=r"grades from 0 to 4, and there is one of 5"):
        score_run({"q": {"a": 5}}, {"q": {"b": 1.0}}, ["ERR@10"])
