"""The parts of `beir.json`, format 1, as pydantic models; the JSON Schema is made from them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, JsonValue

from pytest_beir.reports.report_result import (
    AgainstAnchor,
    Count,
    Measured,
    Number,
    ReportPart,
    Result,
)


class MemberSet(ReportPart):
    """The identity of an average: two averages compare only where their ids agree."""

    name: str | None
    members: list[str]
    id: str


class _OverSet(ReportPart):
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


class DiffuseResult(ReportPart):
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


class PublishedPart(ReportPart):
    """A published average beside ours: subtracted only where both have the same set."""

    retriever: str
    name: str
    metric: str
    value: Number | None
    set: MemberSet | None
    status: str
    difference: Number | None
    reason: str | None


class RetrieverPart(ReportPart):
    """A retriever: `family` tests share its `alpha`, by `weights` in all.

    `trained_on` is null where nobody says what it was trained on.
    """

    name: str
    version: str | None
    family: Count
    weights: Number
    alpha: Number
    trained_on: list[str] | None = None


class DeclaredPart(ReportPart):
    """A declared dataset; null where the catalogue's rule or the reader's decides."""

    name: str
    split: str | None
    drop_identical_ids: bool | None
    weight: Number


class SettingsPart(ReportPart):
    """All that the suite's id is made of, so that shards can be told apart and put together."""

    datasets: list[DeclaredPart]
    gate: dict[str, JsonValue]


class SuitePart(ReportPart):
    """The declared suite, and which of it this run was to cover."""

    id: str
    datasets: list[str]
    selected: list[str]
    settings: SettingsPart | None = None


class MissingResult(ReportPart):
    """A dataset of the suite that has no result, and why."""

    retriever: str
    dataset: str
    reason: str
    on_purpose: bool


class SchedulerPart(ReportPart):
    """The Dask scheduler of a run: its address, its workers, and parts of the largest corpus."""

    address: str
    workers: int
    shards: int

    @property
    def text(self) -> str:
        """The same in a line."""
        return f"{self.address} ({self.workers} workers, {self.shards} shards)"


class SearchSeconds(ReportPart):
    """Percentiles of a search, in seconds."""

    p50: Number
    p95: Number
    p99: Number


class LatencyPart(ReportPart):
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


class Report(ReportPart, BaseModel):  # a model by name too, for linters that read one file
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
