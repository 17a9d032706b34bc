"""How an evaluation travels on a test report: as plain Python values, and back."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass
from itertools import chain
from numbers import Integral, Real
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from pytest_beir.baselines.update import Update
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.errors import BeirError
from pytest_beir.evaluation.check import Check
from pytest_beir.evaluation.result import Evaluation
from pytest_beir.explanation.diagnosis import Diagnosis
from pytest_beir.explanation.explain import Explanation
from pytest_beir.explanation.groups import Group
from pytest_beir.explanation.loss_pattern import Enrichment
from pytest_beir.explanation.pool import Bounds, PoolCheck, UnjudgedPair
from pytest_beir.explanation.query_views import QueryView, RankedDocument
from pytest_beir.explanation.worst_queries import MovedDocument, QueryLoss
from pytest_beir.garbage import held_off
from pytest_beir.gate.comparison import Comparison
from pytest_beir.gate.noise import Noise
from pytest_beir.gate.verdict import MetricVerdict
from pytest_beir.scoring.scorer import Scores

if TYPE_CHECKING:
    import pytest

ATTRIBUTE = "beir"
"""The attribute of a report that carries a payload; xdist sends a report's whole `__dict__`."""


_PROTOCOL = 4  # which every Python of a worker reads


class PayloadError(BeirError):
    """A value that cannot travel from one process to another."""


@held_off
def encode(evaluation: Evaluation) -> dict[str, Any]:
    """The evaluation as nested dicts, tuples, strings and numbers.

    Raises:
        PayloadError: A value in it is of no such kind.

    """
    encoded: dict[str, Any] = plain(evaluation, "the result")
    return encoded


def plain(value: Any, where: str) -> Any:
    """The value in builtin types alone, subclasses such as numpy's reduced to them.

    A dataclass becomes the dict of its fields. Halves of surrogate pairs, which no encoding takes,
    are escaped. The inner state of an object of the user never counts: only what it is as text or
    number does.

    Raises:
        PayloadError: The value is none of these; its place is named.

    """
    if value is None or type(value) in (bool, int, float, bytes):
        return value
    if isinstance(value, str):
        is_plain = type(value) is str and value.isascii()
        return value if is_plain else _escaped(value)
    if is_dataclass(value) and not isinstance(value, type):
        value = {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, Mapping):
        if value and _are_ids(value) and _are_plain(value.values()):
            return value if type(value) is dict else dict(value)
        return {plain(key, where): plain(v, f"{where}, {key}") for key, v in value.items()}
    for kind, builtin in ((list, list), (tuple, tuple), ((set, frozenset), frozenset)):
        if isinstance(value, kind):
            return builtin(value if _are_ids(value) else [plain(each, where) for each in value])
    return _plain_scalar(value, where)


def _escaped(value: str) -> str:
    return str.__str__(value).encode("utf-8", "backslashreplace").decode("utf-8")


def _are_ids(values: Collection[Any]) -> bool:
    """Whether all are plain text that needs no escapes: asked at once, for there may be many."""
    return set(map(type, values)) <= {str} and _is_encodable("".join(values))


def _are_plain(values: Iterable[Any], depth: int = 3) -> bool:
    """Whether all are plain numbers or texts, or tuples of such: what thousands of queries hold.

    Tuples are taken apart together, one level after the other, so that no step is for one query.
    """
    held = list(values)
    kinds = set(map(type, held))
    if kinds == {tuple} and depth:
        return _are_plain(chain.from_iterable(held), depth - 1)
    if not kinds <= {str, int, float}:
        return False
    return _is_encodable("".join([each for each in held if type(each) is str]))


def _is_encodable(text: str) -> bool:
    """Whether it has no half of a surrogate pair, of all texts put together."""
    try:
        return text.isascii() or bool(text.encode("utf-8"))
    except UnicodeEncodeError:
        return False


def _plain_scalar(value: Any, where: str) -> Any:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, PathLike):
        return plain(fspath(value), where)
    if type(value).__name__ in ("bool", "bool_"):  # numpy's, which is no number to it
        return bool(value)
    raise PayloadError(
        f"{where} holds a value of type {type(value).__name__}, which cannot be sent from one "
        f"process to another: use text, numbers, lists and dicts"
    )


@held_off
def put(report: pytest.TestReport, payload: Mapping[str, Any], *, is_sent: bool) -> None:
    """Let a report carry a payload, encoded already; one that `is_sent` elsewhere as one text.

    xdist takes values apart one by one, in Python, which takes longer than scoring them.
    """
    setattr(report, ATTRIBUTE, pickle.dumps(payload, _PROTOCOL) if is_sent else payload)


@held_off
def payload_of(report: pytest.TestReport) -> dict[str, Any] | None:
    """The payload that a report carries, as builtin values from here on; None without one."""
    sent = getattr(report, ATTRIBUTE, None)
    if isinstance(sent, bytes):
        # Of our own worker, which runs the user's code as this process does.
        setattr(report, ATTRIBUTE, pickle.loads(sent))  # noqa: S301
    held: dict[str, Any] | None = getattr(report, ATTRIBUTE, None)
    return held


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
            "second": _maybe(Scores, plain["second"]),
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
        views=tuple(_view(each) for each in plain["views"]),
    )


def _view(plain: dict[str, Any]) -> QueryView:
    sides = {side: tuple(RankedDocument(**each) for each in plain[side]) for side in ("old", "new")}
    return QueryView(**{**plain, **sides})


def _loss(plain: dict[str, Any]) -> QueryLoss:
    documents = tuple(MovedDocument(**document) for document in plain["documents"])
    return QueryLoss(**{**plain, "documents": documents})


def _diagnosis(plain: dict[str, Any] | None) -> Diagnosis | None:
    if plain is None:
        return None
    found = tuple(Enrichment(**each) for each in plain["enrichments"])
    return Diagnosis(**{**plain, "deepest": tuple(plain["deepest"]), "enrichments": found})
