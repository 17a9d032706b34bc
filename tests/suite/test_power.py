"""What the power of a suite is taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.suite.power import _vectors

if TYPE_CHECKING:
    from tests.conftest import Lab


def test_the_vectors_of_a_metric_are_those_of_a_baseline_that_has_it(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement(lab.late(3)), lab.measurement())
    assert _vectors(None, "nDCG@10") is None
    assert _vectors(stored, "P@5") is None
    assert _vectors(stored, "nDCG@10") == (stored.current["nDCG@10"], stored.anchor["nDCG@10"])
