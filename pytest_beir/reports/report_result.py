"""A dataset's result as `beir.json` holds it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_beir.verdicts import Verdict  # noqa: TC001 (pydantic reads annotations)

Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class ReportPart(BaseModel):
    """A part of the file: nothing unknown, nothing changed, read from objects of the same names."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class AgainstAnchor(ReportPart):
    """The comparison with the anchor, where it differs from the current baseline."""

    delta: Number
    p_drop: Number
    alpha: Number | None


class Measured(ReportPart):
    """A metric of a dataset, or an average: what moved, and how sure that is.

    `verdict` and `alpha` are null where the metric is not gated; without a baseline all numbers
    but `now` are.
    """

    gated: bool
    verdict: Verdict | None
    reason: str | None
    now: Number | None
    baseline: Number | None
    anchor: Number | None
    delta: Number | None
    lower: Number | None
    upper: Number | None
    margin_bound: Number | None
    p_drop: Number | None
    p_gain: Number | None
    alpha: Number | None
    mde: Number | None
    changed: Count | None
    worse: Count | None
    better: Count | None
    against_anchor: AgainstAnchor | None


class MetricResult(Measured):
    """One metric of one dataset, with the limits in force."""

    min_effect: Number | None
    margin: Number | None


class JudgedShare(ReportPart):
    """Judged@10: which share of the top ten is judged, now and in the baseline."""

    now: Number | None
    baseline: Number | None


class UnjudgedPart(ReportPart):
    """An unjudged document of a top ten that may explain a drop; null rank: below ten."""

    query: str
    document: str
    rank: Count | None
    baseline_rank: Count | None


class CheckResult(ReportPart):
    """A limit that must hold beside the statistics.

    Of a `pin` the limit is the worst rank allowed and `now` the rank found, null beyond the top
    100; of a `floor` the least mean of `metric`, and the mean.
    """

    kind: Literal["pin", "floor"]
    metric: str | None
    limit: Number
    now: Number | None
    passed: bool
    query: str | None = None
    document: str | None = None
    place: str = ""


class GatedGroup(ReportPart):
    """A gated group of queries: their ids, and the verdict on each gated metric."""

    queries: list[str]
    metrics: dict[str, MetricResult]


class RepeatNoise(ReportPart):
    """How much one metric varied over repeated retrievals; `by_query` where it varied at all."""

    metric: str
    repeats: Count
    queries: Count
    sd: Number
    by_query: dict[str, Number]


class Result(ReportPart):
    """One dataset for one retriever; `metrics` is empty on `error`.

    `written` is the kind of the update that this run wrote to the baseline, null where it wrote
    none. `confirmed` says whether a second search regressed as well, null where there was none; its
    scores are in `scores/<retriever>/<dataset>.confirm.tsv`. `checks` are pinned queries and
    floors, `groups` the gated groups of queries, `same_text` the groups of queries that have the
    same text. `noise` and `varying`, queries ranked differently, are there where retrieval was
    repeated.
    """

    retriever: str
    dataset: str
    split: str
    verdict: Verdict
    reason: str
    passed: bool
    flags: list[str]
    queries: Count
    missing: Count
    weight: Number
    judged: JudgedShare
    notes: list[str]
    metrics: dict[str, MetricResult]
    zero_shot: str = "unknown"
    explanations: list[str] = []
    to_judge: list[UnjudgedPart] = []
    written: str | None = None
    confirmed: bool | None = None
    checks: list[CheckResult] = []
    groups: dict[str, GatedGroup] = {}
    same_text: list[list[str]] = []
    noise: list[RepeatNoise] = []
    varying: list[str] = []
