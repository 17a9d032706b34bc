"""`<dataset>.latency.yaml`: what a retriever's searches took when they were last accepted.

The file has a record for each class of machine: what one stores leaves the others' as they are.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_beir.baselines.store import LATENCY as SUFFIX
from pytest_beir.errors import BaselineError
from pytest_beir.files.atomic import folder_lock, write_atomically
from pytest_beir.files.file_names import escape
from pytest_beir.files.validation_messages import explain
from pytest_beir.files.yaml_with_lines import dump, read
from pytest_beir.latency.machine import Machine
from pytest_beir.latency.measurement import Design
from pytest_beir.latency.sample import Cost, LatencySample

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LatencyCategory: TypeAlias = Literal["new", "faster", "slower", "again"]
MOST_SESSIONS = 5
"""So many sessions of the same code are kept: what lies between them is then known."""
_DECIMALS = 6
_REMEDY = "restore it from version control, or delete it and store anew with --beir-update"

Positive = Annotated[float, Field(gt=0.0)]
NotNegative = Annotated[float, Field(ge=0.0)]
Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True)
class LatencyBaseline:
    """A sample with the dataset, machine and circumstances that it was taken in.

    `fingerprints` are SHA-256 of the queries and of the corpus. `written` is an ISO date. `levels`
    are of the sessions that the sample is the mean of; its seconds are the first one's.
    """

    retriever: str
    dataset: str
    split: str
    fingerprints: Mapping[str, str | None]
    machine: Machine
    design: Design
    sample: LatencySample
    levels: tuple[float, ...]
    written: str
    commit: str | None
    category: LatencyCategory
    reason: str | None
    versions: Mapping[str, str | None]

    def with_session(self, sample: LatencySample) -> LatencyBaseline:
        """The baseline with one more session of the same code averaged in."""
        known = len(self.levels)
        ratios = {
            query: math.exp(
                (known * math.log(ratio) + math.log(sample.ratios[query])) / (known + 1)
            )
            for query, ratio in self.sample.ratios.items()
        }
        spread = math.hypot(known * self.sample.spread, sample.spread) / (known + 1)
        averaged = replace(self.sample, ratios=ratios, spread=spread)
        return replace(self, sample=averaged, levels=(*self.levels, sample.level))


class _LatencyPart(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, from_attributes=True
    )


class MachinePart(_LatencyPart):
    """The class of machine."""

    processor: str
    architecture: str
    cores: Annotated[int, Field(ge=1)]
    system: str
    python: str
    numpy: str
    reference: int
    accelerator: str | None = None


class CostPart(_LatencyPart):
    """What was measured once."""

    index_seconds: float | None = None
    index_bytes: int | None = None
    resident_bytes: int | None = None
    batch_rate: float | None = None


class SecondsPart(_LatencyPart):
    """Percentiles of a search in seconds."""

    p50: Positive
    p95: Positive
    p99: Positive


class AcceptedLatencyPart(_LatencyPart):
    """When and why the times were stored."""

    written: str
    commit: str | None
    category: LatencyCategory
    reason: str | None


class RecordPart(_LatencyPart):
    """The times of one class of machine; `ratios` are search by reference, per query."""

    machine: MachinePart
    fingerprints: dict[str, str | None]
    accepted: AcceptedLatencyPart
    versions: dict[str, str | None]
    seconds: SecondsPart
    queries_per_second: Positive
    once: CostPart
    passes: Annotated[int, Field(ge=1)]
    repeats: Annotated[int, Field(ge=1)]
    streams: bool = False
    reference_seconds: Positive
    on_processor: NotNegative
    spread: NotNegative
    levels: Annotated[list[float], Field(min_length=1)]
    ratios: Annotated[dict[Text, Positive], Field(min_length=1)]


class LatencyDocument(_LatencyPart):
    """The whole file."""

    format: Literal[1]
    retriever: str
    dataset: str
    split: str
    machines: Annotated[list[RecordPart], Field(min_length=1)]


def path_of(folder: Path, retriever: str, dataset: str) -> Path:
    """The file of a retriever's times on a dataset, beside its baseline of scores."""
    return folder / escape(retriever) / f"{escape(dataset)}{SUFFIX}"


def load_latency(folder: Path, retriever: str, dataset: str) -> tuple[LatencyBaseline, ...]:
    """The stored times of each class of machine, the last written first.

    Raises:
        BaselineError: the file is malformed, with its line and what mends it.

    """
    document = _document(path_of(folder, retriever, dataset))
    if document is None:
        return ()
    return tuple(_baseline(document, record) for record in document.machines)


def save_latency(folder: Path, baseline: LatencyBaseline) -> None:
    """Write the times in place of those of the same class of machine, whole or not at all.

    Raises:
        BaselineError: the folder cannot be written to, or the present file is malformed.

    """
    path = path_of(folder, baseline.retriever, baseline.dataset)
    record = _record(baseline)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with folder_lock(path.parent):
            known = _document(path)
            others = [] if known is None or known.split != baseline.split else known.machines
            document = LatencyDocument(
                format=1,
                retriever=baseline.retriever,
                dataset=baseline.dataset,
                split=baseline.split,
                machines=[record, *(each for each in others if each.machine != record.machine)],
            )
            write_atomically({path: dump(document.model_dump(mode="json", exclude_none=False))})
    except OSError as error:
        raise BaselineError(
            f"cannot be written ({error.strerror or error})",
            file=path,
            remedy="name a folder that is writable",
        ) from error


def _document(path: Path) -> LatencyDocument | None:
    if not path.exists():
        return None
    document = read(path, BaselineError)
    try:
        return LatencyDocument.model_validate(document.value)
    except ValidationError as error:
        location, text = explain(error, LatencyDocument)[0]
        raise BaselineError(text, file=path, line=document.line(location), remedy=_REMEDY) from None


def _baseline(document: LatencyDocument, record: RecordPart) -> LatencyBaseline:
    return LatencyBaseline(
        document.retriever,
        document.dataset,
        document.split,
        record.fingerprints,
        Machine(**record.machine.model_dump()),
        Design(tuple(record.ratios), record.passes, record.repeats, record.streams),
        LatencySample(
            record.ratios,
            record.spread,
            {int(name[1:]): taken for name, taken in record.seconds.model_dump().items()},
            record.queries_per_second,
            Cost(**record.once.model_dump()),
            record.reference_seconds,
            record.on_processor,
        ),
        tuple(record.levels),
        **record.accepted.model_dump(),
        versions=record.versions,
    )


def _record(baseline: LatencyBaseline) -> RecordPart:
    sample = baseline.sample
    seconds = {f"p{share}": _rounded(taken) for share, taken in sample.percentiles.items()}
    return RecordPart(
        machine=MachinePart(**asdict(baseline.machine)),
        fingerprints=dict(baseline.fingerprints),
        accepted=AcceptedLatencyPart.model_validate(baseline),
        versions=dict(baseline.versions),
        seconds=SecondsPart.model_validate(seconds),
        queries_per_second=_rounded(sample.rate),
        once=CostPart(**asdict(sample.cost)),
        passes=baseline.design.passes,
        repeats=baseline.design.repeats,
        streams=baseline.design.streams,
        reference_seconds=_rounded(sample.reference_seconds),
        on_processor=_rounded(sample.on_processor),
        spread=_rounded(sample.spread),
        levels=[_rounded(level) for level in baseline.levels],
        ratios={query: _rounded(ratio) for query, ratio in sample.ratios.items()},
    )


def _rounded(value: float) -> float:
    """Six significant digits: times have no more."""
    return float(f"{value:.{_DECIMALS}g}")
