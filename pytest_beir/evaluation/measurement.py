"""A measurement: what was measured on one dataset, as values that a verdict is made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import mean
from pytest_beir.explanation.groups import groups_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset, DatasetIdentity
    from pytest_beir.evaluation.pins import Check
    from pytest_beir.explanation.pool import PoolFlag
    from pytest_beir.gate.noise import Noise
    from pytest_beir.scoring.scorer import Scores


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """One retriever's scores on one dataset, and all that its verdict depends on beside them.

    `definitions` says how each metric of `scores.values` is computed. `groups` maps each group of
    queries to its query ids. `checks` are the pinned queries, `dataset_flags` what is flagged of
    the data themselves. `qrels` are None where the judgements are not at hand; `pool_flag` is what
    was said of the pool when they were. `trained_on` is None where unknown. `resumed` marks
    rankings that were taken, in part or whole, from an earlier run. `noise` and `varying` (queries
    ranked differently) are there where retrieval was repeated.
    """

    retriever: str
    version: str | None = None
    scores: Scores
    identity: DatasetIdentity
    definitions: Mapping[str, str]
    trained_on: frozenset[str] | None = None
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    qrels: Mapping[str, Mapping[str, int]] | None = None
    pool_flag: PoolFlag | None = None
    dataset_flags: tuple[str, ...] = ()
    checked_against_corpus: bool = True
    resumed: bool = False
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    noise: tuple[Noise, ...] = ()
    varying: tuple[str, ...] = ()

    @property
    def means(self) -> dict[str, float]:
        """{metric: mean over the judged queries}, Judged@10 included."""
        return {
            metric: mean(values, self.identity.members)
            for metric, values in self.scores.values.items()
        }

    @property
    def missing(self) -> tuple[str, ...]:
        """Judged queries that were not answered; they score 0."""
        return self.scores.missing


def stored_measurement(
    stored: Baseline,
    *,
    retriever: str | None = None,
    version: str | None = None,
    resumed: bool = False,
    dataset: Dataset | None = None,
    group_field: str | None = None,
) -> Measurement:
    """The current vectors of a baseline, or of a report's scores, as if measured just now.

    They have the name `retriever` where it is given. Judgements and groups come from `dataset`,
    where that is at hand.
    """
    return Measurement(
        retriever=retriever or stored.retriever,
        version=version,
        scores=stored.scores,
        identity=stored.identity,
        definitions=stored.definitions,
        checked_against_corpus=stored.identity.documents is not None,
        resumed=resumed,
        qrels=None if dataset is None else dataset.qrels,
        groups=groups_of(dataset, group_field) if dataset and group_field else {},
        dataset_flags=() if dataset is None else dataset.flags,
        warnings=() if dataset is None else dataset.warnings,
    )
