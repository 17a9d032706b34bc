"""Averages over datasets, tested as one."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from pytest_beir.datasets.average_set import AverageSet, average_set_id
from pytest_beir.errors import ComparisonError
from pytest_beir.gate.average import compare_stratified, diffuse_shares
from pytest_beir.gate.comparison import compare, compare_scores
from pytest_beir.gate.family import AVERAGE_LIMITS
from pytest_beir.gate.strata import by_prefix, mean, stratified_difference
from pytest_beir.gate.verdict import judge_members

QUERIES = (6980, 50, 323, 3452, 7405, 648, 1406, 49, 10000, 400, 1000, 6666, 1535, 300)
FORUMS = (699, 1570, 1595, 885, 804, 1039, 876, 652, 2906, 1072, 506, 541)


def zeros(members: list[Any]) -> list[Any]:
    return [
        zeros(member) if isinstance(member[0], list) else [0.0] * len(member) for member in members
    ]


def compared(members: list[Any], **limits: Any) -> Any:
    return compare_stratified(zeros(members), members, **{"alpha": 0.05, **limits})


def test_a_set_is_named_by_metric_and_members_in_any_order() -> None:
    # printf 'nDCG@10\nfiqa@test\nscifact@test' | sha256sum
    expected = "5f5140af5202"
    assert average_set_id("nDCG@10", ["scifact@test", "fiqa@test"]) == expected
    assert AverageSet("mine", "nDCG@10", ("fiqa@test", "scifact@test")).id == expected
    assert average_set_id("R@100", ["scifact@test", "fiqa@test"]) != expected


def test_datasets_count_alike_whatever_their_size() -> None:
    found = compared([[-0.2] * 4, [0.1] * 100])
    assert found.delta == pytest.approx(-0.05)
    assert found.n == 104


def test_the_forums_of_one_dataset_share_its_weight() -> None:
    # Two members; the second has three parts of unequal size, each a sixth of the average.
    members = [[-0.3, 0.0], [[0.2], [-0.1, 0.0], [0.0, 0.3, 0.0]]]
    weights = [1 / 4, 1 / 4, 1 / 6, 1 / 12, 1 / 12, 1 / 18, 1 / 18, 1 / 18]
    d = [-0.3, 0.0, 0.2, -0.1, 0.0, 0.0, 0.3, 0.0]
    observed = sum(w * x for w, x in zip(weights, d, strict=True))
    found = compared(members)
    assert found.delta == pytest.approx(observed)
    signs = list(product((1, -1), repeat=len(d)))
    sums = [sum(s * w * x for s, w, x in zip(row, weights, d, strict=True)) for row in signs]
    as_low = sum(total <= observed + 1e-12 for total in sums) / len(signs)
    assert found.p_signflip == pytest.approx(as_low, abs=1e-12)
    resampled = [
        (a + b) / 4 + c / 6 + (e + f) / 12 + (g + h + i) / 18
        for a, b in product((-0.3, 0.0), repeat=2)
        for c in (0.2,)
        for e, f in product((-0.1, 0.0), repeat=2)
        for g, h, i in product((0.0, 0.3, 0.0), repeat=3)
    ]
    as_high = sum(total >= -1e-12 for total in resampled) / len(resampled)
    assert found.p_bootstrap == pytest.approx(as_high, abs=1e-12)
    assert found.lower == pytest.approx(
        sorted(resampled)[math.ceil(0.05 * len(resampled)) - 1], abs=1e-12
    )
    # The worst query where it weighs most is the -0.3 at a quarter.
    assert found.margin_bound == pytest.approx(found.lower - 0.3 / 4, abs=1e-12)


def test_the_detectable_effect_is_that_of_the_weighted_variance() -> None:
    rng = np.random.default_rng(1)
    members = [np.round(rng.normal(0, 0.2, n), 4).tolist() for n in (50, 300, 1000)]
    error = math.sqrt(sum(np.var(d, ddof=1) / len(d) for d in members)) / 3
    found = compared(members, alpha=0.01)
    assert found.mde == pytest.approx((2.326347874 + 0.841621234) * error, rel=1e-8)
    assert found.sd == pytest.approx(error * math.sqrt(1350))


def test_one_member_is_compared_like_its_dataset() -> None:
    rng = np.random.default_rng(2)
    d = np.round(rng.normal(-0.01, 0.1, 60), 4).tolist()
    assert compared([d], min_effect=0.005, margin=0.02) == compare_scores([0.0] * 60, d)


def test_a_swap_mirrors_an_average() -> None:
    rng = np.random.default_rng(3)
    members = [
        np.where(rng.random(n) < 0.1, rng.normal(-0.02, 0.2, n), 0.0).round(4).tolist()
        for n in (50, 323, 648)
    ]
    there, back = compared(members), compare_stratified(members, zeros(members), alpha=0.05)
    assert there.p_drop == pytest.approx(back.p_gain, abs=1e-11)
    assert there.p_gain == pytest.approx(back.p_drop, abs=1e-11)
    assert there.lower == pytest.approx(-back.upper, abs=1e-12)


def test_random_resampling_within_datasets_agrees() -> None:
    rng = np.random.default_rng(4)
    members = [
        np.where(rng.random(n) < 0.2, rng.normal(-0.01, 0.25, n), 0.0).round(4)
        for n in (50, 97, 300)
    ]
    found = compared([d.tolist() for d in members])
    draws = 20_000
    means = sum(d[rng.integers(0, len(d), (draws, len(d)))].mean(axis=1) for d in members) / 3
    signed = sum((d * rng.choice([-1, 1], (draws, len(d)))).mean(axis=1) for d in members) / 3
    for exact, drawn in (
        (found.p_bootstrap, (means >= -1e-12).mean()),
        (found.p_signflip, (signed <= found.delta + 1e-12).mean()),
    ):
        assert drawn == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / draws))
    assert found.lower == pytest.approx(np.quantile(means, 0.05), abs=0.05 * means.std())


def test_many_hits_in_many_datasets_keep_their_ties() -> None:
    # Sums tie within a dataset only; enumeration by dataset is the reference.
    sizes, losses = (7919, 7907, 7901), (15, 14, 13)
    members = [
        [-1.0] * k + [1.0] * 10 + [0.0] * (n - k - 10) for n, k in zip(sizes, losses, strict=True)
    ]
    chances = {Fraction(0): 1.0}
    for n, k in zip(sizes, losses, strict=True):
        step: dict[Fraction, float] = {}
        for total, chance in chances.items():
            for flipped in range(k + 11):
                reached = total + Fraction(k + 10 - 2 * flipped, n)
                share = math.comb(k + 10, flipped) / 2 ** (k + 10)
                step[reached] = step.get(reached, 0.0) + chance * share
        chances = step
    observed = sum(Fraction(10 - k, n) for n, k in zip(sizes, losses, strict=True))
    expected = sum(chance for total, chance in chances.items() if total <= observed)
    found = compared(members)
    assert found.changed == 72
    assert found.p_signflip == pytest.approx(expected, rel=0.02)


def test_members_that_differ_are_refused() -> None:
    with pytest.raises(ComparisonError, match="same members and parts"):
        compare_stratified([[0.1], [0.2]], [[0.1]], alpha=0.05)
    with pytest.raises(ComparisonError, match="nothing to average"):
        compare_stratified([], [], alpha=0.05)
    with pytest.raises(ComparisonError, match="same members and parts"):
        judge_members(
            "nDCG@10", [{"q": 1.0}], [{"q": 1.0}] * 2, None, level=0.05, limits=AVERAGE_LIMITS
        )


def test_an_average_has_a_verdict_of_its_own() -> None:
    limits: Any = {"level": 0.01, "limits": AVERAGE_LIMITS}
    before = [{f"a{i}": 0.5 for i in range(200)}, {f"b{i}": 0.4 for i in range(300)}]
    after = [{q: s - 0.003 * (i % 2) for i, (q, s) in enumerate(m.items())} for m in before]
    found = judge_members("nDCG@10", after, before, before, **limits)
    assert (found.metric, found.verdict, found.alpha) == ("nDCG@10", "within tolerance", 0.01)
    worse = [{q: s - 0.008 * (i % 2) for i, (q, s) in enumerate(m.items())} for m in before]
    found = judge_members("nDCG@10", worse, before, before, **limits)
    assert found.verdict == "regressed"
    assert found.baseline == pytest.approx(0.45)
    assert found.now == pytest.approx(0.446)


def test_ids_are_divided_by_what_stands_before_the_slash() -> None:
    scores = {"android/1": 0.2, "unix/1": 0.4, "android/x/y": 0.6}
    parts = by_prefix(scores, ("android", "unix"))
    assert parts == ({"android/1": 0.2, "android/x/y": 0.6}, {"unix/1": 0.4})
    assert mean([parts]) == pytest.approx(0.4)
    with pytest.raises(ComparisonError, match="'unix/1' belongs to none of android"):
        by_prefix(scores, ("android",))
    with pytest.raises(ComparisonError, match="no queries of tex"):
        by_prefix(scores, ("android", "unix", "tex"))


def test_the_diffuse_test_weighs_datasets_by_the_root_of_their_queries() -> None:
    members: list[Any] = [[0.0] * 100, [0.0] * 400, [[0.0] * 50, [0.0] * 50]]
    shares = [float(share) for share in diffuse_shares(members)]
    assert shares == pytest.approx([10 / 40, 20 / 40, 10 / 40], abs=1e-5)
    named = {f"q{i}": 0.0 for i in range(100)}
    copies = {f"q{i}": "one" for i in range(20)}  # 81 units
    shares = [float(share) for share in diffuse_shares([named, [0.0] * 81], [copies, {}])]
    assert shares == pytest.approx([0.5, 0.5], abs=1e-5)


def test_the_diffuse_test_agrees_with_plain_resampling() -> None:
    rng = np.random.default_rng(11)
    before = [np.full(n, 0.6) for n in (40, 90, 160, 250)]
    now = [(x + rng.choice([-0.2, 0.0, 0.18], len(x))).round(4) for x in before]
    roots = np.sqrt([len(x) for x in before])
    shares = diffuse_shares([x.tolist() for x in before])
    differences = stratified_difference(
        [x.tolist() for x in before], [x.tolist() for x in now], shares=shares
    )
    found = compare(differences, alpha=0.05, min_effect=0.002, margin=0.01)
    gaps = [x - y for x, y in zip(now, before, strict=True)]
    weighted = sum(root * gap.mean() for root, gap in zip(roots, gaps, strict=True)) / roots.sum()
    assert found.delta == pytest.approx(weighted, abs=1e-6)
    draws = 20_000
    resampled = sum(
        root * gap[rng.integers(0, len(gap), (draws, len(gap)))].mean(axis=1)
        for root, gap in zip(roots, gaps, strict=True)
    )
    flipped = sum(
        root * (gap * rng.choice([-1.0, 1.0], (draws, len(gap)))).mean(axis=1)
        for root, gap in zip(roots, gaps, strict=True)
    )
    observed = weighted * roots.sum()
    for p, share in (
        (found.p_bootstrap, float(np.mean(resampled >= 0))),
        (found.p_signflip, float(np.mean(flipped <= observed))),
    ):
        assert p == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / draws) + 1e-4)
