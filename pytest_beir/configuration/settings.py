"""What `beir.yaml` may hold: one model per section, with its defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    model_validator,
)

from pytest_beir.configuration.dataset_argument import NAME_RULE, is_name, parse_word
from pytest_beir.errors import ScoringError, UsageError
from pytest_beir.files.paths import user_path
from pytest_beir.flags import MAY_FAIL
from pytest_beir.scoring.measures import forms, nearest_metric, parse_metric
from pytest_beir.scoring.scorer import DEPTH
from pytest_beir.suggestions import did_you_mean

T = TypeVar("T")

# STATISTICS: the average exists to find diffuse loss, so its limits are narrower.
AVERAGE_MIN_EFFECT = 0.002
AVERAGE_MARGIN = 0.01


def _metric(name: str) -> str:
    if name.casefold().startswith("judged"):
        raise ValueError("Judged@10 is always recorded, and is never a metric of its own")
    try:
        metric = parse_metric(name)
    except ScoringError:
        raise ValueError(
            f"{name!r} is not a metric{nearest_metric(name) or '.'} Write one of"
            f" {forms(recorded=False)}"
        ) from None
    if (metric.cutoff or 0) > DEPTH:
        raise ValueError(f"{name!r} looks deeper than the {DEPTH} documents that are retrieved")
    return name


def _flag(name: str) -> str:
    if name not in (*MAY_FAIL, "default"):
        raise ValueError(
            f"unknown flag {name!r}{did_you_mean(name, MAY_FAIL)}"
            f" (flags: default, {', '.join(MAY_FAIL)})"
        )
    return name


def _word(word: str) -> str:
    parse_word(word)
    return word


def _name(name: str) -> str:
    if not is_name(name):
        raise ValueError(f"{name!r} is not a name ({NAME_RULE})")
    return name


def _folder(value: object, info: ValidationInfo) -> object:
    """A path counts from the folder of the file that names it."""
    if not isinstance(value, str):
        raise ValueError(f"expected a path, found {value!r}")  # noqa: TRY004 (pydantic's way)
    if not value.strip():
        raise ValueError("an empty path")
    try:
        return user_path(value, (info.context or {}).get("folder")).resolve()
    except UsageError as error:
        raise ValueError(str(error)) from None


def _some(values: tuple[T, ...]) -> tuple[T, ...]:
    if not values:
        raise ValueError("the list is empty: name something, or remove the key")
    return values


def _distinct(values: tuple[T, ...]) -> tuple[T, ...]:
    seen: set[object] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"{value!r} is given twice")
        seen.add(value)
    return values


# The models are strict, yet a YAML list may become a tuple.
Tuple = Annotated[tuple[T, ...], Field(strict=False)]
Some = Annotated[tuple[T, ...], Field(strict=False), AfterValidator(_some)]
MetricName = Annotated[str, AfterValidator(_metric)]
Text = Annotated[str, Field(min_length=1)]
FilePath = Annotated[Path, BeforeValidator(_folder)]
Metrics = Annotated[Some[MetricName], AfterValidator(_distinct)]
MinEffect = Annotated[float, Field(ge=0, le=1)]
Margin = Annotated[float, Field(gt=0, le=1)]


class Section(BaseModel):
    """A section of the file: frozen, unknown keys refused, no value converted in silence."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, validate_default=False
    )


