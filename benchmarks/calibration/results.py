"""What one run of the calibration measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.calibration import (
        harmless,
        pools,
        power,
        releases,
        single_test,
        small_sets,
        suites,
        tolerance,
    )


@dataclass(frozen=True)
class Results:
    """Everything that one run measures: verdicts and flags first, then the test itself."""

    tolerance: tolerance.Tolerance
    sessions: tuple[harmless.Sessions, ...]
    suites: suites.Suites
    small: small_sets.SmallSets
    single: single_test.SingleTest
    power: tuple[power.Cell, ...]
    histories: releases.Histories
    pools: pools.Pools
