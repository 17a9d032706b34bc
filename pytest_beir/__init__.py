"""Regression tests for retrievers: every BEIR dataset a pytest test.

The public names are resolved on first use, so that a pytest start that never needs them
pays for nothing but this file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_beir.datasets.reader import load_dataset
    from pytest_beir.gate.comparison import Comparison, compare_scores
    from pytest_beir.retrieval.bm25 import BM25
    from pytest_beir.retrieval.chunked import Chunked
    from pytest_beir.retrieval.encoder import Encoder
    from pytest_beir.retrieval.per_query import PerQuery
    from pytest_beir.retrieval.pipelines import Fusion, Reranked
    from pytest_beir.retrieval.protocol import Retriever
    from pytest_beir.retrieval.run_files import RunFiles
    from pytest_beir.scoring.scorer import score_run

__all__ = [
    "BM25",
    "Chunked",
    "Comparison",
    "Encoder",
    "Fusion",
    "PerQuery",
    "Reranked",
    "Retriever",
    "RunFiles",
    "compare_scores",
    "load_dataset",
    "score_run",
]

__version__ = "0.1.0"

_HOMES = {
    "BM25": "pytest_beir.retrieval.bm25",
    "Comparison": "pytest_beir.gate.comparison",
    "Chunked": "pytest_beir.retrieval.chunked",
    "Encoder": "pytest_beir.retrieval.encoder",
    "Fusion": "pytest_beir.retrieval.pipelines",
    "PerQuery": "pytest_beir.retrieval.per_query",
    "Reranked": "pytest_beir.retrieval.pipelines",
    "Retriever": "pytest_beir.retrieval.protocol",
    "RunFiles": "pytest_beir.retrieval.run_files",
    "compare_scores": "pytest_beir.gate.comparison",
    "load_dataset": "pytest_beir.datasets.reader",
    "score_run": "pytest_beir.scoring.scorer",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pytest_beir' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
