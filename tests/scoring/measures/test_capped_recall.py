"""Capped recall: by hand, and from trec_eval's counts."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.scoring.scorer import score_run


def test_it_divides_by_what_the_cut_off_can_hold() -> None:
    qrels = {"q": {"a": 1, "b": 2, "c": 1}}
    run = {"q": {"a": 5.0, "x": 4.0, "b": 3.0, "c": 2.0}}
    assert score_run(qrels, run, ["R_cap@2", "R_cap@100", "R@2"]) == {
        "R_cap@2": {"q": 1 / 2},
        "R_cap@100": {"q": 1.0},
        "R@2": {"q": 1 / 3},
    }


@pytest.mark.parametrize("cutoff", [1, 5, 10, 100])
def test_it_is_trec_evals_precision_over_the_smaller_of_cut_off_and_relevant(
    sample: Any, cutoff: int
) -> None:
    found = sample.by_trec_eval(f"P.{cutoff}")
    relevant = {query: sum(g > 0 for g in of.values()) for query, of in sample.qrels.items()}
    expected = {
        query: found[query] * cutoff / max(1, min(cutoff, relevant[query])) for query in found
    }
    assert sample.ours(f"R_cap@{cutoff}") == pytest.approx(expected, abs=1e-9)
