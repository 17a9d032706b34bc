"""One candidate against one baseline."""

from __future__ import annotations

import dataclasses
import math
import time
from random import Random  # noqa: TC003 - hypothesis reads the annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_beir
from pytest_beir.errors import ComparisonError
from pytest_beir.gate.comparison import Comparison, compare_scores


def compared(d: list[float], **limits: float) -> Comparison:
    return compare_scores([0.0] * len(d), d, **limits)


def graded(n: int, m: int, seed: int = 0, mean: float = -0.01) -> list[float]:
    rng = np.random.default_rng(seed)
    d = np.zeros(n)
    d[:m] = np.clip(rng.normal(mean, 0.2, m), -1, 1)
    scores: list[float] = np.round(d, 4).tolist()
    return scores


SCORES = st.integers(0, 10_000).map(lambda units: units / 1e4)
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=40)


def test_the_public_name_is_this_one() -> None:
    assert pytest_beir.compare_scores is compare_scores
    assert pytest_beir.Comparison is Comparison


@settings(deadline=None, max_examples=80)
@given(PAIRS)
def test_a_swap_of_the_systems_mirrors_everything(pairs: list[tuple[float, float]]) -> None:
    before, after = [b for b, _ in pairs], [a for _, a in pairs]
    there, back = compare_scores(before, after), compare_scores(after, before)
    assert there.delta == -back.delta
    assert (there.worse, there.better) == (back.better, back.worse)
    assert there.p_drop == pytest.approx(back.p_gain, abs=1e-12)
    assert there.p_gain == pytest.approx(back.p_drop, abs=1e-12)
    assert there.lower == pytest.approx(-back.upper, abs=1e-12)
    assert there.upper == pytest.approx(-back.lower, abs=1e-12)


@pytest.mark.parametrize(("n", "m"), [(80, 80), (300, 100), (15_000, 9000)])
def test_a_swap_mirrors_on_the_coarse_lattice_too(n: int, m: int) -> None:
    d = graded(n, m)
    there, back = compared(d), compared([-x for x in d])
    assert there.p_drop == pytest.approx(back.p_gain, abs=1e-11)
    assert there.p_gain == pytest.approx(back.p_drop, abs=1e-11)
    assert there.lower == pytest.approx(-back.upper, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_of_queries_changes_nothing(
    pairs: list[tuple[float, float]], random: Random
) -> None:
    queries = [f"q{i}" for i in range(len(pairs))]
    before = dict(zip(queries, (b for b, _ in pairs), strict=True))
    after = dict(zip(queries, (a for _, a in pairs), strict=True))
    random.shuffle(queries)
    shuffled = {query: before[query] for query in queries}
    first, second = compare_scores(before, after), compare_scores(shuffled, after)
    numbers = dataclasses.asdict(first)
    assert dataclasses.asdict(second) == {
        name: pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
        for name, value in numbers.items()
    }


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.floats(-1e300, 1e300, allow_nan=False), st.floats(-1e300, 1e300, allow_nan=False)
        ),
        min_size=1,
        max_size=90,
    )
)
def test_any_finite_scores_give_finite_answers(pairs: list[tuple[float, float]]) -> None:
    found = compare_scores([b for b, _ in pairs], [a for _, a in pairs])
    for p in (found.p_drop, found.p_gain, found.p_bootstrap, found.p_signflip):
        assert 1e-12 <= p <= 1.0
    for bound in (found.lower, found.upper, found.margin_bound, found.delta):
        assert math.isfinite(bound)
    assert found.margin_bound <= found.lower <= found.upper


def test_latencies_compare_like_any_scores() -> None:
    rng = np.random.default_rng(4)
    before = rng.normal(1e6, 1e5, 500)
    after = before + rng.normal(-400, 3e3, 500)
    found = compare_scores(before.tolist(), after.tolist())
    error = float((after - before).std(ddof=1) / math.sqrt(500))
    assert found.delta == pytest.approx(float((after - before).mean()), abs=1e-3)
    assert found.lower == pytest.approx(found.delta - 1.645 * error, abs=0.1 * error)
    assert found.p_drop == pytest.approx(found.p_bootstrap, abs=0.01)


def test_everything_is_a_plain_python_value() -> None:
    found = compare_scores(np.zeros(50), np.array(graded(50, 20)))  # type: ignore[arg-type]
    plain = {float, int, str, type(None)}
    assert {type(value) for value in dataclasses.asdict(found).values()} <= plain
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.n = 3  # type: ignore[misc]


