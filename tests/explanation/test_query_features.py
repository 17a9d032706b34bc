"""What queries have in common, read off a few texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.explanation.query_features import features_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_beir.explanation.query_features import QueryFeature

QUERIES = {
    "long": "why does the pump of the new heating system make so much noise at night",
    "code": "reset E17 fault",
    "plain": "clean filters",
    "title": "descaling boiler",
}
QRELS = {
    "long": {"noise": 1},
    "code": {"fault": 2, "noise": 0},
    "plain": {"filter": 1},
    "title": {"scale": 1, "absent": 1},
}
DOCUMENTS = {
    "noise": {"title": "", "text": "A pump that makes noise at night holds air. " * 9},
    "fault": {"title": "Fault E17", "text": "Press reset to clear the fault E17."},
    "filter": {"title": "", "text": "The cleaning of a filter takes a minute."},
    "scale": {"title": "Descaling", "text": "Drain the boiler first."},
}


def fetch(query: str, document: str) -> Mapping[str, str] | None:
    assert query in QUERIES
    return DOCUMENTS.get(document)


def bearers(traits: Sequence[QueryFeature], part: str) -> set[str]:
    """The queries that have the one trait whose label holds `part`."""
    [found] = [trait for trait in traits if part in trait.label]
    return set(found.having)


def test_long_and_short_queries_are_divided_at_the_median() -> None:
    traits = features_of(QUERIES, QRELS)
    assert bearers(traits, "long queries (over 2.5 words)") == {"long", "code"}
    assert bearers(traits, "short queries (up to 2.5 words)") == {"plain", "title"}


def test_codes_are_told_from_words() -> None:
    assert bearers(features_of(QUERIES, QRELS), "code") == {"code"}


def test_without_documents_only_the_queries_own_traits_are_told() -> None:
    assert len(features_of(QUERIES, QRELS)) == 3


def test_rare_words_are_those_that_few_sampled_documents_hold() -> None:
    sample = [{"title": "", "text": "clean descaling reset fault boiler pump"}] * 600
    sample += [{"title": "", "text": "filters"}]
    traits = features_of(QUERIES, QRELS, sample=sample)
    # "filters", "E17" and most words of the long query are in at most one of the 601 documents.
    assert bearers(traits, "rare words") == {"long", "plain"}


def test_words_of_a_title_count_only_where_the_text_lacks_them() -> None:
    assert bearers(features_of(QUERIES, QRELS, fetch), "title, not in its text") == {"title"}


def test_another_form_of_a_word_is_found_by_its_beginning() -> None:
    # clean/cleaning and filters/filter; the others are held as they are, or not at all.
    assert bearers(features_of(QUERIES, QRELS, fetch), "another form") == {"plain"}


def test_shared_words_divide_at_the_median() -> None:
    traits = features_of(QUERIES, QRELS, fetch)
    assert bearers(traits, "share many words") == {"code", "title"}
    assert bearers(traits, "share few words") == {"long", "plain"}


def test_long_relevant_documents_are_told_from_short_ones() -> None:
    assert "long" in bearers(features_of(QUERIES, QRELS, fetch), "long relevant documents")


def test_queries_without_a_readable_relevant_document_are_not_known() -> None:
    traits = features_of(QUERIES, QRELS | {"title": {"absent": 1}}, fetch)
    [trait] = [trait for trait in traits if "another form" in trait.label]
    assert trait.examined == {"long", "code", "plain"}


def test_of_many_queries_a_thousand_are_read_spread_evenly() -> None:
    queries = {f"{place:05}": "clean filters" for place in range(4000)}
    asked: list[str] = []

    def count(query: str, document: str) -> Mapping[str, str] | None:
        asked.append(query)
        return DOCUMENTS[document]

    features_of(queries, {query: {"filter": 1} for query in queries}, count)
    assert len(asked) == 1000
    assert asked[:3] == ["00000", "00004", "00008"]
