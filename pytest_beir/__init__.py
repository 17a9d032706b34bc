"""Regression tests for retrievers: every BEIR dataset a pytest test.

The public names are resolved on first use, so that a pytest start that never needs them
pays for nothing but this file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the view of type checkers, which read no table
    from pytest_beir.datasets.corpus import Corpus as Corpus
    from pytest_beir.datasets.dataset import Dataset as Dataset
    from pytest_beir.datasets.reader import load_dataset as load_dataset
    from pytest_beir.errors import BeirError as BeirError
    from pytest_beir.evaluation.result import Evaluation as Evaluation
    from pytest_beir.evaluation.scored import Scored as Scored
    from pytest_beir.gate.comparison import Comparison as Comparison
    from pytest_beir.gate.comparison import compare_scores as compare_scores
    from pytest_beir.retrieval.bm25 import BM25 as BM25
    from pytest_beir.retrieval.chunked import Chunked as Chunked
    from pytest_beir.retrieval.encoder import Encoder as Encoder
    from pytest_beir.retrieval.per_query import PerQuery as PerQuery
    from pytest_beir.retrieval.pipelines import Fusion as Fusion
    from pytest_beir.retrieval.pipelines import Reranked as Reranked
    from pytest_beir.retrieval.protocol import Retriever as Retriever
    from pytest_beir.retrieval.run_files import RunFiles as RunFiles
    from pytest_beir.scoring.scorer import score_run as score_run

__version__ = "1.0.0"

# Every public name and the module below this package that defines it.
_HOMES = {
    "BM25": "retrieval.bm25",
    "BeirError": "errors",
    "Chunked": "retrieval.chunked",
    "Comparison": "gate.comparison",
    "Corpus": "datasets.corpus",
    "Dataset": "datasets.dataset",
    "Encoder": "retrieval.encoder",
    "Evaluation": "evaluation.result",
    "Fusion": "retrieval.pipelines",
    "PerQuery": "retrieval.per_query",
    "Reranked": "retrieval.pipelines",
    "Retriever": "retrieval.protocol",
    "RunFiles": "retrieval.run_files",
    "Scored": "evaluation.scored",
    "compare_scores": "gate.comparison",
    "load_dataset": "datasets.reader",
    "score_run": "scoring.scorer",
}

__all__ = [*_HOMES]  # noqa: PLE0604  # the table holds names


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pytest_beir' has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