def test_one_query_cannot_tell() -> None:
    found = compared([-0.5])
    assert (found.verdict, found.reason) == ("inconclusive", "too few queries")
    assert (found.mde, found.sd, found.lower, found.upper) == (None, None, -0.5, -0.5)
    assert found.p_drop == 0.5


@pytest.mark.parametrize(
    ("d", "verdict"), [(-0.01, "regressed"), (0.01, "improved"), (-0.004, "within tolerance")]
)
def test_equal_differences_are_certain(d: float, verdict: str) -> None:
    found = compared([d] * 60)
    assert (found.verdict, found.mde, found.sd) == (verdict, None, 0.0)
    assert found.lower == found.upper == pytest.approx(d)


def test_no_p_is_zero_or_infinite_where_all_changes_have_one_sign() -> None:
    found = compared([-0.01] * 65 + [0.0] * 235)
    assert found.p_drop == 1e-12
    assert found.p_gain == 1.0
    ties = compared([-1.0] * 40 + [1.0] * 25 + [0.0] * 235)
    assert 0.0 < ties.p_drop < 0.1


def test_a_large_suite_of_small_changes_is_within_tolerance() -> None:
    found = compared(graded(13_145, 800, mean=0.0))
    assert found.verdict == "within tolerance"
    assert found.note is None


def test_a_significant_drop_too_small_to_matter_is_a_note() -> None:
    found = compared([-0.01] * 100 + [0.0] * 300)
    assert (found.verdict, found.note) == (
        "within tolerance",
        "significant drop below min_effect",
    )
    assert found.delta == -0.0025


def test_a_drop_of_exactly_min_effect_matters() -> None:
    assert compared([-0.01] * 200 + [0.0] * 200).verdict == "regressed"


@pytest.mark.parametrize(
    ("d", "alpha", "reason"),
    [
        ([-0.5] * 5 + [0.0] * 20, 0.01, "too few queries"),
        ([-0.5] * 4 + [0.0] * 40, 0.05, "too few changed queries"),
        ([-0.0512, 0.0262] * 30, 0.002, "undecided"),
        ([-0.4, 0.3] * 40, 0.05, "underpowered"),
    ],
)
def test_the_first_reason_that_holds_is_given(d: list[float], alpha: float, reason: str) -> None:
    found = compared(d, alpha=alpha)
    assert (found.verdict, found.reason) == ("inconclusive", reason)
    assert (found.queries_needed is not None) == (reason == "underpowered")


def test_underpowered_says_how_many_queries_it_would_take() -> None:
    found = compared([-0.4, 0.3] * 40)
    d = np.array([-0.4, 0.3] * 40)
    error = d.std(ddof=1) / math.sqrt(80)
    assert found.queries_needed == math.ceil(80 * ((1.645 + 0.842) * error / 0.02) ** 2)


def test_the_largest_losers_are_weighed_against_the_whole_loss() -> None:
    assert compared([-0.5, -0.3, -0.2, -0.1, -0.1, 0.9]).largest_losers_share == pytest.approx(
        1.0 / 1.2
    )
    assert compared([0.5, 0.0]).largest_losers_share is None


@pytest.mark.parametrize(
    "wrong",
    [{"alpha": 0.0}, {"alpha": 1.0}, {"margin": -0.1}, {"min_effect": math.nan}],
)
def test_settings_without_meaning_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ComparisonError, match=next(iter(wrong))):
        compared([0.1, 0.2], **wrong)


def hit_rate(n: int, m: int) -> list[float]:
    return [-1.0] * (m * 11 // 20) + [1.0] * (m - m * 11 // 20) + [0.0] * (n - m)


def dense_few(n: int, m: int) -> list[float]:
    rng = np.random.default_rng(m)
    d: list[float] = (rng.uniform(0.3, 1, m) * rng.choice([-1, 1], m)).tolist()
    return d + [0.0] * (n - m)


@pytest.mark.parametrize(
    "d",
    [
        graded(300, 30),
        graded(1406, 300),
        graded(13_145, 600),
        graded(15_000, 12_000),
        hit_rate(15_000, 4000),
        dense_few(15_000, 40),
        dense_few(15_000, 64),
        dense_few(200, 120),
    ],
    ids=["few", "some", "many", "dense", "hits", "forty wide", "sixty-four wide", "wide"],
)
def test_a_verdict_takes_a_tenth_of_a_second_at_worst(d: list[float]) -> None:
    zeros = [0.0] * len(d)
    times = []
    for _ in range(3):
        start = time.process_time()
        compare_scores(zeros, d)
        times.append(time.process_time() - start)
    assert min(times) <= 0.1
