"""Groups that are gated: judged as datasets of their own."""

from __future__ import annotations

import pytest

from pytest_beir.evaluation.gated_groups import judge_groups, never_met, shared_level
from pytest_beir.gate.family import Limits
from pytest_beir.gate.noise import Noise
from pytest_beir.gate.verdict import judge_metric


def test_a_dataset_shares_its_level_with_its_gated_groups() -> None:
    assert shared_level(0.0125, 0) == 0.0125
    assert shared_level(0.0125, 4) == pytest.approx(0.0025)


def test_a_gated_group_regresses_on_its_own() -> None:
    queries = [f"q{place}" for place in range(400)]
    before = dict.fromkeys(queries, 0.8)
    now = dict.fromkeys(queries, 0.81) | dict.fromkeys(queries[:40], 0.7)
    limits = Limits(min_effect=0.005, margin=0.02)
    whole = judge_metric("nDCG@10", now, before, before, level=0.05, limits=limits)
    assert whole.verdict != "regressed"
    gated = {"billing": queries[:40], "returns": queries[40:]}
    found = judge_groups(
        "nDCG@10", gated, now, before, before, level=shared_level(0.05, 2), limits=limits
    )
    assert {name: group.verdict for name, group in found.items()} == {
        "billing": "regressed",
        "returns": "improved",
    }
    assert found["billing"].metric == "nDCG@10[billing]"
    assert found["billing"].alpha == pytest.approx(0.05 / 3)
    new = judge_groups("nDCG@10", gated, now, None, None, level=0.05, limits=limits)
    assert {group.verdict for group in new.values()} == {"no baseline"}


def test_the_noise_of_a_group_is_that_of_its_own_queries() -> None:
    """Two of a group's four queries vary, by .3 and .4: the deviation of its mean is .5 / 4."""
    before = dict.fromkeys("abcde", 0.5)
    noise = Noise("nDCG@10", 3, 5, 0.2, {"a": 0.3, "b": 0.4, "e": 0.9})
    # 1.645 is the normal's 95 %; a difference of two runs varies by the root of two more.
    bound = 1.6448536 * 2**0.5 * 0.5 / 4

    def reasons(drop: float) -> list[str | None]:
        found = judge_groups(
            "nDCG@10",
            {"four": "abcd", "still": "cd"},
            {query: score - drop for query, score in before.items()},
            before,
            None,
            level=0.05,
            limits=Limits(min_effect=0.005, margin=0.02),
            noise=noise,
        )
        return [each.current.reason for each in found.values() if each.current is not None]

    assert reasons(bound - 0.001) == ["noise", "too few queries"]
    assert reasons(bound + 0.001) == ["too few queries"] * 2


def test_a_gated_group_that_no_query_belongs_to_is_a_complaint() -> None:
    assert never_met(("billing",), {"billing", "returns"}) is None
    complaint = never_met(("biling",), {"billing", "returns"})
    assert complaint is not None
    assert "'biling'; did you mean 'billing'? (groups met: billing, returns)" in complaint


def test_two_groups_without_queries_are_both_named_and_none_may_be_met() -> None:
    complaint = never_met(("one", "two", "met"), {"met"})
    assert (
        complaint == "groups: gate: no query of the suite belongs to 'one', 'two' (groups met: met)"
    )
    assert str(never_met(("one",), ())).endswith("belongs to 'one' (groups met: none)")
