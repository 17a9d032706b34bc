"""The tests that share one alpha, and the limits below which a change does not matter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pytest_beir.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_RELATIVE_MIN_EFFECT = 0.025
_RELATIVE_MARGIN = 0.10
_AVERAGE_WEIGHT = 1.0
_FEWEST_AVERAGED = 2
_FEWEST_DIFFUSE = 4  # with two, the average and the diffuse test would eat half of alpha
_LIKELY_ALPHA = 0.10


@dataclass(frozen=True)
class Limits:
    """`min_effect`, the least drop that fails, and `margin`, the least that must be excluded."""

    min_effect: float = 0.005
    margin: float = 0.02

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_effect <= self.margin < float("inf"):
            raise ConfigError(
                f"min_effect is {self.min_effect!r} and margin {self.margin!r}: "
                "both must be at least 0, and min_effect at most margin"
            )

    def effective(self, mean: float) -> Limits:
        """The limits for a metric of this mean: at most 2.5 % and 10 % of it."""
        size = abs(mean)
        return Limits(
            min(self.min_effect, _RELATIVE_MIN_EFFECT * size),
            min(self.margin, _RELATIVE_MARGIN * size),
        )


AVERAGE_LIMITS = Limits(min_effect=0.002, margin=0.01)


@dataclass(frozen=True)
class Family:
    """All tests of one retriever over the declared suite, whichever of them run.

    `datasets` maps each declared dataset to its weight and its gated metrics. With at least two
    datasets every gated metric has one average, and from four on one diffuse test, of weight 1
    each. `alpha` is the chance that a
    harmless change fails anything; with the correction `none` each test has it to itself.
    """

    datasets: Mapping[str, tuple[float, tuple[str, ...]]]
    alpha: float = 0.05
    correction: Literal["bonferroni", "none"] = "bonferroni"

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 1.0:
            raise ConfigError(f"alpha is {self.alpha!r}; it must lie between 0 and 1")
        if self.correction not in ("bonferroni", "none"):
            raise ConfigError(f"correction is {self.correction!r}; it is `bonferroni` or `none`")
        for dataset, (weight, _) in self.datasets.items():
            if not 0.0 < weight < float("inf"):
                raise ConfigError(
                    f"the weight of {dataset} is {weight!r}; it must be a positive number"
                )

    @cached_property
    def averages(self) -> tuple[str, ...]:
        """The metrics whose average is tested."""
        return self._gated if len(self.datasets) >= _FEWEST_AVERAGED else ()

    @cached_property
    def diffuse(self) -> tuple[str, ...]:
        """The metrics that are tested for a small loss everywhere."""
        return self._gated if len(self.datasets) >= _FEWEST_DIFFUSE else ()

    @cached_property
    def _gated(self) -> tuple[str, ...]:
        return tuple(_distinct(m for _, metrics in self.datasets.values() for m in metrics))

    @property
    def tests(self) -> int:
        """How many tests share alpha, those over all datasets included."""
        alone = sum(len(set(metrics)) for _, metrics in self.datasets.values())
        return alone + len(self.averages) + len(self.diffuse)

    @cached_property
    def weights(self) -> float:
        """The sum of the weights of all tests."""
        gated = sum(weight * len(set(metrics)) for weight, metrics in self.datasets.values())
        return gated + _AVERAGE_WEIGHT * (len(self.averages) + len(self.diffuse))

    def level(self, dataset: str) -> float:
        """The level at which each metric of the dataset is tested, or would be."""
        return self.alpha * self._share(self._weight(dataset))

    def likely(self, level: float) -> float:
        """The p at which a drop is likely though not significant at `level`: its share of .10."""
        return _LIKELY_ALPHA * level / self.alpha

    @property
    def average_level(self) -> float:
        """The level at which the average, or the diffuse test, of a gated metric is tested."""
        return self.alpha * self._share(_AVERAGE_WEIGHT)

    def _weight(self, dataset: str) -> float:
        if dataset not in self.datasets:
            raise ConfigError(
                f"{dataset} is not of the declared suite ({', '.join(self.datasets)})"
            )
        return self.datasets[dataset][0]

    def _share(self, weight: float) -> float:
        # Where nothing is gated there is nothing to share with.
        return 1.0 if self.correction == "none" or not self.weights else weight / self.weights


def _distinct(metrics: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(metrics)
