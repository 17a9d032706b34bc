"""How an evaluation travels on a test report: as plain Python values, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pytest_beir.baselines.baseline import Identity
from pytest_beir.baselines.update import Update
from pytest_beir.evaluation import Evaluation
from pytest_beir.gate.comparison import Comparison
from pytest_beir.gate.verdict import MetricVerdict
from pytest_beir.losers import Loser, MovedDocument
from pytest_beir.scoring.scorer import Scores

ATTRIBUTE = "beir"
"""The attribute of a report that carries a payload; xdist sends a report's whole `__dict__`."""


def encode(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as nested dicts, tuples, strings and numbers."""
    return asdict(evaluation)


def decode(plain: dict[str, Any]) -> Evaluation:
    """The evaluation that `encode` took apart."""
    return Evaluation(
        **{
            **plain,
            "metrics": {name: _verdict(value) for name, value in plain["metrics"].items()},
            "losers": tuple(_loser(value) for value in plain["losers"]),
            "identity": Identity(**plain["identity"]) if plain["identity"] else None,
            "scores": Scores(**plain["scores"]) if plain["scores"] else None,
            "update": Update(**plain["update"]) if plain["update"] else None,
        }
    )


def _verdict(plain: dict[str, Any]) -> MetricVerdict:
    return MetricVerdict(
        **{
            **plain,
            "current": Comparison(**plain["current"]) if plain["current"] else None,
            "against_anchor": (
                Comparison(**plain["against_anchor"]) if plain["against_anchor"] else None
            ),
        }
    )


def _loser(plain: dict[str, Any]) -> Loser:
    documents = tuple(MovedDocument(**document) for document in plain["documents"])
    return Loser(**{**plain, "documents": documents})
