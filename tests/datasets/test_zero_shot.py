"""Zero-shot is what nothing related to was trained on, and unknown is not clean."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.set_comparison import identify, named_set
from pytest_beir.datasets.zero_shot import doubtful_names, status, zero_shot_set

WIKIPEDIA = ("nq", "hotpotqa", "fever", "climate-fever", "dbpedia-entity")
NAMES = sorted(load_catalog().entries)


@pytest.mark.parametrize(
    ("dataset", "trained_on", "relation", "reason"),
    [
        ("scifact", "scifact", "itself", "the retriever was trained on it"),
        ("scifact", "SciFact", "itself", "the retriever was trained on it"),
        ("docs", "docs", "itself", "the retriever was trained on it"),
        ("climate-fever", "fever", "corpus", "has the corpus of fever"),
        ("fever", "climate-fever", "corpus", "has the corpus of climate-fever"),
        ("nano-climate-fever", "fever", "corpus", "has the corpus of fever"),
        ("hotpotqa", "nq", "collection", "shares Wikipedia with nq"),
        ("dbpedia-entity", "hotpotqa", "collection", "shares Wikipedia with hotpotqa"),
        ("nano-fever", "nq", "collection", "shares Wikipedia with nq"),
        ("nano-scifact", "scifact", "sample", "a sample of scifact"),
        ("scifact", "nano-scifact", "sample", "sampled by nano-scifact"),
        ("nano-msmarco", "MS MARCO", "sample", "a sample of msmarco"),
        ("cqadupstack/android", "cqadupstack", "part", "part of cqadupstack"),
        ("cqadupstack", "cqadupstack-android", "part", "has the part cqadupstack/android"),
        ("cqadupstack/gis", "cqadupstack/tex", "part", "a part beside cqadupstack/tex"),
    ],
)
def test_a_relation_to_the_training_data_contaminates(
    dataset: str, trained_on: Any, relation: str, reason: str
) -> None:
    found = status(dataset, [trained_on])
    assert (found.status, found.relation) == ("contaminated", relation)
    assert found.reason.startswith(reason)
    if relation != "itself":
        assert found.reason.endswith("which the retriever was trained on")


@pytest.mark.parametrize(
    ("dataset", "trained_on"),
    [
        ("scifact", ["msmarco"]),
        ("scidocs", ["scifact", "docs"]),
        ("docs", ["msmarco", "nq"]),
        ("quora", ["cqadupstack"]),
        ("scifact", []),
    ],
)
def test_nothing_related_is_clean(dataset: str, trained_on: Any) -> None:
    assert status(dataset, trained_on).status == "clean"


def test_the_strongest_relation_is_the_one_named() -> None:
    assert status("climate-fever", ["nq", "fever"]).through == "fever"
    assert status("nano-nq", ["hotpotqa", "nq"]).relation == "sample"
    assert status("fever", ["nq", "fever", "climate-fever"]).relation == "itself"


def test_unknown_training_data_make_every_dataset_unknown() -> None:
    found = [status(dataset, None) for dataset in ("scifact", "msmarco", "docs")]
    assert {each.status for each in found} == {"unknown"}
    assert "not known" in found[-1].reason


@pytest.mark.parametrize("trained_on", [None, [], ["scifact"], ["msmarco"]])
@pytest.mark.parametrize("dataset", ["msmarco", "nano-msmarco"])
def test_ms_marco_is_never_in_a_zero_shot_average(dataset: str, trained_on: Any) -> None:
    assert status(dataset, trained_on).in_domain
    split = load_catalog().entries[dataset].split
    members = ["scidocs@test", f"{dataset}@{split}"]
    found = zero_shot_set(identify("nDCG@10", members), trained_on)
    assert found.set is not None
    assert found.set.members == ("scidocs@test",)
    assert [each.dataset for each in found.left_out] == [dataset]


def test_ms_marco_is_clean_yet_in_domain_for_what_was_never_trained() -> None:
    found = status("msmarco", [])
    assert found.status == "clean"
    assert "in-domain by convention" in found.reason


def test_a_retriever_trained_on_ms_marco_alone_keeps_public_14() -> None:
    found = zero_shot_set(named_set("nDCG@10", "mteb-15"), ["msmarco"])
    assert found.set == named_set("nDCG@10", "public-14")
    assert found.established
    assert found.label == "zero-shot average"
    assert found.reason == ""


def test_training_on_one_wikipedia_set_leaves_all_of_them_out() -> None:
    found = zero_shot_set(named_set("nDCG@10", "public-14"), ["msmarco", "nq"])
    assert {each.dataset for each in found.left_out} == set(WIKIPEDIA)
    assert found.set is not None
    assert len(found.set.members) == 9


def test_with_unknown_members_the_average_is_not_established() -> None:
    found = zero_shot_set(named_set("nDCG@10", "public-13"), None)
    assert not found.established
    assert found.label == "zero-shot average, not established"
    assert found.reason.startswith("not known whether clean: arguana@test, ")
    assert found.set == named_set("nDCG@10", "public-13")


def test_where_nothing_is_zero_shot_there_is_no_set() -> None:
    found = zero_shot_set(identify("nDCG@10", ["nq@test", "msmarco@dev"]), ["fever"])
    assert found.set is None
    assert not found.established
    assert found.reason == "no dataset of the set is zero-shot"
    assert len(found.left_out) == 2


@settings(deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_relations_hold_in_both_directions(one: str, other: str) -> None:
    there, back = status(one, [other]), status(other, [one])
    assert (there.status, there.relation) == (back.status, back.relation)


@settings(deadline=None)
@given(st.lists(st.sampled_from(NAMES)), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_more_training_data_never_make_a_dataset_clean(
    trained_on: Any, more: str, dataset: str
) -> None:
    if status(dataset, trained_on).status == "contaminated":
        assert status(dataset, [*trained_on, more]).status == "contaminated"


def test_a_name_the_catalogue_does_not_know_is_allowed_and_questioned() -> None:
    assert doubtful_names(["scifct", "SciFact", "zzzzzz"]) == (
        (
            "trained_on names 'scifct', which the catalogue does not know; if 'scifact' is meant,"
            " write that"
        ),
        "trained_on names 'zzzzzz', which the catalogue does not know",
    )
    assert doubtful_names(None) == doubtful_names(["msmarco"]) == ()
