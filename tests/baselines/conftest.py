"""Baselines small enough to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines.baseline import Acceptance, Baseline, History
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.scoring.scorer import Scores

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def identity() -> DatasetIdentity:
    return DatasetIdentity("docs", "test", 120, 3, 5, Fingerprints("a1" * 32, "b2" * 32, "c3" * 32))


@pytest.fixture
def definitions() -> dict[str, str]:
    return {"nDCG@10": "gain over ideal: 'graded'", "R@100": "share found", "Judged@10": "seen"}


@pytest.fixture
def make_scores() -> Callable[..., Scores]:
    """Scores of three queries: {metric: three values}; `Judged@10` is added."""

    def make_scores(**values: tuple[float, float, float]) -> Scores:
        queries = ("10", "9", "é, \u2028")
        named = {"nDCG@10": values.pop("ndcg", (0.5, 1 / 3, 0.0))}
        named["R@100"] = values.pop("recall", (1.0, 0.1 + 0.2, 0.0))
        named |= values
        named["Judged@10"] = (0.2, 0.1, 0.0)
        return Scores(
            {name: dict(zip(queries, vector, strict=True)) for name, vector in named.items()},
            {"10": ("d1", 'tab\there "quoted"'), "9": ("d1",), queries[2]: ()},
            {"10": ((1, "d1"), (57, "naïve/7")), "9": ((1, "d1"),), queries[2]: ()},
            (queries[2],),
            (),
        )

    return make_scores


@pytest.fixture
def baseline(
    identity: DatasetIdentity, definitions: dict[str, str], make_scores: Callable[..., Scores]
) -> Baseline:
    """A baseline whose anchor lies .1 above its current nDCG@10 on one query."""
    scores = make_scores()
    first = Acceptance("2026-01-05", "0123abc", "new", None)
    later = Acceptance("2026-02-01", "12e4567", "neutral", "another tokenizer: faster")
    anchor = {metric: dict(scores.values[metric]) for metric in ("nDCG@10", "R@100")}
    anchor["nDCG@10"]["10"] = 0.6
    return Baseline(
        "bm25",
        identity,
        definitions,
        scores,
        anchor,
        History(
            later, dict.fromkeys(anchor, first), {"pytest-beir": "0.1.0", "retriever": None}, 2
        ),
    )
