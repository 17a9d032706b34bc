"""What the power of a suite is taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.gate.power import suggested_floor
from pytest_beir.suite.power import _floor, _Known, _vectors

if TYPE_CHECKING:
    from tests.conftest import Lab


def test_the_vectors_of_a_metric_are_those_of_a_baseline_that_has_it(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement(lab.late(3)), lab.measurement())
    assert _vectors(None, "nDCG@10") is None
    assert _vectors(stored, "P@5") is None
    assert _vectors(stored, "nDCG@10") == (stored.current["nDCG@10"], stored.anchor["nDCG@10"])


@pytest.mark.parametrize(
    ("sizes", "suggested"), [((60,), True), ((30, 30), True), ((99,), True), ((100,), False)]
)
def test_a_floor_is_suggested_for_what_is_too_small_to_exclude_a_drop(
    sizes: tuple[int, ...], suggested: bool
) -> None:
    members = [_Known(sizes, None, None, None)]
    assert _floor(0.7, members) == (suggested_floor(0.7, sum(sizes)) if suggested else None)
    assert _floor(None, members) is None
    assert _floor(0.7, []) is None
