"""`<dataset>.yaml`: what people review of a baseline, format 2; format 1 is read for good."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pytest_beir.baselines.baseline import Acceptance, Category, History
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.scoring.scorer import JUDGED

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline

FORMAT: Literal[2] = 2
DECIMALS = 6  # of means: the vectors decide, means are for reading

Count = Annotated[int, Field(ge=0)]
Alike = Annotated[tuple[str, ...], Field(strict=False)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _BaselinePart(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class FingerprintsPart(_BaselinePart):
    """SHA-256 of the content of judged queries, qrels and corpus (null without a corpus)."""

    queries: str
    qrels: str
    corpus: str | None


class DatasetPart(_BaselinePart):
    """What was measured on."""

    name: str
    split: str
    documents: Count | None
    queries: Annotated[int, Field(ge=1)]
    judgements: Count
    drop_identical_ids: bool
    members: Annotated[tuple[str, ...], Field(strict=False)] = ()
    fingerprints: FingerprintsPart


def _date(written: str) -> str:
    date.fromisoformat(written)  # pydantic reports what it says
    return written


class _AcceptancePart(_BaselinePart):
    written: Annotated[str, AfterValidator(_date)]
    commit: str | None
    category: Category
    reason: str | None

    def acceptance(self) -> Acceptance:
        return Acceptance(self.written, self.commit, self.category, self.reason)


class AnchorPart(_AcceptancePart):
    """The mean that decline is measured from, and how it came to be that."""

    mean: float


class MetricPart(_BaselinePart):
    """One metric; `anchor` and `drift` (mean less the anchor's) are absent for `Judged@10`."""

    mean: float
    drift: float | None = None
    anchor: AnchorPart | None = None
    definition: str | None = None


class AcceptedPart(_AcceptancePart):
    """When and why the current scores were stored; `updates` counts how often the files were."""

    updates: Annotated[int, Field(ge=1)]


class RecordedPart(_BaselinePart):
    """How the current scores came about; other keys than these two are free.

    `missing` are the queries without an answer, `same_text` the groups of queries that have the
    same text.
    """

    model_config = ConfigDict(strict=True, extra="allow", frozen=True, allow_inf_nan=False)
    missing: Annotated[tuple[str, ...], Field(strict=False)] = ()
    same_text: Annotated[tuple[Alike, ...], Field(strict=False)] = ()


class Document(_BaselinePart):
    """The whole file; `scores` is the SHA-256 of the table beside it.

    The keys of `versions` and `recorded` are free.
    """

    format: Literal[1, 2]
    retriever: str
    dataset: DatasetPart
    metrics: dict[str, MetricPart]
    accepted: AcceptedPart
    versions: dict[str, str | None]
    recorded: RecordedPart = RecordedPart()
    scores: Digest

    def identity(self) -> DatasetIdentity:
        """The dataset that the scores belong to."""
        part = self.dataset.model_dump()
        return DatasetIdentity(**{**part, "fingerprints": Fingerprints(**part["fingerprints"])})

    def history(self) -> History:
        """How the baseline came about."""
        part = self.accepted
        return History(
            part.acceptance(),
            {
                metric: found.anchor.acceptance()
                for metric, found in self.metrics.items()
                if found.anchor is not None
            },
            self.versions,
            part.updates,
        )

    def definitions(self) -> dict[str, str]:
        """Each metric in words."""
        return {
            metric: part.definition
            for metric, part in self.metrics.items()
            if part.definition is not None
        }


def migrated(content: dict[str, Any]) -> dict[str, Any]:
    """A file's content in the shape of format 2, which format 1 had `versions` elsewhere in."""
    accepted = content.get("accepted")
    if content.get("format") != 1 or not isinstance(accepted, dict) or "versions" not in accepted:
        return content
    rest = {key: value for key, value in accepted.items() if key != "versions"}
    return {**content, "accepted": rest, "versions": accepted["versions"]}


def document(baseline: Baseline, scores: str) -> Document:
    """The file's content for a baseline whose table has the digest `scores`."""
    history = baseline.history
    return Document(
        format=FORMAT,
        retriever=baseline.retriever,
        dataset=DatasetPart.model_validate(baseline.identity, from_attributes=True),
        metrics={metric: _metric(baseline, metric) for metric in (*baseline.metrics, JUDGED)},
        accepted=AcceptedPart(**vars(history.accepted), updates=history.updates),
        versions=dict(history.versions),
        recorded=RecordedPart(
            missing=baseline.scores.missing,
            same_text=baseline.same_text,
            **dict(baseline.recorded),
        ),
        scores=scores,
    )


def _metric(baseline: Baseline, metric: str) -> MetricPart:
    now = round(baseline.mean(metric), DECIMALS)
    definition = baseline.definitions.get(metric)
    if metric == JUDGED:
        return MetricPart(mean=now, definition=definition)
    return MetricPart(
        mean=now,
        drift=round(baseline.drift(metric), DECIMALS) + 0.0,  # no -0.0
        anchor=AnchorPart(
            mean=round(baseline.mean(metric, anchor=True), DECIMALS),
            **vars(baseline.history.anchors[metric]),
        ),
        definition=definition,
    )
