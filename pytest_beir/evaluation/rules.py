"""What a retriever's evaluations are decided by: the gate, its family, and what may be written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.gate.family import Family, Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.configuration.config import Config
    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.configuration.settings import Gate, Groups


@dataclass(frozen=True)
class Rules:
    """The rules for one retriever in one declared suite.

    `gate` is the gate as it stands for this retriever, `family` shares its α over the declared
    suite; `permitted` are the kinds of baselines that may be written, `strict` the flags that
    fail. `trained_on` is what `beir.yaml` says of the retriever, None where it says nothing.
    """

    gate: Gate
    family: Family
    permitted: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()
    groups: Groups | None = None
    trained_on: frozenset[str] | None = None

    def limits(self, dataset: str) -> Limits:
        """The limits of a dataset before the cap by its baseline's mean."""
        min_effect, margin = self.gate.limits_for(dataset)
        return Limits(min_effect, margin)

    def floors(self, dataset: str) -> Mapping[str, float]:
        """The least mean of each metric below which the dataset's test fails."""
        override = self.gate.overrides.get(dataset)
        return {} if override is None else override.floor

    @property
    def average_limits(self) -> Limits:
        """The limits of an average before the cap by its baseline."""
        min_effect, margin = self.gate.limits_for("", average=True)
        return Limits(min_effect, margin)


def rules_for(
    config: Config,
    retriever: str,
    declared: Sequence[DeclaredDataset],
    permitted: frozenset[str] = frozenset(),
    strict: frozenset[str] = frozenset(),
) -> Rules:
    """The rules for a retriever in a declared suite, as `beir.yaml` sets them."""
    gate = config.gate_for(retriever)
    family = Family(
        datasets={each.name: (each.weight, gate.metrics) for each in declared},
        alpha=gate.alpha,
        correction=gate.correction,
    )
    return Rules(gate, family, permitted, strict, config.groups, config.trained_on(retriever))
