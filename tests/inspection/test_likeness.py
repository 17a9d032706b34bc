"""How like two datasets are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.inspection import likeness
from pytest_beir.inspection.domains import Subject
from pytest_beir.inspection.likeness import compare_shape, match_datasets
from pytest_beir.inspection.shapes import load_shapes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_beir.inspection.profile import Profile
    from pytest_beir.inspection.shapes import Shape

    AsProfile = Callable[[Shape], Profile]


SHAPES = {shape.name: shape for shape in load_shapes()}


@pytest.mark.parametrize("name", SHAPES)
def test_each_dataset_is_nearest_to_itself_at_no_distance(name: str, as_profile: AsProfile) -> None:
    first, second, *_ = match_datasets(as_profile(SHAPES[name]))
    assert (first.name, first.distance) == (name, 0)
    assert second.distance > 0
    assert not first.unlike


def test_all_datasets_are_ranked_and_distances_lie_between_0_and_1(as_profile: AsProfile) -> None:
    matches = match_datasets(as_profile(SHAPES["fiqa"]))
    assert {match.name for match in matches} == SHAPES.keys()
    distances = [match.distance for match in matches]
    assert distances == sorted(distances)
    assert 0 <= distances[0] <= distances[-1] <= 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("msmarco", {"nq"}),
        ("trec-covid", {"bioasq", "scifact"}),
        ("bioasq", {"scifact", "trec-covid"}),
        ("trec-news", {"robust04"}),
        ("fever", {"nq", "hotpotqa"}),
        ("scifact", {"bioasq"}),
    ],
)
def test_datasets_that_people_call_similar_are_near(
    name: str, expected: set[str], as_profile: AsProfile
) -> None:
    others = [match.name for match in match_datasets(as_profile(SHAPES[name]))[1:]]
    assert set(others[: len(expected)]) == expected


def test_at_most_three_of_the_suite_resemble_a_folder_nearest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_profile: AsProfile
) -> None:
    shape = SHAPES["scifact"]
    monkeypatch.setattr(likeness, "load_dataset", lambda path, **_: path)
    monkeypatch.setattr(likeness, "profile_dataset", lambda _: as_profile(shape))
    ranked = [match.name for match in match_datasets(as_profile(shape))]
    assert ranked[0] == "scifact"
    suite = {"own", *ranked[1::2]}
    assert likeness.resembling(tmp_path, suite, None) == (ranked[1], ranked[3], ranked[5])
    assert likeness.resembling(tmp_path, {"own", ranked[4]}, None) == (ranked[4],)
    assert likeness.resembling(tmp_path, {"own"}, None) == ()


def test_nothing_resembles_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    assert likeness.resembling(tmp_path / "none", set(SHAPES), tmp_path) == ()


def test_the_distance_is_the_weighted_mean_of_the_traits(as_profile: AsProfile) -> None:
    # Queries four times as long: two of the three doublings that count as wholly different. Of
    # SciFact all is known: 4 + 2 + 2 + 1 + 1 + 1 + .5 + 1 + .5 + .5 = 13.5 weights.
    mine = as_profile(SHAPES["scifact"])
    longer = replace(mine, query_words=4 * mine.query_words)
    match = compare_shape(longer, SHAPES["scifact"])
    assert match.distance == pytest.approx(2 * (2 / 3) / 13.5, abs=1e-4)
    assert match.reasons[-1] == "but queries of 50 words against its 12.5"


def test_reasons_are_sentences_likenesses_first_and_differences_last(as_profile: AsProfile) -> None:
    reasons = compare_shape(as_profile(SHAPES["scifact"]), SHAPES["trec-covid"]).reasons
    assert reasons[0] == "about medicine and biology, as it is"
    assert "queries of 12.5 words against its 10.6" in reasons
    assert reasons[-2:] == (
        "but 0% of the queries are questions against its 100%",
        "but 1.1 relevant documents a query against its 493",
    ) or reasons[-1].startswith("but ")
    is_difference = [reason.startswith("but ") for reason in reasons]
    assert is_difference == sorted(is_difference)


def test_what_is_unknown_of_a_dataset_is_no_difference(as_profile: AsProfile) -> None:
    robust = SHAPES["robust04"]
    assert robust.is_graded is None
    few, many = (replace(as_profile(robust), grades=grades) for grades in ((1,), (1, 2)))
    assert compare_shape(few, robust) == compare_shape(many, robust)


def test_a_set_without_relevant_documents_is_compared_all_the_same(as_profile: AsProfile) -> None:
    mine = replace(as_profile(SHAPES["fiqa"]), relevant=0.0, subject=Subject({}))
    assert compare_shape(mine, SHAPES["fiqa"]).distance > 0


def test_a_trait_is_at_most_as_far_as_1(as_profile: AsProfile) -> None:
    shape = replace(SHAPES["fiqa"], query_codes=0.0, bm25=0.0, overlap=0.0)
    mine = replace(as_profile(shape), query_codes=0.25, bm25=0.75, overlap=0.75)
    found = {trait.name: trait.distance for trait in compare_shape(mine, shape).traits}
    # Wider than what is as far as can be: .2 of codes, .5 of BM25 and of shared words.
    assert (found["codes"], found["BM25"], found["shared words"]) == (1.0, 1.0, 1.0)
    near = replace(as_profile(shape), query_codes=0.05, bm25=0.125, overlap=0.25)
    found = {trait.name: trait.distance for trait in compare_shape(near, shape).traits}
    half = found["codes"], found["BM25"], found["shared words"]
    assert half == pytest.approx((0.25, 0.25, 0.5))
