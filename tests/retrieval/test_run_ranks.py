"""A rank column that says the opposite of the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.retrieval.retriever import wrap
from pytest_beir.retrieval.run_files import RunFiles
from pytest_beir.retrieval.run_ranks import reversed_ranks

if TYPE_CHECKING:
    from pathlib import Path


def written(tmp_path: Path, scores: Any) -> Path:
    """A run file of three queries, whose documents have these ranks and scores."""
    path = tmp_path / "toy.trec"
    lines = [
        f"{query} Q0 d{place} {rank} {score} t\n"
        for query in ("q1", "q2", "q3")
        for place, (rank, score) in enumerate(scores, 1)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ([(1, 0.1), (2, 0.2), (3, 0.9)], 3),
        ([(3, 0.9), (1, 0.1), (2, 0.2)], 3),
        ([(1, 0.9), (2, 0.2), (3, 0.1)], 0),
        ([(1, 0.1), (2, 0.9), (3, 0.2)], 0),
        ([(1, 0.5), (2, 0.5)], 0),  # no order to contradict
        ([(0, 0.1), (0, 0.2)], 0),  # a column that ranks nothing
        ([(1, 0.1)], 0),
    ],
)
def test_queries_with_the_opposite_order_are_counted(
    scores: Any, count: int, tmp_path: Path
) -> None:
    assert reversed_ranks(written(tmp_path, scores)) == count


def test_a_file_of_distances_gets_a_note(part: Any, tmp_path: Path) -> None:
    written(tmp_path, [(1, 0.1), (2, 0.9)])
    (note,) = wrap(RunFiles("{dataset}.trec", folder=tmp_path)).rankings(part, 5).notes
    assert note == (
        "the rank column contradicts the scores in 3 of 3 queries; scores count, and larger"
        " ones are better: are these distances?"
    )


def test_one_query_in_order_shows_that_scores_are_scores(part: Any, tmp_path: Path) -> None:
    path = written(tmp_path, [(1, 0.1), (2, 0.9)])
    with path.open("a", encoding="utf-8") as out:
        out.write("q4 Q0 d1 1 9 t\nq4 Q0 d2 2 8 t\n")
    assert reversed_ranks(path) == 0
    assert wrap(RunFiles("{dataset}.trec", folder=tmp_path)).rankings(part, 5).notes == ()
