"""Names in `beir.yaml` that the run never met: what they gate would never fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.evaluation.groups import never_met
from pytest_beir.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pytest_beir.configuration.config import Config
    from pytest_beir.suite.run import SuiteRun


@dataclass(frozen=True)
class Misnamed:
    """A key of the configuration whose names fit nothing, and what to say of it."""

    key: str
    text: str


def misnamed(run: SuiteRun, config: Config, stored: Collection[str]) -> tuple[Misnamed, ...]:
    """What fails a complete run because its configuration gates what is not there.

    `stored` are the retrievers that have baselines: one of these may be tested elsewhere.
    """
    if run.did_not_run or not run.evaluations:
        return ()
    return (*_groups(run, config), *_retrievers(run, config, stored))


def _groups(run: SuiteRun, config: Config) -> Iterator[Misnamed]:
    if config.groups is None or any(each.verdict == "error" for each in run.evaluations):
        return
    met = {group.name for each in run.evaluations for group in each.findings.groups}
    complaint = never_met(config.groups.gate, met)
    if complaint:
        yield Misnamed("groups", complaint)


def _retrievers(run: SuiteRun, config: Config, stored: Collection[str]) -> Iterator[Misnamed]:
    """Settings of a retriever that is not there, where another one was probably meant."""
    ran = [family.name for family in run.retrievers]
    unclaimed = [name for name in ran if name not in config.retrievers]
    for name in config.retrievers:
        meant = nearest(name, unclaimed)
        if name not in ran and name not in stored and meant is not None:
            yield Misnamed(
                "retrievers",
                f"retrievers: {name}: no retriever of this run is called that, so its settings "
                f"apply to none; did you mean {meant!r}?",
            )
