"""What so many queries can detect, against published vectors and against simulation."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr

from pytest_beir.gate.average import compare_stratified
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.gate.power import (
    detectable_drop,
    effective_size,
    fewest_changed,
    power,
    queries_to_exclude,
)
from pytest_beir.reports.explanations import first_words


def test_detectable_drops_are_those_of_the_vectors() -> None:
    text = (Path(__file__).parents[1] / "data" / "statistics.json").read_text(encoding="utf-8")
    vectors = json.loads(text)["mde"]
    assert len(vectors) >= 5
    for each in vectors:
        found = detectable_drop(each["sd"], each["n"], each["alpha"])
        assert found == pytest.approx(each["mde"], abs=1e-12)


def test_fifty_queries_detect_three_points_at_best_and_ten_thousand_a_fifth_of_one() -> None:
    small, large = (power((n,), alpha=0.05, margin=0.02) for n in (50, 10_000))
    assert small.detectable[0].mde == pytest.approx(0.028, abs=5e-4)
    assert large.detectable[0].mde == pytest.approx(0.002, abs=5e-5)


@pytest.mark.parametrize(("alpha", "changed"), [(0.05, 5), (0.01, 7), (0.05 / 18, 9), (0.5, 1)])
def test_so_many_queries_must_change_at_least(alpha: float, changed: int) -> None:
    assert fewest_changed(alpha) == changed
    scores = dict.fromkeys(map(str, range(40)), 0.9)
    fallen = dict.fromkeys(map(str, range(changed)), 0.1)
    assert compare_scores(scores, scores | fallen).p_drop <= alpha
    spared = scores | fallen | {"0": 0.9}
    assert compare_scores(scores, spared).p_drop > alpha


def test_a_level_that_is_a_power_of_two_needs_no_query_more() -> None:
    assert fewest_changed(2.0**-7) == 7


def test_with_the_needed_queries_the_margin_is_what_is_found() -> None:
    for sight in power((300,), alpha=0.0125, margin=0.02).detectable:
        assert sight.to_detect is not None
        assert detectable_drop(sight.sd, sight.to_detect, 0.0125) <= 0.02
        assert detectable_drop(sight.sd, sight.to_detect - 1, 0.0125) > 0.02


def test_queries_that_exclude_the_margin_do_not_depend_on_the_level() -> None:
    strict, lax = (power((300,), alpha=alpha, margin=0.02) for alpha in (0.001, 0.05))
    assert [s.to_exclude for s in strict.detectable] == [s.to_exclude for s in lax.detectable]
    plain = math.ceil(((1.645 + 0.842) * 0.16 / 0.02) ** 2)
    assert plain == 396
    # The query more that the bound allows for costs some.
    needed = strict.detectable[1].to_exclude
    assert needed is not None
    assert plain < needed < 1.2 * plain


def test_a_comparison_asks_for_as_many_queries_as_this_table() -> None:
    rng = np.random.default_rng(5)
    before = rng.uniform(0.2, 0.8, 200)
    comparison = compare_scores(
        before.tolist(), (before + rng.normal(0, 0.3, 200)).tolist(), margin=0.02
    )
    [*_, observed] = power(
        (200,),
        alpha=0.05,
        margin=0.02,
        observed=comparison.sd,
        spread=comparison.spread,
        loss=-comparison.worst,
    ).detectable
    assert observed.kind == "observed"
    assert observed.mde == pytest.approx(comparison.mde)
    assert comparison.queries_needed is not None
    assert observed.to_exclude == pytest.approx(comparison.queries_needed, rel=0.001)


def test_what_few_queries_promise_is_kept_four_times_in_five_over_such_samples() -> None:
    # Sixty queries of which one in six changes: their deviation is known to a third or so.
    rng = np.random.default_rng(12)

    def draw(n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.where(rng.random(n) < 1 / 6, rng.normal(0.0, 0.25, n), 0.0)

    kept = []
    for _ in range(4000):
        sample = draw(60)
        spread = ((sample - sample.mean()) ** 4).mean() / sample.var() ** 2 / 60 - 1 / 60
        n = queries_to_exclude(0.02, sample.std(ddof=1), -1e-9, spread=spread)
        assert n is not None
        # The mean of n such queries is near normal, its deviation .25 / sqrt(6) a query.
        kept.append(ndtr(0.02 * math.sqrt(6 * n) / 0.25 - 1.645))
    assert np.mean(kept) == pytest.approx(0.8, abs=0.015)


def test_the_stated_drop_is_found_four_times_in_five() -> None:
    rng = np.random.default_rng(6)
    drop = detectable_drop(0.16, 300, 0.05)
    before = np.full(300, 0.5)
    found = [
        compare_scores(before.tolist(), (before + rng.normal(-drop, 0.16, 300)).tolist()).p_drop
        <= 0.05
        for _ in range(150)
    ]
    assert np.mean(found) == pytest.approx(0.8, abs=3 * math.sqrt(0.16 / 150))


def test_few_queries_put_verdicts_out_of_reach() -> None:
    assert power((4,), alpha=0.05, margin=0.02).out_of_reach == (
        "regressed",
        "improved",
        "within tolerance",
    )
    assert power((99,), alpha=0.05, margin=0.02).out_of_reach == ("within tolerance",)
    assert power((100,), alpha=0.05, margin=0.02).out_of_reach == ()


def test_however_small_the_deviation_a_hundred_queries_are_needed_to_exclude() -> None:
    kinds = power((20,), alpha=0.05, margin=0.5).detectable
    assert [sight.to_exclude for sight in kinds] == [100, 100, 100]
    assert not any(sight.excludes_margin for sight in kinds)


def test_a_margin_of_nothing_can_neither_be_found_nor_excluded() -> None:
    for sight in power((300,), alpha=0.05, margin=0.0).detectable:
        assert (sight.to_detect, sight.to_exclude) == (None, None)
        assert not sight.detects_margin


def test_unequal_parts_tell_less_than_their_number() -> None:
    assert effective_size((100, 100)) == pytest.approx(200)
    assert effective_size((30, 300)) == pytest.approx(4 / (1 / 30 + 1 / 300))
    whole, divided = (power(sizes, alpha=0.05, margin=0.02) for sizes in ((330,), (30, 300)))
    assert whole.n == divided.n == 330
    assert divided.detectable[0].mde > whole.detectable[0].mde


def test_an_average_sees_what_its_own_comparison_says() -> None:
    rng = np.random.default_rng(7)
    sizes = [(60,), (20, 40)]
    before = [[np.full(n, 0.5).tolist() for n in parts] for parts in sizes]
    # Differences with the same deviation in every part: ±.1.
    now = [
        [(0.5 + 0.1 * rng.permutation(np.resize([1, -1], n))).tolist() for n in parts]
        for parts in sizes
    ]
    compared = compare_stratified([before[0][0], before[1]], [now[0][0], now[1]], alpha=0.01)
    assert compared.mde is not None
    stated = detectable_drop(0.1, effective_size(*sizes), 0.01)
    assert compared.mde == pytest.approx(stated, rel=0.03)


def test_a_small_dataset_is_told_what_it_can_detect() -> None:
    assert first_words(52, alpha=0.0125, margin=0.02) == (
        "52 judged queries: a drop is found, four times in five, if it is about .034 (changed "
        "parameter), .068 (other analyser) or .14 (other system); under 100, none can be excluded"
    )
    assert first_words(100, alpha=0.0125, margin=0.02) is None


def test_below_a_hundred_queries_it_is_told_that_no_drop_can_be_excluded() -> None:
    line = first_words(24, alpha=0.0125, margin=0.02)
    assert line is not None
    assert line.endswith("; under 100, none can be excluded")
    assert first_words(100, alpha=0.0125, margin=0.02) is None


def test_below_the_fewest_changes_it_is_told_that_nothing_can_be_significant() -> None:
    assert first_words(5, alpha=0.0125, margin=0.02) == (
        "5 judged queries: too few to find a drop: 7 of them would have to change; under 100, "
        "none can be excluded"
    )
