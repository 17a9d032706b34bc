"""The verdict on a metric over both stored vectors."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeAlias

import pytest

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.family import Limits
from pytest_beir.gate.verdict import MetricVerdict, judge_metric

Scores: TypeAlias = dict[str, float]

LEVEL = 0.02


def scores(*groups: tuple[int, float], base: float = 0.5, n: int = 400) -> dict[str, float]:
    """`n` queries at `base`, of which the first so many differ from it by so much, in groups."""
    values = [base] * n
    start = 0
    for count, change in groups:
        values[start : start + count] = [base + change] * count
        start += count
    return {f"q{i:03}": round(value, 6) for i, value in enumerate(values)}


BASE = scores()


def judged(now: dict[str, float], current: Any = BASE, anchor: Any = None, **given: Any) -> Any:
    settings: dict[str, Any] = {"level": LEVEL, "limits": Limits()} | given
    return judge_metric("nDCG@10", now, current, anchor, **settings)


@pytest.mark.parametrize(
    ("now", "verdict", "reason"),
    [
        (BASE, "unchanged", None),
        (scores((20, -0.2)), "regressed", None),
        (scores((20, 0.2)), "improved", None),
        (scores((20, -0.05), (20, 0.05)), "within tolerance", None),
        (scores((4, -0.9), n=120), "inconclusive", "too few changed queries"),
        (scores((60, -0.5), (50, 0.5)), "inconclusive", "underpowered"),
    ],
)
def test_one_vector_gives_the_verdict_of_the_comparison(
    now: Scores, verdict: str, reason: str | None
) -> None:
    found = judged(now, scores(n=len(now)))
    assert (found.verdict, found.reason) == (verdict, reason)
    assert found.current.verdict == verdict
    assert (found.alpha, found.level, found.against_anchor) == (LEVEL, LEVEL, None)
    assert found.regressed_against == (("current",) if verdict == "regressed" else ())


def test_without_a_baseline_the_score_is_all_there_is() -> None:
    found = judged(BASE, None)
    assert found == MetricVerdict(
        "nDCG@10", gated=True, verdict="no baseline", reason=None, now=0.5, level=LEVEL
    )
    ungated = judged(BASE, None, gated=False)
    assert (ungated.verdict, ungated.now, ungated.alpha) == (None, 0.5, None)


def test_an_anchor_equal_after_rounding_is_no_second_test() -> None:
    noisy = {query: score + 3e-5 for query, score in BASE.items()}
    found = judged(scores((20, -0.2)), BASE, noisy)
    assert (found.alpha, found.against_anchor) == (LEVEL, None)


def test_two_vectors_are_tested_at_half_the_level_each() -> None:
    # Six of six changed queries fell: p is 1/64, below .02 and above .01.
    now = scores((6, -0.5))
    assert judged(now).verdict == "regressed"
    found = judged(now, BASE, scores((6, 0.01)))
    assert (found.alpha, found.level) == (LEVEL / 2, LEVEL)
    assert found.current.p_drop == pytest.approx(1 / 64)
    assert found.current.alpha == LEVEL / 2
    assert found.against_anchor.p_drop == pytest.approx(1 / 64)
    assert (found.verdict, found.flags) == ("within tolerance", ())
    assert found.has_drop


def test_gains_are_tested_at_the_whole_level() -> None:
    found = judged(scores((6, 0.5)), BASE, scores((3, 0.01)))
    assert found.alpha == LEVEL / 2
    assert found.current.p_gain == pytest.approx(1 / 64)
    assert found.verdict == "improved"


@pytest.mark.parametrize(
    ("now", "current", "anchor", "failed", "reason"),
    [
        (scores((20, -0.2)), BASE, scores((20, -0.2), (3, 0.01)), ("current",), "against current"),
        (scores((20, -0.2)), scores((20, -0.2)), BASE, ("anchor",), "against anchor"),
        (
            scores((20, -0.2)),
            scores((20, -0.05)),
            BASE,
            ("current", "anchor"),
            "against current and anchor",
        ),
    ],
)
def test_a_regression_says_against_which_vector(
    now: Scores, current: Scores, anchor: Scores, failed: tuple[str, ...], reason: str
) -> None:
    found = judged(now, current, anchor)
    assert found.verdict == "regressed"
    assert (found.regressed_against, found.reason) == (failed, reason)
    assert found.against_anchor.verdict == (
        "regressed" if "anchor" in failed else "within tolerance"
    )


def test_rules_below_regressed_look_at_the_current_vector_alone() -> None:
    # Much better than the anchor, the same as the current vector.
    found = judged(scores((20, 0.2)), scores((20, 0.2)), BASE)
    assert (found.verdict, found.against_anchor.verdict) == ("unchanged", "improved")


def test_limits_are_capped_by_the_mean_of_the_vector_tested() -> None:
    current, anchor = scores(base=0.04), scores(base=0.02)
    found = judged(scores(base=0.05), current, anchor)
    assert (found.min_effect, found.margin) == pytest.approx((0.001, 0.004))
    assert found.against_anchor.min_effect == pytest.approx(0.0005)
    assert found.against_anchor.margin == pytest.approx(0.002)
    assert (found.now, found.baseline, found.anchor) == pytest.approx((0.05, 0.04, 0.02))


def test_a_low_mean_fails_on_a_drop_that_the_absolute_limit_would_pass() -> None:
    # Recall .0200 to .0160: four thousandths, a fifth of it.
    found = judged(scores((160, -0.01), base=0.02), scores(base=0.02))
    assert found.current.delta == pytest.approx(-0.004)
    assert found.verdict == "regressed"


def test_a_metric_that_is_not_gated_has_numbers_and_no_verdict() -> None:
    found = judged(scores((20, -0.2)), gated=False)
    assert (found.verdict, found.alpha, found.gated) == (None, None, False)
    assert found.current.delta == pytest.approx(-0.01)
    assert found.flags == ("suspect:nDCG@10",)
    assert found.has_drop


@pytest.mark.parametrize(
    ("now", "anchor", "flags"),
    [
        (BASE, None, ()),
        # p below .01 but the drop below min_effect
        (scores((12, -0.1)), None, ("suspect:nDCG@10",)),
        # regressed: no suspicion beside the verdict, and without a step taken no drift
        (scores((30, -0.2)), None, ()),
        # of the loss most rests on three queries
        (scores((3, -0.4), (2, -0.05)), None, ("fragile",)),
    ],
)
def test_flags_say_what_verdicts_do_not(
    now: Scores, anchor: Scores | None, flags: tuple[str, ...]
) -> None:
    assert judged(now, BASE, anchor).flags == flags


def test_a_gain_is_never_fragile() -> None:
    assert judged(scores((2, -0.1), (40, 0.1))).flags == ()


def test_drift_is_measured_from_the_anchor() -> None:
    anchor, current = BASE, scores((40, -0.09))
    found = judged(scores((40, -0.1)), current, anchor)
    assert "drift" in found.flags
    assert found.current.delta == pytest.approx(-0.001)
    assert found.against_anchor.delta == pytest.approx(-0.01)


@pytest.mark.parametrize(
    ("now", "is_likely"),
    [
        (scores((8, -0.5), n=50), True),
        # four of fifty lost everything, .80 to .736, and nothing is on the other side
        (scores((4, -0.8), base=0.8, n=50), True),
        (scores((3, -0.8), base=0.8, n=50), False),
        (scores((2, -0.8), base=0.8, n=2), True),  # all of them
        # five lost and one gained: p is 7/64, above twice the level
        (scores((5, -0.8), (1, 0.1), base=0.8, n=50), False),
    ],
)
def test_a_drop_of_the_margin_is_likely_where_p_or_the_count_says_so(
    now: Scores, is_likely: bool
) -> None:
    base = now["q049"] if len(now) == 50 else 0.8
    found = judged(now, scores(base=base, n=len(now)), level=0.05 / 18)
    assert (found.verdict, found.reason) == ("inconclusive", "too few queries")
    assert ("likely-drop" in found.flags) is is_likely


@pytest.mark.parametrize(("n", "level", "is_toothless"), [(4, 0.05, True), (5, 0.05, False)])
def test_a_test_that_can_never_fail_is_toothless(n: int, level: float, is_toothless: bool) -> None:
    base = scores(n=n)
    for current in (base, None):
        assert ("toothless" in judged(base, current, level=level).flags) is is_toothless
    assert "toothless" not in judged(base, base, level=level, gated=False).flags
    # Tested against two vectors, each has half of the level.
    assert (
        "toothless"
        in judged(
            scores(n=5), base if n == 5 else scores(n=5), scores((1, 0.1), n=5), level=0.05
        ).flags
    )


def test_copies_of_a_query_are_one_unit_in_both_vectors() -> None:
    units = {f"q{i:03}": "q000" for i in range(10)}
    found = judged(scores((10, -0.5), n=150), scores(n=150), units=units)
    assert (found.current.n, found.current.worse) == (141, 1)
    assert found.current.delta == pytest.approx(-10 * 0.5 / 150)
    assert found.current.p_signflip == 0.5


def test_a_drop_within_the_noise_is_inconclusive() -> None:
    now = scores((20, -0.2))
    assert judged(now, noise=0.0099).verdict == "regressed"
    found = judged(now, noise=0.01)
    assert (found.verdict, found.reason) == ("inconclusive", "noise")
    assert "likely-drop" not in found.flags
    gain = judged(scores((20, 0.2)), noise=0.05)
    assert gain.verdict == "improved"


def test_a_drop_beyond_the_noise_against_the_anchor_fails_all_the_same() -> None:
    found = judged(scores((40, -0.2)), scores((40, -0.19)), BASE, noise=0.005)
    assert (found.verdict, found.regressed_against) == ("regressed", ("anchor",))


def test_forums_are_strata_that_count_alike() -> None:
    before = {f"android/{i}": 0.5 for i in range(300)} | {f"unix/{i}": 0.5 for i in range(50)}
    now = before | {f"unix/{i}": 0.3 for i in range(10)}
    found = judged(now, before, strata=("android", "unix"))
    assert found.now == pytest.approx((0.5 + 0.46) / 2)
    assert found.current.delta == pytest.approx(-0.02)
    assert found.verdict == "regressed"
    assert judged(now, before).current.delta == pytest.approx(-0.2 * 10 / 350)


def test_other_queries_than_the_stored_ones_are_an_error() -> None:
    with pytest.raises(ComparisonError, match="same queries"):
        judged(scores(n=399))


def test_a_verdict_travels_as_plain_values() -> None:
    def leaves(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [leaf for each in value.values() for leaf in leaves(each)]
        if isinstance(value, tuple):
            return [leaf for each in value for leaf in leaves(each)]
        return [value]

    found = judged(scores((20, -0.2)), scores((20, -0.05)), BASE)
    plain = {float, int, str, bool, type(None)}
    assert {type(leaf) for leaf in leaves(dataclasses.asdict(found))} <= plain
