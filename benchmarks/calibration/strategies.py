"""What a baseline may be: the update table's two vectors, and three simpler habits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from benchmarks.calibration import gate
from pytest_beir.baselines.update import UPDATE, MetricOutcome, plan
from pytest_beir.gate.family import Limits
from pytest_beir.gate.verdict import MetricVerdict, judge_members

if TYPE_CHECKING:
    from collections.abc import Collection

    from benchmarks.calibration.pairs import Units

METRIC = "nDCG@10"
CAREFUL = UPDATE | {"neutral"}


class Strategy(Protocol):
    """A gate with a memory: told of each release, it says whether the release fails."""

    name: str

    def fails(self, release: Units) -> bool: ...


@dataclass
class Previous:
    """Against the release before, whatever that was."""

    baseline: Units
    level: float
    name: str = "previous only"

    def fails(self, release: Units) -> bool:
        failed = _fails(self.baseline, release, self.level)
        self.baseline = release
        return failed


@dataclass
class Fixed:
    """Against the first release for ever."""

    baseline: Units
    level: float
    name: str = "one fixed vector"

    def fails(self, release: Units) -> bool:
        return _fails(self.baseline, release, self.level)


@dataclass
class HighWater:
    """Against the release with the highest mean so far."""

    baseline: Units
    level: float
    name: str = "high-water"

    def fails(self, release: Units) -> bool:
        failed = _fails(self.baseline, release, self.level)
        if release.sum() > self.baseline.sum():
            self.baseline = release
        return failed


@dataclass
class Table:
    """Both vectors under the update table; the maintainer writes whatever `permitted` allows.

    `accepted` are the numbers of releases (from 0) that he takes with a reason, drop or not,
    unless they fail.
    """

    current: Units
    level: float
    permitted: Collection[str] = CAREFUL
    accepted: Collection[int] = ()
    name: str = "update table"
    anchor: Units = field(init=False)
    verdict: MetricVerdict | None = field(init=False, default=None)
    is_rebased: bool = field(init=False, default=False)
    releases: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.anchor = self.current

    def fails(self, release: Units) -> bool:
        verdict = judge_members(
            METRIC,
            (_scores(release),),
            (_scores(self.current),),
            (_scores(self.anchor),),
            level=self.level,
            limits=Limits(),
        )
        self.verdict = verdict
        failed = verdict.verdict == "regressed"
        if not failed:
            self._update(release, verdict)
        self.releases += 1
        return failed

    def _update(self, release: Units, verdict: MetricVerdict) -> None:
        assert verdict.current is not None  # noqa: S101 - there is a baseline
        anchored = verdict.against_anchor
        outcome = MetricOutcome(
            METRIC,
            gated=True,
            against_current=verdict.current.verdict,
            against_anchor=None if anchored is None else anchored.verdict,
            dropped=verdict.has_drop,
        )
        permitted = {*self.permitted}
        if self.releases in self.accepted:
            permitted.add("dropped")
        update = plan([outcome], permitted).update
        self.is_rebased = update is not None and update.current
        if update is not None and update.current:
            self.current = release
        if update is not None and update.anchor:
            self.anchor = release


def _scores(release: Units) -> list[float]:
    return (release / 1e4).tolist()


def _fails(baseline: Units, release: Units, level: float) -> bool:
    effective = gate.limits(float(baseline.mean()) / 1e4)
    return gate.is_regressed(release - baseline, level, effective)
