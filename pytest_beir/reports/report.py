"""The parts of `beir.json`, format 1, as pydantic models; the JSON Schema is made from them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from pytest_beir.verdicts import Verdict  # noqa: TC001 (pydantic reads annotations)

Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class _ReportPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class AgainstAnchor(_ReportPart):
    """The comparison with the anchor, where it differs from the current baseline."""

    delta: Number
    p_drop: Number
    alpha: Number | None


class Measured(_ReportPart):
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


class JudgedShare(_ReportPart):
    """Judged@10: which share of the top ten bears a judgement, now and in the baseline."""

    now: Number | None
    baseline: Number | None


class UnjudgedPart(_ReportPart):
    """An unjudged document of a top ten that may explain a drop; null rank: below ten."""

    query: str
    document: str
    rank: Count | None
    baseline_rank: Count | None


class CheckResult(_ReportPart):
    """A limit that must hold whatever the statistics say.

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


class GatedGroup(_ReportPart):
    """A gated group of queries: their ids, and the verdict on each gated metric."""

    queries: list[str]
    metrics: dict[str, MetricResult]


class RepeatNoise(_ReportPart):
    """How much one metric varied over repeated retrievals; `by_query` where it varied at all."""

    metric: str
    repeats: Count
    queries: Count
    sd: Number
    by_query: dict[str, Number]


class Result(_ReportPart):
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


class MemberSet(_ReportPart):
    """The identity of an average: two averages compare only where their ids agree."""

    name: str | None
    members: list[str]
    id: str


class _OverSet(_ReportPart):
    retriever: str
    metric: str
    set: MemberSet
    flags: list[str]
    withheld: str | None


class AverageResult(Measured, _OverSet):
    """The average of one metric over a set, or in `withheld` the reason why there is none.

    `label` is null for the average over the whole suite, else `zero-shot average`, with
    `not established` where it is unknown whether its members are clean; `note` says why.
    `excused` says why a regressed average does not fail.
    """

    label: str | None = None
    note: str | None = None
    excused: str | None = None


class DiffuseResult(_ReportPart):
    """The test for a small loss in every dataset, of one gated metric.

    `fell` of `datasets` have a lower mean than stored. `delta` is weighted for the test, and no
    average to quote. `withheld` says why there is no test, `excused` why a regression does not
    fail.
    """

    retriever: str
    metric: str
    fell: int
    datasets: int
    delta: Number | None
    p_drop: Number | None
    alpha: Number | None
    verdict: str | None
    against_anchor: AgainstAnchor | None = None
    withheld: str | None
    excused: str | None = None


class PublishedPart(_ReportPart):
    """A published average beside ours: subtracted only where both have the same set."""

    retriever: str
    name: str
    metric: str
    value: Number | None
    set: MemberSet | None
    status: str
    difference: Number | None
    reason: str | None


class RetrieverPart(_ReportPart):
    """A retriever: `family` tests share its `alpha`, by `weights` in all.

    `trained_on` is null where nobody says what it was trained on.
    """

    name: str
    version: str | None
    family: Count
    weights: Number
    alpha: Number
    trained_on: list[str] | None = None


class DeclaredPart(_ReportPart):
    """A declared dataset; null where the catalogue's rule or the reader's decides."""

    name: str
    split: str | None
    drop_identical_ids: bool | None
    weight: Number


class SettingsPart(_ReportPart):
    """All that the suite's id is made of, so that shards can be told apart and put together."""

    datasets: list[DeclaredPart]
    gate: dict[str, JsonValue]


class SuitePart(_ReportPart):
    """The declared suite, and which of it this run was to cover."""

    id: str
    datasets: list[str]
    selected: list[str]
    settings: SettingsPart | None = None


class MissingResult(_ReportPart):
    """A dataset of the suite that has no result, and why."""

    retriever: str
    dataset: str
    reason: str
    on_purpose: bool


class SchedulerPart(_ReportPart):
    """The Dask scheduler of a run: its address, its workers, and parts of the largest corpus."""

    address: str
    workers: int
    shards: int

    @property
    def text(self) -> str:
        """The same in a line."""
        return f"{self.address} ({self.workers} workers, {self.shards} shards)"


class SearchSeconds(_ReportPart):
    """Percentiles of a search, in seconds."""

    p50: Number
    p95: Number
    p99: Number


class LatencyPart(_ReportPart):
    """What searches of one retriever on one dataset took, with `--beir-latency`.

    `change` is how many times as long as stored a search takes, with one-sided 95 % bounds; null
    where nothing comparable is stored. `batch_rate` (queries per second, all at once),
    `index_seconds`, `index_bytes` on the disk and `resident_bytes` of memory are measured once.
    `on_processor` is the share of a search's time for which the process had a processor.
    """

    retriever: str
    dataset: str
    verdict: Literal["slower", "faster", "same", "inconclusive", "no baseline"]
    reason: str | None
    queries: Count
    change: Number | None
    lower: Number | None
    upper: Number | None
    least: Number | None
    p_slower: Number | None
    p_faster: Number | None
    seconds: SearchSeconds
    queries_per_second: Number
    batch_rate: Number | None
    index_seconds: Number | None
    index_bytes: int | None
    resident_bytes: int | None
    on_processor: Number
    spread: Number
    dominated_by: str | None


class Report(_ReportPart):
    """The whole of a `beir.json`; `complaints` are the strict flags that fail the run.

    `status` is `running` until the run has ended, so a run that was killed never says `passed`;
    it is null where two sides were compared. `failures` say what failed or stopped the run beside
    its verdicts.
    """

    format: Literal[1]
    suite: SuitePart
    retrievers: list[RetrieverPart]
    results: list[Result]
    averages: list[AverageResult]
    diffuse: list[DiffuseResult] = []
    compare_to: list[PublishedPart] = []
    did_not_run: list[MissingResult] = []
    complaints: list[str] = []
    status: Literal["running", "passed", "failed", "incomplete"] | None = None
    exit_status: int | None = None
    failures: list[str] = []
    environment: dict[str, str | SchedulerPart] = {}
    latency: list[LatencyPart] = []
