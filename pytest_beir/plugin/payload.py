"""How an evaluation travels on a test report: as plain Python values, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pytest_beir.baselines.baseline import Identity
from pytest_beir.baselines.update import Update
from pytest_beir.evaluation.evaluation import Evaluation
from pytest_beir.evaluation.findings import Findings
from pytest_beir.evaluation.groups import Group
from pytest_beir.explanation.diagnosis import Diagnosis
from pytest_beir.explanation.loss_pattern import Gathering
from pytest_beir.explanation.pool import PoolCheck
from pytest_beir.explanation.pool_bounds import Bounds
from pytest_beir.explanation.unjudged import ToJudge
from pytest_beir.explanation.worst_queries import Loser, MovedDocument
from pytest_beir.gate.comparison import Comparison
from pytest_beir.gate.noise import Noise
from pytest_beir.gate.verdict import MetricVerdict
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
            "findings": _findings(plain["findings"]),
            "identity": _maybe(Identity, plain["identity"]),
            "scores": _maybe(Scores, plain["scores"]),
            "update": _maybe(Update, plain["update"]),
        }
    )


def _maybe(kind: Any, plain: dict[str, Any] | None) -> Any:
    return None if plain is None else kind(**plain)


def _verdict(plain: dict[str, Any]) -> MetricVerdict:
    return MetricVerdict(
        **{
            **plain,
            "current": _maybe(Comparison, plain["current"]),
            "against_anchor": _maybe(Comparison, plain["against_anchor"]),
        }
    )


def _findings(plain: dict[str, Any]) -> Findings:
    return Findings(
        **{
            **plain,
            "losers": tuple(_loser(each) for each in plain["losers"]),
            "diagnosis": _diagnosis(plain["diagnosis"]),
            "pool": _maybe(PoolCheck, plain["pool"]),
            "bounds": _maybe(Bounds, plain["bounds"]),
            "to_judge": tuple(ToJudge(**each) for each in plain["to_judge"]),
            "groups": tuple(Group(**each) for each in plain["groups"]),
            "gated_groups": tuple(_verdict(each) for each in plain["gated_groups"]),
            "noise": tuple(Noise(**each) for each in plain["noise"]),
        }
    )


def _loser(plain: dict[str, Any]) -> Loser:
    documents = tuple(MovedDocument(**document) for document in plain["documents"])
    return Loser(**{**plain, "documents": documents})


def _diagnosis(plain: dict[str, Any] | None) -> Diagnosis | None:
    if plain is None:
        return None
    gatherings = tuple(Gathering(**each) for each in plain["gatherings"])
    return Diagnosis(**{**plain, "deepest": tuple(plain["deepest"]), "gatherings": gatherings})
