"""A measurement: what was measured on one dataset, as values that a verdict is made from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.baseline import mean
from pytest_beir.explanation.groups import groups_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset, DatasetIdentity
    from pytest_beir.evaluation.check import Check
    from pytest_beir.explanation.pool import PoolFlag
    from pytest_beir.gate.noise import Noise
    from pytest_beir.scoring.scorer import Scores


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """One retriever's scores on one dataset, and all that its verdict depends on beside them.

    `second` are the scores of another search, by which a regression is confirmed. `definitions`
    says how each metric of `scores.values` is computed. `groups` maps each group of
    queries to its query ids, `same_text` are the groups of queries that have the same text.
    `recorded` says how the answers were made, `libraries` which distributions made them. `checks`
    are the pinned queries, `dataset_flags` what is flagged of the data themselves. `qrels` are
    None where the judgements are not at hand; `pool_flag` is what was said of the pool when they
    were. `trained_on` is None where unknown. `resumed` marks rankings that were taken, in part or
    whole, from an earlier run; `other_code` says how the code that made them differs, None where it
    is the same. `noise` and `varying` (queries ranked differently) are there where
    retrieval was repeated.
    """

    retriever: str
    version: str | None = None
    scores: Scores
    second: Scores | None = None
    identity: DatasetIdentity
    definitions: Mapping[str, str]
    trained_on: frozenset[str] | None = None
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    same_text: tuple[tuple[str, ...], ...] = ()
    recorded: Mapping[str, str] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    qrels: Mapping[str, Mapping[str, int]] | None = None
    pool_flag: PoolFlag | None = None
    dataset_flags: tuple[str, ...] = ()
    checked_against_corpus: bool = True
    resumed: bool = False
    other_code: str | None = None
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
    def units(self) -> dict[str, str]:
        """{query id: unit} of the queries that share their text with another one."""
        return units_of(self.same_text)

    @property
    def missing(self) -> tuple[str, ...]:
        """Judged queries that were not answered; they score 0."""
        return self.scores.missing


def units_of(same_text: Sequence[Sequence[str]]) -> dict[str, str]:
    """{query id: first id} of queries that share a text: the copies of one unit."""
    return {query: ids[0] for ids in same_text for query in ids}


def stored_measurement(
    stored: Baseline, *, retriever: str | None = None, version: str | None = None
) -> Measurement:
    """The current vectors of a baseline, or of a report's scores, as if measured just now.

    They have the name `retriever` where it is given.
    """
    return Measurement(
        retriever=retriever or stored.retriever,
        version=version,
        scores=stored.scores,
        second=stored.second,
        identity=stored.identity,
        definitions=stored.definitions,
        same_text=stored.same_text,
        recorded=stored.recorded,
        checked_against_corpus=stored.identity.documents is not None,
    )


def with_data(measurement: Measurement, dataset: Dataset, group_field: str | None) -> Measurement:
    """The measurement with what the data tell: judgements, groups, flags and warnings."""
    return replace(
        measurement,
        qrels=dataset.qrels,
        groups=groups_of(dataset, group_field) if group_field else {},
        dataset_flags=dataset.flags,
        warnings=dataset.warnings,
    )
