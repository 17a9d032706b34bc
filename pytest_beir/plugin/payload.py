"""How an evaluation travels on a test report: as plain Python values, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pytest_beir.baselines.update import Update
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.evaluation.pins import Check
from pytest_beir.evaluation.result import Evaluation
from pytest_beir.explanation.diagnosis import Diagnosis
from pytest_beir.explanation.explain import Explanation
from pytest_beir.explanation.groups import Group
from pytest_beir.explanation.loss_pattern import Enrichment
from pytest_beir.explanation.pool import Bounds, PoolCheck, UnjudgedPair
from pytest_beir.explanation.worst_queries import MovedDocument, QueryLoss
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
            "gated_groups": tuple(_verdict(each) for each in plain["gated_groups"]),
            "checks": tuple(Check(**each) for each in plain["checks"]),
            "pool": _maybe(PoolCheck, plain["pool"]),
            "explanation": _explanation(plain["explanation"]),
            "noise": tuple(Noise(**each) for each in plain["noise"]),
            "identity": _identity(plain["identity"]),
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


def _identity(plain: dict[str, Any] | None) -> DatasetIdentity | None:
    if plain is None:
        return None
    return DatasetIdentity(**{**plain, "fingerprints": Fingerprints(**plain["fingerprints"])})


def _explanation(plain: dict[str, Any]) -> Explanation:
    return Explanation(
        losses=tuple(_loss(each) for each in plain["losses"]),
        diagnosis=_diagnosis(plain["diagnosis"]),
        bounds=_maybe(Bounds, plain["bounds"]),
        to_judge=tuple(UnjudgedPair(**each) for each in plain["to_judge"]),
        groups=tuple(Group(**each) for each in plain["groups"]),
    )


def _loss(plain: dict[str, Any]) -> QueryLoss:
    documents = tuple(MovedDocument(**document) for document in plain["documents"])
    return QueryLoss(**{**plain, "documents": documents})


def _diagnosis(plain: dict[str, Any] | None) -> Diagnosis | None:
    if plain is None:
        return None
    found = tuple(Enrichment(**each) for each in plain["enrichments"])
    return Diagnosis(**{**plain, "deepest": tuple(plain["deepest"]), "enrichments": found})
