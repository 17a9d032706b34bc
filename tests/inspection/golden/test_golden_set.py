"""Judgements and documents put together."""

from __future__ import annotations

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.documents import Documents
from pytest_beir.inspection.golden.golden_set import make_golden_set, query_id_of
from pytest_beir.inspection.golden.judgement import Judgement
from pytest_beir.inspection.golden.judgements import Judgements


def _documents(*identifiers: str) -> Documents:
    documents = Documents()
    for identifier in identifiers:
        documents.put(identifier, identifier, "", "text")
    return documents


def test_a_querys_id_comes_from_its_text_alone() -> None:
    # printf 'star wars' | sha256sum | cut -c-10
    assert query_id_of("star wars") == "q-6efced6a7e"


def test_conflicting_ratings_are_an_error_with_both_lines_even_of_unknown_documents() -> None:
    rows = [Judgement("f:2", "a", "gone", 1), Judgement("f:9", "a", "gone", 2)]
    with pytest.raises(DatasetError, match="f:9: query 'a' and document 'gone' are rated 2 here "):
        make_golden_set(Judgements(rows, "records"), _documents("x"))


def test_one_query_id_for_two_texts_is_an_error() -> None:
    rows = [
        Judgement("f:2", "a", "x", 1, query_id="7"),
        Judgement("f:3", "b", "x", 1, query_id="7"),
    ]
    with pytest.raises(DatasetError, match="f:3: the query id '7' stands for 'b' here"):
        make_golden_set(Judgements(rows, "records"), _documents("x"))


def test_a_query_in_two_groups_is_an_error_and_a_blank_group_is_none() -> None:
    rows = [Judgement("f:2", "a", "x", 1, group="g"), Judgement("f:3", "a", "y", 1)]
    golden = make_golden_set(Judgements(rows, "records"), _documents("x", "y"))
    assert golden.groups == {query_id_of("a"): "g"}
    with pytest.raises(
        DatasetError, match=r"f:4: query 'a' is in group 'h' here and in 'g' in f:2"
    ):
        make_golden_set(
            Judgements([*rows, Judgement("f:4", "a", "z", 1, group="h")], "records"),
            _documents("x", "y"),
        )


def test_an_id_is_found_in_either_composition_of_its_accents() -> None:
    golden = make_golden_set(
        Judgements([Judgement("f:2", "a", "caf\u00e9", 1)], "records"), _documents("cafe\u0301")
    )
    assert golden.qrels == {query_id_of("a"): {"cafe\u0301": 1}}


def test_a_rating_that_was_blank_elsewhere_counts() -> None:
    rows = [Judgement("f:2", "a", "x", None), Judgement("f:3", "a", "x", 1)]
    golden = make_golden_set(Judgements(rows, "records"), _documents("x"))
    assert golden.qrels == {query_id_of("a"): {"x": 1}}
    assert [one.place for one in golden.unrated] == ["f:2"]
    assert not golden.unjudged


@pytest.mark.parametrize(
    ("unknown", "known", "near"),
    [
        ("Guide.MD", ("guide.md", "x"), "guide.md"),
        ("guides\\a.md", ("guides/a.md",), "guides/a.md"),
        ("guides/a", ("guides/a.md",), "guides/a.md"),
        ("docs/guides/a.md", ("guides/a.md", "guides/b.md"), "guides/a.md"),
        ("a", ("guides/a.md",), "guides/a.md"),
        ("17", ("0017", "0018"), "0017"),
        ("a", ("one/a.md", "two/a.md"), None),
        ("b", ("a.md",), None),
    ],
)
def test_the_id_that_was_meant_is_suggested_where_only_one_can_be(
    unknown: str, known: tuple[str, ...], near: str | None
) -> None:
    rows = [Judgement("f:2", "q", unknown, 1), Judgement("f:3", "other", known[0], 1)]
    golden = make_golden_set(Judgements(rows, "records"), _documents(*known))
    assert [one.document for one in golden.unknown] == [unknown]
    assert golden.near.get(unknown) == near


def test_where_nothing_is_left_the_error_shows_what_ids_look_like() -> None:
    with pytest.raises(
        DatasetError, match=r"f:2: none of the rated documents .*did you mean 'a.md'"
    ):
        make_golden_set(Judgements([Judgement("f:2", "q", "a", 1)], "records"), _documents("a.md"))
    with pytest.raises(DatasetError, match="every rating is blank"):
        make_golden_set(Judgements([Judgement("f:2", "q", "a", None)], "records"), _documents("a"))
