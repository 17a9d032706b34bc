"""What repeated retrievals showed, in a line."""

from __future__ import annotations

import pytest

from pytest_beir.gate.noise import Noise
from pytest_beir.reports.explanations import repeats_line


@pytest.mark.parametrize(
    ("varying", "named"),
    [(1, "q0"), (3, "q0, q1, q2"), (4, "q0, q1, q2, …")],
)
def test_three_queries_that_varied_are_named(varying: int, named: str) -> None:
    noise = Noise("nDCG@10", 3, 40, 0.01, {"q0": 0.2, "q1": 0.1})
    still = Noise("R@100", 3, 40, 0.0, {})
    told = repeats_line([noise, still], [f"q{number}" for number in range(varying)])
    # A drop between two runs: 1.645 times the root of two times the deviation of one.
    assert told == (
        f"noisy: 3 retrievals ranked {varying} of 40 queries differently ({named}); nDCG@10 of"
        " 2 queries varies, of the mean by sd .0100: a drop up to .0233 is within the noise"
    )


def test_an_order_that_varies_may_leave_every_score_alone() -> None:
    still = Noise("R@100", 3, 40, 0.0, {})
    assert repeats_line([still], ["q7"]).endswith("differently (q7); no score varies")
    assert repeats_line([still], []) == "deterministic: 3 retrievals ranked all of 40 queries alike"