class DatasetEntry(Section):
    """One entry of `datasets:`; a plain word is the same as `{name: WORD}`."""

    name: Annotated[str, AfterValidator(_name)]
    path: FilePath | None = None
    split: Text | None = None
    drop_identical_ids: bool | None = None
    weight: Annotated[float, Field(ge=1e-6, le=1e6)] = 1.0
    tolerant: bool = False

    @model_validator(mode="before")
    @classmethod
    def _from_word(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return value
        if not isinstance(value, str):
            raise ValueError(  # noqa: TRY004 (pydantic reports ValueErrors only)
                f"expected a name or {{name: …, path: …}}, found {value!r}; names that look like"
                " numbers go in quotes"
            )
        word = parse_word(value)
        return {"name": word.name} | ({"path": word.folder} if word.folder else {})

    @property
    def is_bare(self) -> bool:
        """Whether only a name was given, so that it may stand for a set or a suite."""
        return self.model_fields_set == {"name"}


class Override(Section):
    """Limits of one dataset; `floor` is the least mean of a metric, below which the test fails."""

    min_effect: MinEffect | None = None
    margin: Margin | None = None
    floor: dict[MetricName, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}


class Gate(Section):
    """What is tested, and what fails."""

    metrics: Metrics = ("nDCG@10",)
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    correction: Literal["bonferroni", "none"] = "bonferroni"
    min_effect: MinEffect = 0.005
    margin: Margin = 0.02
    allow_missing: Annotated[int, Field(ge=0)] = 0
    on_inconclusive: Literal["pass", "fail"] = "pass"
    corpus_change: Literal["flag", "fail"] = "flag"
    pool_suspect: Literal["fail", "flag"] = "fail"
    confirm: bool | Literal["always"] = True
    overrides: dict[str, Override] = {}

    def limits_for(self, dataset: str, *, average: bool = False) -> tuple[float, float]:
        """`(min_effect, margin)` in metric units, before the cap by the baseline's mean.

        With `average` the limits of the macro average: .002 and .01, or the gate's own where those
        are narrower; `dataset` is then not looked at.
        """
        if average:
            return min(AVERAGE_MIN_EFFECT, self.min_effect), min(AVERAGE_MARGIN, self.margin)
        override = self.overrides.get(dataset, Override())
        return (
            self.min_effect if override.min_effect is None else override.min_effect,
            self.margin if override.margin is None else override.margin,
        )

    def merged(self, other: Gate) -> Gate:
        """The gate with everything that `other` states explicitly in its place."""
        stated = {name: getattr(other, name) for name in other.model_fields_set}
        if "overrides" in stated:
            overrides = dict(self.overrides)
            for dataset, override in other.overrides.items():
                below = overrides.get(dataset, Override())
                overrides[dataset] = below.model_copy(
                    update={name: getattr(override, name) for name in override.model_fields_set}
                )
            stated["overrides"] = overrides
        return self.model_copy(update=stated)


class RetrieverSettings(Section):
    """What one retriever differs in; `trained_on` None means unknown, `()` means nothing."""

    trained_on: Tuple[Text] | None = None
    gate: Gate = Gate()


class PublishedAverage(Section):
    """A published figure to show beside our average; one without its set can only be refused."""

    name: Text
    set: Text | None = None
    members: Tuple[Text] | None = None
    metric: MetricName = "nDCG@10"
    value: Annotated[float, Field(ge=0, le=1)]


class AverageSettings(Section):
    """What the average is compared with."""

    compare_to: Tuple[PublishedAverage] = ()


class ReportSettings(Section):
    """What reports may contain: without `texts`, ids only."""

    texts: bool = True


class LatencySettings(Section):
    """When searches are slower; changes are shares of the stored time."""

    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    min_effect: Annotated[float, Field(ge=0, le=10)] = 0.10
    margin: Annotated[float, Field(gt=0, le=10)] = 0.20
    seconds: Annotated[float, Field(gt=0, le=3600)] = 20.0

    @model_validator(mode="after")
    def _margin_is_the_larger(self) -> LatencySettings:
        if self.min_effect > self.margin:
            raise ValueError(
                f"min_effect {self.min_effect:g} is larger than margin {self.margin:g}: lower the"
                " one or raise the other"
            )
        return self


class Groups(Section):
    """The metadata field that holds a query's group, and the groups that are gated."""

    field: Text
    gate: Annotated[Tuple[Text], AfterValidator(_distinct)] = ()


class Settings(Section):
    """The whole file."""

    datasets: Some[DatasetEntry] | None = None
    suites: dict[
        Annotated[str, AfterValidator(_name)],
        Annotated[Some[Annotated[str, AfterValidator(_word)]], AfterValidator(_distinct)],
    ] = {}
    metrics: Metrics = ("nDCG@10", "R@100")
    gate: Gate = Gate()
    retrievers: dict[Text, RetrieverSettings] = {}
    average: AverageSettings = AverageSettings()
    report: ReportSettings = ReportSettings()
    latency: LatencySettings = LatencySettings()
    mirror: Text | None = None
    groups: Groups | None = None
    pinned: FilePath | None = None
    profile: FilePath | None = None
    strict: Tuple[Annotated[str, AfterValidator(_flag)]] = ()
    query_batch: Annotated[int, Field(ge=1)] = 1000
