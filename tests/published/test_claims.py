"""A published average compares with ours only over the same set, and is never subtracted else."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.configuration.settings import PublishedAverage
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.set_comparison import identify, named_set
from pytest_beir.published.claims import OwnAverage, judge_claim

OURS = OwnAverage(named_set("nDCG@10", "public-13"), 0.53)


def claim(**keys: Any) -> PublishedAverage:
    return PublishedAverage.model_validate({"name": "SPLADE-v3", "value": 0.518, **keys})


def test_over_the_same_set_the_difference_is_ours_minus_theirs() -> None:
    judged = judge_claim(claim(set="public-13"), OURS)
    assert judged.status == "compared"
    assert judged.difference == pytest.approx(0.012)
    assert judged.line == (
        f"SPLADE-v3: nDCG@10 .5180 over public-13 (13 datasets, set {OURS.set.id}); ours +.0120"
    )


def test_members_in_any_order_and_spelling_are_the_set() -> None:
    names = [name.upper() for name in reversed(load_catalog().sets["public-13"].members)]
    judged = judge_claim(claim(members=names), OURS)
    assert judged.status == "compared"
    assert judge_claim(claim(members=names, set="public-13"), OURS).status == "compared"


def test_without_a_list_of_datasets_it_is_refused_and_its_value_is_not_shown() -> None:
    judged = judge_claim(claim(), OURS)
    assert judged.status == "refused"
    assert judged.set is None
    assert "without its list of datasets compares with nothing" in judged.line
    assert ".518" not in judged.line
    assert judged.as_json()["value"] is None


def test_over_another_set_it_is_flagged_and_never_subtracted() -> None:
    judged = judge_claim(claim(set="mteb-15"), OURS)
    assert judged.status == "another set"
    assert judged.difference is None
    assert judged.reason == "only theirs has cqadupstack@test, msmarco@dev"
    assert judged.line.endswith(f"not subtracted: {judged.reason}")


def test_another_split_is_named() -> None:
    members = [*load_catalog().sets["public-14"].members, "msmarco@test"]
    ours = OwnAverage(named_set("nDCG@10", "mteb-15"), 0.5)
    judged = judge_claim(claim(members=members), ours)
    assert judged.reason == "msmarco is scored on dev in ours and on test in theirs"


def test_another_metric_is_flagged_with_the_datasets_where_it_differs() -> None:
    judged = judge_claim(claim(set="public-13", metric="nDCG@10(binary)"), OURS)
    assert judged.status == "another set"
    assert "every positive grade counts as 1" in judged.reason


def test_a_withheld_average_of_ours_is_compared_with_nothing() -> None:
    for own in (OwnAverage(OURS.set, None), None):
        judged = judge_claim(claim(set="public-13"), own)
        assert judged.status == "withheld"
        assert judged.difference is None


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"set": "public-15"}, "there is no set 'public-15'; did you mean 'public-1"),
        ({"members": []}, "'members' is empty"),
        ({"members": ["scifct"]}, "'scifct' is not known; did you mean 'scifact'"),
        ({"members": ["docs"]}, "write docs@SPLIT"),
        ({"members": ["SciFact", "scifact@test"]}, "scifact@test is twice"),
        ({"members": ["scifact"], "set": "public-13"}, "'members' are not those of 'public-13'"),
    ],
)
def test_a_list_that_cannot_be_believed_is_refused_with_its_remedy(keys: Any, reason: str) -> None:
    judged = judge_claim(claim(**keys), OURS)
    assert judged.status == "refused"
    assert reason in judged.reason


def test_own_datasets_may_be_members_with_their_split() -> None:
    ours = OwnAverage(identify("nDCG@10", ["docs@test", "scifact@test"]), 0.5)
    assert judge_claim(claim(members=["scifact", "docs@test"]), ours).status == "compared"


MEMBERS = st.lists(st.sampled_from(sorted(load_catalog().entries)), max_size=6)


@settings(deadline=None)
@given(MEMBERS, st.none() | st.sampled_from(sorted(load_catalog().sets)))
def test_no_line_shows_a_value_without_its_set(members: list[str], name: str | None) -> None:
    judged = judge_claim(claim(members=members or None, set=name), OURS)
    if re.search(r"\.\d", judged.line):
        assert judged.set is not None
        assert judged.set.id in judged.line
    assert (judged.difference is None) == (judged.set is None or judged.set.id != OURS.set.id)
    plain = json.loads(json.dumps(judged.as_json()))
    assert (plain["value"] is None) == (plain["set"] is None)
