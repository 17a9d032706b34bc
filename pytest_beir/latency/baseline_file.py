"""`<dataset>.latency.yaml`: what a retriever's searches took when they were last accepted."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_beir.baselines.store import LATENCY as SUFFIX
from pytest_beir.errors import BaselineError
from pytest_beir.files.atomic import folder_lock, write_atomically
from pytest_beir.files.file_names import escape
from pytest_beir.files.validation_messages import explain
from pytest_beir.files.yaml_with_lines import dump, read
from pytest_beir.latency.machine import Machine
from pytest_beir.latency.sample import Cost, LatencySample

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LatencyCategory: TypeAlias = Literal["new", "faster", "slower"]
_DECIMALS = 6
_REMEDY = "restore it from version control, or delete it and store anew with --beir-update"

Positive = Annotated[float, Field(gt=0.0)]


@dataclass(frozen=True)
class LatencyBaseline:
    """A sample with the dataset, machine and circumstances that it was taken in.

    `fingerprints` are SHA-256 of the queries and of the corpus. `written` is an ISO date.
    """

    retriever: str
    dataset: str
    split: str
    fingerprints: Mapping[str, str | None]
    machine: Machine
    sample: LatencySample
    written: str
    commit: str | None
    category: LatencyCategory
    reason: str | None
    versions: Mapping[str, str | None]


class _LatencyPart(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class MachinePart(_LatencyPart):
    """The class of machine."""

    processor: str
    architecture: str
    cores: Annotated[int, Field(ge=1)]
    system: str
    python: str
    accelerator: str | None = None


class CostPart(_LatencyPart):
    """What was measured once."""

    index_seconds: float | None = None
    index_bytes: int | None = None
    resident_bytes: int | None = None
    batch_rate: float | None = None


class AcceptedLatencyPart(_LatencyPart):
    """When and why the times were stored."""

    written: str
    commit: str | None
    category: LatencyCategory
    reason: str | None


class LatencyDocument(_LatencyPart):
    """The whole file; `ratios` are search time by reference time, per query."""

    format: Literal[1]
    retriever: str
    dataset: str
    split: str
    fingerprints: dict[str, str | None]
    machine: MachinePart
    accepted: AcceptedLatencyPart
    versions: dict[str, str | None]
    seconds: dict[str, Positive]
    queries_per_second: Positive
    once: CostPart
    spread: Annotated[float, Field(ge=0.0)]
    ratios: Annotated[dict[str, Positive], Field(min_length=1)]


def path_of(folder: Path, retriever: str, dataset: str) -> Path:
    """The file of a retriever's times on a dataset, beside its baseline of scores."""
    return folder / escape(retriever) / f"{escape(dataset)}{SUFFIX}"


def load_latency(folder: Path, retriever: str, dataset: str) -> LatencyBaseline | None:
    """The stored times, None where there are none.

    Raises:
        BaselineError: the file is malformed, with its line and what mends it.

    """
    path = path_of(folder, retriever, dataset)
    if not path.exists():
        return None
    document = read(path, BaselineError)
    try:
        content = LatencyDocument.model_validate(document.value)
        percentiles = {
            int(name.removeprefix("p")): taken for name, taken in content.seconds.items()
        }
    except ValidationError as error:
        location, text = explain(error, LatencyDocument)[0]
        raise BaselineError(text, file=path, line=document.line(location), remedy=_REMEDY) from None
    except ValueError:
        line = document.line(("seconds",))
        raise BaselineError(
            "'seconds' has p50, p95 and p99", file=path, line=line, remedy=_REMEDY
        ) from None
    return LatencyBaseline(
        content.retriever,
        content.dataset,
        content.split,
        content.fingerprints,
        Machine(**content.machine.model_dump()),
        LatencySample(
            content.ratios,
            content.spread,
            percentiles,
            content.queries_per_second,
            Cost(**content.once.model_dump()),
        ),
        **content.accepted.model_dump(),
        versions=content.versions,
    )


def save_latency(folder: Path, baseline: LatencyBaseline) -> None:
    """Write the file, whole or not at all.

    Raises:
        BaselineError: the folder cannot be written to.

    """
    sample = baseline.sample
    document = LatencyDocument(
        format=1,
        retriever=baseline.retriever,
        dataset=baseline.dataset,
        split=baseline.split,
        fingerprints=dict(baseline.fingerprints),
        machine=MachinePart(**asdict(baseline.machine)),
        accepted=AcceptedLatencyPart(
            written=baseline.written,
            commit=baseline.commit,
            category=baseline.category,
            reason=baseline.reason,
        ),
        versions=dict(baseline.versions),
        seconds={f"p{share}": _rounded(taken) for share, taken in sample.percentiles.items()},
        queries_per_second=_rounded(sample.rate),
        once=CostPart(**asdict(sample.cost)),
        spread=sample.spread,
        ratios={query: _rounded(ratio) for query, ratio in sample.ratios.items()},
    )
    path = path_of(folder, baseline.retriever, baseline.dataset)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with folder_lock(path.parent):
            write_atomically({path: dump(document.model_dump(mode="json", exclude_none=False))})
    except OSError as error:
        raise BaselineError(
            f"cannot be written ({error.strerror or error})",
            file=path,
            remedy="name a folder that is writable",
        ) from error


def _rounded(value: float) -> float:
    """Six significant digits: times have no more."""
    return float(f"{value:.{_DECIMALS}g}")
