"""Whether a baseline's scores and today's measure the same thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import DatasetIdentity


@dataclass(frozen=True)
class Comparability:
    """Why scores do not compare: `reasons` for every metric, `metrics` for single ones.

    `corpus_changed` says that queries and judgements are the same, the documents are not; this
    alone keeps nothing from being compared.
    """

    reasons: tuple[str, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    corpus_changed: bool = False

    def reason(self, metric: str) -> str | None:
        """Why that metric does not compare, in one line, or None if it does."""
        if self.reasons:
            return "; ".join(self.reasons)
        return self.metrics.get(metric)


def comparable(
    baseline: Baseline, identity: DatasetIdentity, definitions: Mapping[str, str]
) -> Comparability:
    """What keeps today's scores, of `identity` and by `definitions`, from the baseline's."""
    stored = baseline.identity
    metrics = {
        metric: f"{metric} is now defined as {definition!r}, in the baseline "
        + (f"as {defined!r}" if (defined := baseline.definitions.get(metric)) else "not at all")
        for metric, definition in definitions.items()
        if metric != JUDGED
        and metric in baseline.metrics
        and definition != baseline.definitions.get(metric)
    }
    corpora = {stored.fingerprints.corpus, identity.fingerprints.corpus}
    return Comparability(
        tuple(_differences(stored, identity)),
        metrics,
        corpus_changed=len(corpora) > 1 and None not in corpora,
    )


def _differences(stored: DatasetIdentity, now: DatasetIdentity) -> list[str]:
    reasons = []
    if now.name != stored.name:
        reasons.append(f"the baseline is of another dataset, {stored.name!r}")
    if now.split != stored.split:
        reasons.append(f"the split is {now.split!r}, the baseline's {stored.split!r}")
    if now.members != stored.members:
        theirs = ", ".join(sorted(set(now.members) ^ set(stored.members))) or "another order"
        reasons.append(f"the parts differ from the baseline's: {theirs}")
    if now.fingerprints.queries != stored.fingerprints.queries:
        reasons.append(f"the judged queries differ ({_counts(now.queries, stored.queries)})")
    if now.fingerprints.qrels != stored.fingerprints.qrels:
        reasons.append(f"the judgements differ ({_counts(now.judgements, stored.judgements)})")
    if now.drop_identical_ids != stored.drop_identical_ids:
        done = "are dropped now, were kept" if now.drop_identical_ids else "are kept now, were not"
        reasons.append(f"documents that have their query's id {done} in the baseline")
    return reasons


def _counts(now: int, stored: int) -> str:
    if now == stored:
        return f"{now} as in the baseline, but not the same ones"
    return f"{now}, baseline {stored}"
