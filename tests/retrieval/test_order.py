"""The order of a cut is that of scoring."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.retrieval.order import best_first
from pytest_beir.scoring.ranking import order

SCORES = st.one_of(st.floats(-10, 10), st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-6, 1e39]))


@given(st.dictionaries(st.text(max_size=2), SCORES), st.none() | st.integers(0, 5))
def test_retrieval_cuts_where_scoring_would(scores: Any, depth: Any) -> None:
    best = best_first(scores, depth)
    assert list(best) == order(scores, depth=depth)
    assert best == {document: scores[document] for document in best}
