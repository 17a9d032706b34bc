"""Records whose fields have many names."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.fields import FieldNames


@pytest.mark.parametrize("query", ["query", "question", "user_input", "input", "Question Text"])
@pytest.mark.parametrize(
    "document",
    ["doc_id", "relevant_doc_ids", "expected_doc_ids", "expected_sources", "source", "document"],
)
def test_a_query_and_its_documents_are_found_by_name(
    read: Any, rows: Any, query: str, document: str
) -> None:
    judgements = read("golden.json", [{query: "why", document: ["a.md", "b.md"], "notes": "x"}])
    assert rows(judgements) == [("why", "a.md", 1), ("why", "b.md", 1)]
    assert judgements.form == "records of a query and its documents"
    assert judgements.told == (
        f"read: queries from {query!r} and documents from {document!r}; not used: notes",
        "no ratings: every document listed counts as relevant (1)",
    )


def test_one_id_is_as_good_as_a_list(read: Any, rows: Any) -> None:
    text = '{"question": "why", "expected_document_id": 17}\n'
    assert rows(read("golden.jsonl", text)) == [("why", "17", 1)]


def test_yaml_keeps_ids_as_they_are_written(read: Any, rows: Any) -> None:
    text = "- query: why\n  doc_ids: [0017, 1e3]\n- query: how\n  doc_ids: [no]\n"
    expected = [("why", "0017", 1), ("why", "1e3", 1), ("how", "no", 1)]
    assert rows(read("golden.yaml", text)) == expected


def test_the_one_list_of_an_object_is_read(read: Any, rows: Any) -> None:
    content = {"version": 2, "test_cases": [{"question": "why", "relevant_ids": ["a"]}]}
    assert rows(read("golden.json", content)) == [("why", "a", 1)]


@pytest.mark.parametrize("cell", ['["a", "b"]', "['a', 'b']", "a; b", "a|b", "a, b"])
def test_a_cell_may_hold_several_ids(read: Any, rows: Any, cell: str) -> None:
    quoted = cell.replace('"', '""')
    judgements = read("golden.csv", f'question,relevant_doc_ids\nwhy,"{quoted}"\n')
    assert rows(judgements) == [("why", "a", 1), ("why", "b", 1)]


def test_a_single_id_with_a_comma_is_not_split(read: Any, rows: Any) -> None:
    judgements = read("golden.csv", 'question,doc_id\nwhy,"a, b"\n')
    assert rows(judgements) == [("why", "a, b", 1)]


def test_ratings_may_come_with_the_documents(read: Any, rows: Any) -> None:
    content = [
        {"query": "why", "documents": [{"doc_id": "a", "relevance": 2}, {"id": "b", "grade": 0}]},
        {"query": "how", "documents": {"c": 3}},
    ]
    assert rows(read("golden.json", content)) == [("why", "a", 2), ("why", "b", 0), ("how", "c", 3)]


def test_a_final_rating_counts_as_the_rating(read: Any, rows: Any) -> None:
    text = "query_text,product_id,final_rating\nlamp,p1,2\n"
    assert rows(read("golden.csv", text)) == [("lamp", "p1", 2)]


def test_named_columns_come_first(read: Any, rows: Any) -> None:
    text = "query,ask,url,stars,doc_id\nx,why,a,3,z\n"
    names = FieldNames(query="ask", document="url", rating="stars")
    assert rows(read("golden.csv", text, names)) == [("why", "a", 3)]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            {"zzz": "why", "doc_id": "a"},
            r"there are: zzz, doc_id; name it: --query-column=…",
        ),
        (
            {"the_question_asked": "why", "doc_id": "a"},
            "if 'the_question_asked' is meant, add --query-column=the_question_asked",
        ),
        (
            {"query": "why", "chunk_link": "a"},
            r"add --document-column=chunk_link",
        ),
    ],
)
def test_a_missing_field_names_those_that_are_there_and_a_guess(
    read: Any, record: Any, message: str
) -> None:
    with pytest.raises(DatasetError, match=rf"golden\.json:1: .*{message}"):
        read("golden.json", [record])


def test_a_column_that_is_not_there_is_named_with_the_nearest(read: Any) -> None:
    with pytest.raises(DatasetError, match=r"no field 'quest', .*did you mean question\?"):
        read("golden.json", [{"question": "why", "doc_id": "a"}], FieldNames(query="quest"))


def test_two_columns_that_differ_are_not_chosen_between(read: Any, rows: Any) -> None:
    with pytest.raises(DatasetError, match="both 'doc_id' and 'docid' could hold the document"):
        read("golden.csv", "query,doc_id,docid,rating\ntea,d1,d2,2\n")
    same = read("golden.csv", "query,doc_id,docid,rating\ntea,d1,d1,2\n")
    assert rows(same) == [("tea", "d1", 2)]


def test_query_ids_take_their_texts_from_a_second_file(read: Any, rows: Any, tmp_path: Any) -> None:
    queries = tmp_path / "texts.tsv"
    queries.write_text("7\twhy\n8\thow\n", encoding="utf-8")
    text = '{"query_id": "7", "doc_id": "a", "relevance": 1}\n'
    judgements = read("qrels.jsonl", text, queries=queries)
    assert rows(judgements) == [("why", "a", 1)]
    assert judgements.rows[0].query_id == "7"
    with pytest.raises(DatasetError, match="--queries=FILE"):
        read("qrels.jsonl", text)


def test_queries_of_the_usual_name_beside_the_file_are_used_and_named(
    read: Any, rows: Any, tmp_path: Any
) -> None:
    (tmp_path / "queries.jsonl").write_text('{"_id": "7", "text": "why"}\n', encoding="utf-8")
    judgements = read("qrels.tsv", "query-id\tcorpus-id\tscore\n7\ta\t1\n")
    assert rows(judgements) == [("why", "a", 1)]
    assert "queries.jsonl, which is next to the file" in judgements.told[0]
