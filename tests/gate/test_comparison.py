"""One candidate against one baseline."""

from __future__ import annotations

import dataclasses
import math
from random import Random  # noqa: TC003 - hypothesis reads the annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_beir
from pytest_beir.errors import ComparisonError
from pytest_beir.gate.comparison import Comparison, compare_scores


def compared(d: list[float], **limits: float) -> Comparison:
    return compare_scores([0.0] * len(d), d, **limits)  # type: ignore[arg-type]


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
    found = compared([d] * 120)
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
        ([-0.9] * 4 + [0.0] * 120, 0.05, "too few changed queries"),
        ([-0.0450, 0.0130] * 60, 1e-10, "undecided"),
        ([-0.4, 0.3] * 60, 0.05, "underpowered"),
    ],
)
def test_the_first_reason_that_holds_is_given(d: list[float], alpha: float, reason: str) -> None:
    found = compared(d, alpha=alpha)
    assert (found.verdict, found.reason) == ("inconclusive", reason)


def test_underpowered_says_how_many_queries_exclude_the_margin_by_the_bound_itself() -> None:
    """Four samples in five of the promised size do, where nothing dropped."""
    found = compared([-0.4, 0.3] * 60)
    assert found.queries_needed is not None
    rng = np.random.default_rng(5)
    n = found.queries_needed
    kept = [
        compared(rng.choice([-0.35, 0.35], n).tolist()).margin_bound >= -0.02 for _ in range(200)
    ]
    assert 0.8 - 0.09 <= np.mean(kept) <= 0.8 + 0.09  # three standard errors
    plain = math.ceil(((1.645 + 0.842) * 0.35 / 0.02) ** 2)
    assert plain < n < 1.2 * plain


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


@pytest.mark.parametrize(
    ("d", "verdict"), [(-0.00495, "within tolerance"), (-0.00004, "within tolerance")]
)
def test_limits_are_judged_before_rounding(d: float, verdict: str) -> None:
    found = compare_scores([0.0] * 150, [d] * 150)
    assert (found.verdict, found.changed, found.worse) == (verdict, 150, 150)
    assert found.effect == pytest.approx(d, abs=1e-12)
    assert found.delta == round(d, 4)


def test_float_noise_is_no_change() -> None:
    assert compare_scores([0.3] * 150, [0.1 + 0.2] * 150).verdict == "unchanged"


def test_values_far_apart_are_not_put_into_one_step() -> None:
    """One draw of the large value decides; without it the small ones do, all below zero."""
    n = 150
    d = [1e7, *[-0.001 * (1 + i % 7) for i in range(n - 1)]]
    found = compared(d)
    assert found.p_bootstrap == pytest.approx(1 - (1 - 1 / n) ** n, abs=1e-9)
    mirrored = compared([-x for x in d])
    assert mirrored.p_gain == pytest.approx(found.p_drop, abs=1e-9)
    # Small values of both signs, against plain resampling.
    rng = np.random.default_rng(8)
    mixed = np.array([-1e7, *rng.normal(0.0004, 0.004, n - 1).round(4)])
    found = compared(mixed.tolist())
    means = mixed[rng.integers(0, n, (20_000, n))].mean(axis=1)
    share = float(np.mean(means >= 0))
    assert found.p_bootstrap == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 2e4))


def test_thirds_lie_on_a_lattice_of_their_own() -> None:
    """Recall over three relevant documents: three losses of a third are one loss of 1, exactly."""
    d = [-1 / 3] * 3 + [1.0] + [0.0] * 146
    found = compared(d)
    assert found.effect == pytest.approx(0.0, abs=1e-15)
    assert found.delta == 0.0
    rng = np.random.default_rng(9)
    means = np.rint(3 * np.array(d))[rng.integers(0, 150, (40_000, 150))].sum(axis=1)
    share = float(np.mean(means >= 0))
    assert found.p_bootstrap == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 4e4))
    assert found.lower == float(np.quantile(means, 0.05)) / 3 / 150


def test_the_bound_allows_for_a_query_that_is_lost_altogether() -> None:
    """N + 1 draws from the differences and minus the baseline's mean, by plain resampling."""
    rng = np.random.default_rng(10)
    n = 120
    d = rng.choice([-0.5, 0.25, 0.0], n)
    found = compare_scores([0.73] * n, (0.73 + d).tolist())
    drawn = np.append(d, -0.73)[rng.integers(0, n + 1, (40_000, n + 1))].mean(axis=1)
    # Within the quantiles that four standard errors of a share around .05 reach.
    error = 4 * math.sqrt(0.05 * 0.95 / 4e4)
    assert np.quantile(drawn, 0.05 - error) <= found.margin_bound
    assert found.margin_bound <= np.quantile(drawn, 0.05 + error)
    assert found.worst == pytest.approx(-0.73)
    no_mean = compare_scores([0.0] * n, d.tolist())
    assert no_mean.worst == -0.5


def test_copies_are_one_unit_weighted_by_their_number() -> None:
    baseline = {f"q{i}": 0.8 for i in range(120)}
    candidate = baseline | {f"q{i}": 0.3 for i in range(6)}
    alone = compare_scores(baseline, candidate)
    copies = compare_scores(baseline, candidate, units={f"q{i}": "one" for i in range(6)})
    assert copies.delta == pytest.approx(alone.delta)
    assert (copies.n, copies.changed, alone.n) == (115, 1, 120)
    assert copies.p_signflip == 0.5
    # The unit is drawn or not: no draw of 115 leaves the mean at zero.
    assert copies.p_bootstrap == pytest.approx((1 - 1 / 115) ** 115, abs=1e-12)
    assert (alone.verdict, copies.verdict) == ("regressed", "inconclusive")


def test_a_unit_may_bear_the_id_of_a_query_outside_it() -> None:
    d = {"a": -0.1, "b": -0.1, "c": -0.1}
    found = compare_scores(
        dict.fromkeys(d, 0.5), {q: 0.5 + x for q, x in d.items()}, units={"a": "c", "b": "c"}
    )
    assert found.n == 2
