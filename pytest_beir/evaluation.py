"""One dataset, one retriever: retrieve, check, score, compare.

Both front doors, the pytest plugin and the command line, come through here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.scoring.scorer import Scores


@dataclass(frozen=True)
class MovedDocument:
    """A judged relevant document of a losing query: its ranks (1 is best), None beyond the top 100."""

    id: str
    title: str
    grade: int
    old_rank: int | None
    new_rank: int | None


@dataclass(frozen=True)
class Loser:
    """A query that lost, with the ranks of its relevant documents before and now."""

    query: str
    text: str
    before: float
    now: float
    documents: tuple[MovedDocument, ...]


@dataclass(frozen=True)
class PlannedUpdate:
    """What the controller is to write for this dataset: `category` is new, improved, neutral, …"""

    category: str
    current: bool
    anchor: bool


@dataclass(frozen=True)
class Identity:
    """What a result was measured on: two results compare only if these agree (corpus apart)."""

    name: str
    split: str
    documents: int | None
    queries: int
    judgements: int
    queries_fingerprint: str
    qrels_fingerprint: str
    corpus_fingerprint: str | None
    members: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """The result of one dataset for one retriever, whole: what every report is made from.

    `verdict` is the worst of the gated metrics', `reason` its explanation in one line; on `error`
    `metrics` is empty and `scores` None. `passed` says whether the test passes, strict flags and
    the gate's settings considered; `message` is the one line of a failed test. `judged` holds the
    mean Judged@10 now and in the baseline. `update` is set where permitted options write a
    baseline, `update_refused` says why a permitted one does not.
    """

    retriever: str
    version: str | None
    dataset: str
    split: str
    verdict: str
    reason: str
    passed: bool
    message: str
    queries: int
    missing: int
    weight: float = 1.0
    flags: tuple[str, ...] = ()
    strict_failures: tuple[str, ...] = ()
    metrics: Mapping[str, MetricVerdict] = field(default_factory=dict)
    judged: tuple[float | None, float | None] = (None, None)
    losers: tuple[Loser, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    identity: Identity | None = None
    scores: Scores | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    update: PlannedUpdate | None = None
    update_refused: str | None = None
    resumed: bool = False
    checked_against_corpus: bool = True
    seconds: float = 0.0
    origin: str = ""
