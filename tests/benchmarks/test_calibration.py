"""The pure parts of the calibration: what its changes are, and that its shortcuts are none."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_beir.gate.comparison import compare_scores

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def calibration(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: import_module(f"benchmarks.calibration.{name}")


@pytest.fixture
def pair(calibration: Any) -> Any:
    gaps = np.array([0, 0, 0, 100, -300, 700, 0, -2000, 50, 10_000])
    return calibration("pairs").Pair("made up", np.full(10, 5000), gaps)


def test_a_drop_has_the_mean_that_was_asked_for(pair: Any) -> None:
    rng = np.random.default_rng(1)
    gaps = pair.drop(rng, 200_000, 0.05)
    error = gaps.std() / 1e4 / np.sqrt(gaps.size)
    assert gaps.mean() / 1e4 == pytest.approx(-0.05, abs=4 * error)
    assert set(np.abs(gaps)) <= set(np.abs(pair.gaps))


def test_a_pair_refuses_a_drop_beyond_its_magnitudes(pair: Any) -> None:
    with pytest.raises(ValueError, match="cannot lose"):
        pair.drop(np.random.default_rng(1), 10, 1.01 * pair.reach)


def test_a_lopsided_change_is_harmless_on_average(calibration: Any, pair: Any) -> None:
    many = calibration("pairs").Pair("many", pair.before, np.arange(-5000, 5001, 50))
    skewed = calibration("pairs").Skewed("skewed", many, 0.4)
    gaps = skewed.null(np.random.default_rng(2), 400_000)
    assert gaps.mean() == pytest.approx(0.0, abs=4 * gaps.std() / np.sqrt(gaps.size))
    assert np.count_nonzero(gaps < 0) > 2 * np.count_nonzero(gaps > 0)


@pytest.mark.parametrize("n", [30, 200, 1500])
def test_what_is_skipped_as_harmless_has_a_large_p(calibration: Any, pair: Any, n: int) -> None:
    gate = calibration("gate")
    rng = np.random.default_rng(n)
    skipped = 0
    for _ in range(60):
        gaps = pair.null(rng, n)
        full = compare_scores([0.0] * n, (gaps / 1e4).tolist())
        if gate.is_surely_harmless(gaps):
            skipped += 1
            assert full.p_signflip > 0.05
        else:
            parts = gate.both_parts(gaps)
            assert parts.p == pytest.approx(full.p_drop, rel=1e-9)
    assert skipped > 30


def test_a_rate_knows_its_error_also_where_nothing_was_hit(calibration: Any) -> None:
    rate = calibration("monte_carlo").Rate
    assert rate(50, 1000).value == 0.05
    assert rate(50, 1000).error == pytest.approx(np.sqrt(0.05 * 0.95 / 1000), rel=0.01)
    assert rate(100, 1000, 0.5).value == 0.05
    assert rate(0, 1000).error > 0.0
    assert rate(71, 1000).chance_if(0.05) == pytest.approx(0.0024, abs=0.001)
