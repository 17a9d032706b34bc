"""How alpha is shared, and which limits hold."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import ConfigError
from pytest_beir.gate.family import AVERAGE_LIMITS, Family, Limits

NDCG = ("nDCG@10",)


def test_one_dataset_has_the_whole_alpha() -> None:
    family = Family({"scifact": (1.0, NDCG)})
    assert (family.level("scifact"), family.tests, family.averages) == (0.05, 1, ())


def test_the_average_has_its_share_from_two_datasets_on() -> None:
    family = Family({"scifact": (1.0, NDCG), "fiqa": (1.0, NDCG)}, alpha=0.06)
    assert family.tests == 3
    assert family.level("fiqa") == pytest.approx(0.02)
    assert family.average_level == pytest.approx(0.02)


def test_weights_shift_alpha_to_the_datasets_that_matter() -> None:
    family = Family({"docs": (5.0, NDCG), "scifact": (1.0, NDCG), "fiqa": (1.0, NDCG)})
    assert family.weights == 8.0
    assert family.level("docs") == pytest.approx(0.05 * 5 / 8)
    assert family.level("scifact") == pytest.approx(0.05 / 8)
    assert family.average_level == pytest.approx(0.05 / 8)


def test_every_gated_metric_is_a_test_and_has_an_average() -> None:
    both = ("nDCG@10", "R@100")
    family = Family({"a": (2.0, both), "b": (1.0, NDCG)})
    assert family.averages == both
    assert (family.tests, family.weights) == (5, 7.0)
    spent = 2 * family.level("a") + family.level("b") + 2 * family.average_level
    assert spent == pytest.approx(0.05)


def test_without_correction_each_test_has_alpha_to_itself() -> None:
    family = Family({"a": (3.0, NDCG), "b": (1.0, NDCG)}, correction="none")
    assert (family.level("a"), family.average_level) == (0.05, 0.05)


def test_where_nothing_is_gated_recorded_metrics_keep_a_level() -> None:
    family = Family({"a": (1.0, ()), "b": (1.0, ())})
    assert (family.tests, family.level("a")) == (0, 0.05)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"datasets": {"a": (0.0, NDCG)}}, "weight of a is 0.0"),
        ({"datasets": {"a": (float("nan"), NDCG)}}, "weight of a is nan"),
        ({"datasets": {}, "alpha": 0.0}, "alpha is 0.0"),
        ({"datasets": {}, "correction": "holm"}, "correction is 'holm'"),
    ],
)
def test_a_family_without_meaning_is_refused(arguments: Any, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        Family(**arguments)


def test_a_dataset_outside_the_suite_is_named() -> None:
    with pytest.raises(ConfigError, match=r"quora is not of the declared suite \(a, b\)"):
        Family({"a": (1.0, NDCG), "b": (1.0, NDCG)}).level("quora")


@pytest.mark.parametrize(
    ("mean", "effective"),
    [(0.65, (0.005, 0.02)), (0.1, (0.0025, 0.01)), (0.0203, (0.0005075, 0.00203)), (0.0, (0, 0))],
)
def test_limits_are_capped_for_metrics_of_low_mean(mean: float, effective: Any) -> None:
    capped = Limits().effective(mean)
    assert (capped.min_effect, capped.margin) == pytest.approx(effective)


def test_an_average_has_tighter_limits() -> None:
    assert (AVERAGE_LIMITS.min_effect, AVERAGE_LIMITS.margin) == (0.002, 0.01)


@pytest.mark.parametrize("limits", [(0.03, 0.02), (-0.1, 0.02), (0.0, float("inf"))])
def test_limits_without_meaning_are_refused(limits: tuple[float, float]) -> None:
    with pytest.raises(ConfigError, match="min_effect at most margin"):
        Limits(*limits)


def test_from_four_datasets_on_a_diffuse_test_has_its_share() -> None:
    def family(size: int) -> Family:
        return Family({f"d{i}": (1.0, ("nDCG@10",)) for i in range(size)})

    assert [family(size).diffuse for size in (1, 3, 4)] == [(), (), ("nDCG@10",)]
    assert [family(size).tests for size in (1, 2, 3, 4, 18)] == [1, 3, 4, 6, 20]
    assert family(18).level("d3") == pytest.approx(0.05 / 20)
    assert family(18).likely(family(18).level("d3")) == pytest.approx(0.10 / 20)
