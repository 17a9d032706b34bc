"""Scores that 32 bits cannot tell apart."""

# ruff: noqa: ARG005  # parameters are declared for the sake of their names

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import AnswerError
from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.retrieval.ties import steps
from pytest_beir.scoring.ranking import order

if TYPE_CHECKING:
    from pathlib import Path

CLOSE = [(1e9, 1.0), (0.975230281, 1e-9), (1793000000.0, 1.0), (3e39, 1e39)]


def answering(base: float, step: float) -> Any:
    """A retriever whose scores go down from `base` by `step`."""
    return lambda corpus, queries, top_k: {
        query: {document: base - place * step for place, document in enumerate(corpus)}
        for query in queries
    }


@pytest.mark.parametrize(("base", "step"), CLOSE)
def test_scores_that_lose_the_order_of_most_queries_are_an_error(
    base: float, step: float, part: Any
) -> None:
    with pytest.raises(
        AnswerError, match=r"query 'q1' and 2 others of 3 queries: .*32 bits.*-rank"
    ):
        wrap(answering(base, step)).rankings(part, 5)


def test_some_lost_orders_are_a_counted_note(part: Any) -> None:
    def search(query: str, k: int) -> Any:
        return {"d1": 1e9, "d2": 1e9 - 1} if query == "roses" else {"d1": 2.0, "d2": 1.0}

    rankings = wrap(search).rankings(part, 5)
    (note,) = rankings.notes
    assert note.startswith("in 1 of 3 queries (such as q2) different scores are equal at 32")
    assert rankings.run["q2"] == {"d1": 1e9, "d2": 1e9 - 1}


@pytest.mark.parametrize(
    "scores", [[1.0, 1.0, 1.0], [0.5, 0.5 + 1e-16, 0.5 - 1e-16], [1.0], [], [1e39], [2.0, 1.0]]
)
def test_equal_scores_and_noise_of_sums_are_no_loss(scores: Any, part: Any) -> None:
    answer = dict(zip(part.corpus, scores, strict=False))
    assert wrap(lambda query, k: answer).rankings(part, 5).notes == ()


def test_steps_are_counted_by_hand() -> None:
    # 1e9 and 1e9 - 1 are one 32-bit number; 1e9 - 64 is the next one below.
    assert steps({"a": 1e9, "b": 1e9 - 1, "c": 1e9 - 64, "d": 5.0}) == (3, 1)


@pytest.mark.parametrize(("base", "step"), CLOSE)
def test_run_files_never_lose_their_order(
    base: float, step: float, part: Any, tmp_path: Path
) -> None:
    lines = [
        f"{query} Q0 {document} {place + 1} {base - place * step!r} t\n"
        for query in part.queries
        for place, document in enumerate(part.corpus)
    ]
    (tmp_path / "toy.trec").write_text("".join(lines), encoding="utf-8")
    rankings = wrap(RunFiles("{dataset}.trec", folder=tmp_path)).rankings(part, 5)
    assert [order(answer) for answer in rankings.run.values()] == [list(part.corpus)] * 3
    (note,) = rankings.notes
    assert note == (
        "most scores of 3 of 3 queries are equal at 32 bits, at which trec_eval compares; the"
        " order of the file's own scores was taken instead"
    )
