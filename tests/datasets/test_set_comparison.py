"""Two averages compare if metric and members, splits included, are the same; else never."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.set_comparison import (
    compare_sets,
    graded_datasets,
    identify,
    label,
    metric_difference,
    named_set,
)

if TYPE_CHECKING:
    from random import Random

NAMES = st.text("abcdefghij-", min_size=1, max_size=6)
MEMBERS = st.builds("{}@{}".format, NAMES, st.sampled_from(["test", "dev", "train"]))
SETS = st.lists(MEMBERS, min_size=1, max_size=12, unique=True)


@settings(deadline=None)
@given(SETS, st.randoms(use_true_random=False))
def test_the_order_of_members_never_changes_the_identity(
    members: list[str], random: Random
) -> None:
    shuffled = random.sample(members, len(members))
    first, second = identify("nDCG@10", members), identify("nDCG@10", shuffled)
    assert first == second
    assert first.id == second.id


@settings(deadline=None)
@given(SETS, MEMBERS)
def test_adding_or_dropping_a_member_changes_the_identity(members: list[str], extra: str) -> None:
    assume(extra not in members)
    small, large = identify("nDCG@10", members), identify("nDCG@10", [*members, extra])
    assert small.id != large.id
    comparison = compare_sets(small, large)
    assert not comparison.comparable
    assert comparison.common is not None
    assert comparison.common.id == small.id
    assert extra.partition("@")[0] in comparison.reason


@settings(deadline=None)
@given(SETS, st.data())
def test_renaming_any_member_changes_the_identity(members: list[str], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(members) - 1))
    new = data.draw(MEMBERS.filter(lambda each: each not in members))
    renamed = [*members[:index], new, *members[index + 1 :]]
    before, after = identify("nDCG@10", members), identify("nDCG@10", renamed)
    assert before.id != after.id
    assert not compare_sets(before, after).comparable


@settings(deadline=None)
@given(SETS, SETS)
def test_what_differs_is_the_same_from_both_sides(left: list[str], right: list[str]) -> None:
    there = compare_sets(identify("nDCG@10", left), identify("nDCG@10", right))
    back = compare_sets(identify("nDCG@10", right), identify("nDCG@10", left))
    assert (there.only_left, there.only_right) == (back.only_right, back.only_left)
    assert there.common == back.common
    assert there.comparable == back.comparable == (set(left) == set(right))
    assert (there.reason == "") == there.comparable


def test_every_named_set_of_the_catalogue_is_recognised_by_its_members() -> None:
    for name in load_catalog().sets:
        found = named_set("nDCG@10", name)
        assert identify("nDCG@10", reversed(found.members)).name == name


def test_a_named_set_with_one_other_split_bears_no_name() -> None:
    members = named_set("nDCG@10", "mteb-15").members
    changed = ["msmarco@test" if each == "msmarco@dev" else each for each in members]
    assert "msmarco@dev" in members
    assert identify("nDCG@10", changed).name == ""


def test_another_split_is_named_as_such_and_is_in_no_common_set() -> None:
    members = named_set("nDCG@10", "mteb-15").members
    changed = ["msmarco@test" if each == "msmarco@dev" else each for each in members]
    comparison = compare_sets(identify("nDCG@10", members), identify("nDCG@10", changed))
    assert comparison.splits == (("msmarco", "dev", "test"),)
    assert comparison.only_left == comparison.only_right == ()
    assert comparison.common is not None
    assert comparison.common.name == "public-14"
    assert comparison.reason == ("msmarco is scored on dev in the first and on test in the second")


def test_a_dataset_with_one_split_here_and_two_there_lists_both_pairs() -> None:
    comparison = compare_sets(
        identify("nDCG@10", ["a@dev", "b@test"]), identify("nDCG@10", ["a@test", "a@train"])
    )
    assert comparison.splits == (("a", "dev", "test"), ("a", "dev", "train"))
    assert comparison.only_left == ("b@test",)
    assert comparison.common is None


def test_binary_gains_are_another_metric_over_the_same_datasets() -> None:
    graded, binary = (named_set(metric, "public-13") for metric in ("nDCG@10", "nDCG@10(binary)"))
    comparison = compare_sets(graded, binary)
    assert graded.id != binary.id
    assert not comparison.comparable
    assert comparison.common is None
    assert "the sets hold trec-covid, nfcorpus, webis-touche2020, dbpedia-entity" in (
        comparison.reason
    )


def test_the_graded_datasets_of_beir_are_those_with_several_positive_grades() -> None:
    beir = load_catalog().sets["beir-18"].members
    assert {name for name in graded_datasets() if name in beir} == {
        "trec-covid",
        "nfcorpus",
        "webis-touche2020",
        "dbpedia-entity",
        "signal1m",
        "trec-news",
        "robust04",
    }


def test_metrics_that_differ_in_more_than_gains_say_nothing_of_grades() -> None:
    assert metric_difference("nDCG@10", "R@100") == "nDCG@10 and R@100 are different metrics"
    assert "grade" not in metric_difference("nDCG@10(binary)", "R@100")
    assert metric_difference("nDCG@10", "nDCG@10") == ""


def test_a_label_names_the_set_or_lists_its_members() -> None:
    named = named_set("nDCG@10", "public-13")
    assert label(named) == f"public-13 (13 datasets, set {named.id})"
    assert "arguana@test" in label(named, members=True)
    own = identify("nDCG@10", ["docs@test"])
    assert label(own) == f"1 dataset (set {own.id}: docs@test)"
    assert label(own, members=False) == f"1 dataset (set {own.id})"
