"""What a shape advises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_beir.gate.power import detectable_drop
from pytest_beir.inspection.advice import advice, size_advice
from pytest_beir.inspection.domains import Subject
from pytest_beir.inspection.profile import Profile

PLAIN = Profile(
    documents=5000,
    queries=300,
    query_words=8,
    document_words=120,
    relevant=1.2,
    grades=(1,),
    asking=0.5,
    query_codes=0.02,
    document_codes=0.02,
    overlap=0.5,
    found=0.6,
    bm25=0.4,
    searched=5000,
    subject=Subject({"medicine": 1.0}),
)


@pytest.mark.parametrize(
    ("queries", "sd", "points"),
    [(50, 0.08, 2.8), (10_000, 0.08, 0.2), (50, 0.33, 11.6), (100, 0.16, 4.0)],
)
def test_what_queries_detect_is_the_usual_formula(queries: int, sd: float, points: float) -> None:
    assert 100 * detectable_drop(sd, queries, 0.05) == pytest.approx(points, abs=0.05)


def test_a_plain_shape_needs_no_advice() -> None:
    assert advice(PLAIN) == ()


@pytest.mark.parametrize("queries", [1, 29, 30, 99, 100])
def test_small_sets_are_told_what_they_detect_and_what_they_cannot(queries: int) -> None:
    text = size_advice(queries)
    assert (text is None) == (queries >= 100)
    assert text is None or "below 100 queries a drop cannot be excluded" in text


def test_fifty_queries_in_words() -> None:
    # 2.4865 x .16 / sqrt 50 = .0563, x .33 = .1160
    assert size_advice(50) == (
        "50 judged queries detect a drop of 5.6 points of nDCG@10 after a change of analyser, 11.6"
        " after a change of system; below 100 queries a drop cannot be excluded."
    )


@pytest.mark.parametrize("field", ["query_codes", "document_codes"])
def test_codes_call_for_a_lexical_retriever_beside_the_dense_one(field: str) -> None:
    changes: dict[str, float] = {field: 0.12}
    (text,) = advice(replace(PLAIN, **changes))  # type: ignore[arg-type]
    where = "queries" if field == "query_codes" else "documents"
    assert f"12% of the words in {where} are codes or acronyms" in text
    assert "run a lexical retriever beside the dense one" in text


def test_so_does_what_bm25_alone_reaches() -> None:
    (text,) = advice(replace(PLAIN, bm25=0.62))
    assert text.startswith(
        "Shared words carry far here (BM25 alone reaches nDCG@10 .62): run a lex"
    )


def test_of_long_documents_it_is_said_that_beir_asks_little() -> None:
    (text,) = advice(replace(PLAIN, document_words=301))
    assert "BEIR asks little about long documents" in text
    assert "512 tokens" not in text
    (longer,) = advice(replace(PLAIN, document_words=1234.4))
    assert "(1,234 words on average, more than the 380 or so that an encoder of 512" in longer


def test_codes_are_told_without_bm25_where_it_does_not_reach_far() -> None:
    (text,) = advice(replace(PLAIN, query_codes=0.12, bm25=0.2))
    assert "BM25 alone" not in text
    (both,) = advice(replace(PLAIN, query_codes=0.12, bm25=0.62))
    assert "are codes or acronyms, and BM25 alone reaches nDCG@10 .62)" in both
