"""What other tools would have done with the same differences."""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtr
from scipy.stats import bootstrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.calibration.pairs import Units

THRESHOLD = 0.01
RANX_LEVEL = 0.01  # the default `max_p` of `ranx.compare`, of a two-sided test
RESAMPLES = 9999  # scipy's default
_BATCH_VALUES = 2**20

os.environ.setdefault("NUMBA_NUM_THREADS", "1")


def t_test(units: Units) -> float:
    """The one-sided p of the paired t-test for a drop."""
    n, sd = len(units), float(units.std(ddof=1))
    if sd == 0.0:
        return 1.0 if units[0] >= 0 else 0.0
    return float(stdtr(n - 1, float(units.mean()) / (sd / math.sqrt(n))))


def falls_below_threshold(units: Units) -> bool:
    return float(units.mean()) <= -THRESHOLD * 1e4 + 1e-9


@dataclass(frozen=True)
class Scipy:
    """One-sided intervals of `scipy.stats.bootstrap`: a drop where the upper end is below zero."""

    percentile: tuple[bool, ...]
    bca: tuple[bool, ...]


def scipy_bootstrap(units: Units, levels: Sequence[float], rng: np.random.Generator) -> Scipy:
    """Both methods at each level, from one set of resamples."""
    nothing = (False,) * len(levels)
    if not units.any():
        return Scipy(nothing, nothing)
    result: Any = None
    found: dict[str, tuple[bool, ...]] = {}
    for method in ("percentile", "BCa"):
        found[method] = ()
        for level in levels:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                # BCa warns of degenerate resamples and gives NaN: then nothing is found.
                warnings.simplefilter("ignore")
                result = bootstrap(
                    (units / 1e4,),
                    np.mean,
                    n_resamples=0 if result is not None else RESAMPLES,
                    bootstrap_result=result,
                    batch=max(1, _BATCH_VALUES // len(units)),
                    vectorized=True,
                    method=method,
                    alternative="less",
                    confidence_level=1.0 - level,
                    rng=rng,
                )
            found[method] += (bool(result.confidence_interval.high < 0.0),)
    return Scipy(found["percentile"], found["BCa"])


@cache
def ranx_test() -> Callable[..., Any] | None:
    """The test that `ranx.compare` applies to per-query scores, None where it is not installed."""
    try:
        from ranx.statistical_tests import compute_statistical_significance
    except ImportError:
        return None
    else:
        return compute_statistical_significance


def ranx_version() -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ranx")
    except PackageNotFoundError:
        return None


def ranx_finds_a_drop(before: Units, units: Units, test: str = "student") -> bool:
    """Whether `ranx.compare` marks the two runs as different and the candidate is the lower one.

    Without ranx: its documented default, the two-sided paired t-test at p <= .01.
    """
    if units.sum() >= 0:
        return False
    significance = ranx_test()
    if significance is None:
        return 2.0 * t_test(units) <= RANX_LEVEL
    scores = {
        "before": {"ndcg@10": before / 1e4},
        "after": {"ndcg@10": (before + units) / 1e4},
    }
    found = significance(["before", "after"], scores, stat_test=test, max_p=RANX_LEVEL)
    return bool(found[frozenset(["before", "after"])]["ndcg@10"]["significant"])
