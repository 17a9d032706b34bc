"""A team's judgements, in the forms that people and Quepid save."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.judgement import Scale
from pytest_beir.inspection.golden.judgements import read_judgements

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.inspection.golden.judgement import Judgement


def _read(folder: Path, content: str | bytes, name: str = "golden.csv") -> list[Judgement]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_judgements(path).rows)


def _triples(rows: list[Judgement]) -> list[tuple[str, str, Any]]:
    return [(row.query, row.document, row.rating) for row in rows]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_any_common_delimiter_line_end_and_byte_order_mark_is_read(
    tmp_path: Path, delimiter: str, end: str, mark: str
) -> None:
    lines = ["query,doc_id,rating", "red bike,a 1.txt,2", "blue bike,b,0"]
    text = mark + end.join(lines).replace(",", delimiter) + end
    assert _triples(_read(tmp_path, text)) == [("red bike", "a 1.txt", 2), ("blue bike", "b", 0)]


def test_quoted_cells_hold_delimiters_quotes_and_line_ends(tmp_path: Path) -> None:
    text = '"query";"doc_id";"rating"\n"a; ""b""\nc, d";"x;y";"1"\nlast;z;1\n'
    rows = _read(tmp_path, text)
    assert _triples(rows) == [('a; "b"\nc, d', "x;y", 1), ("last", "z", 1)]
    assert [row.place.rpartition(":")[2] for row in rows] == ["2", "4"]


def test_excels_separator_line_is_understood(tmp_path: Path) -> None:
    rows = _read(tmp_path, "sep=;\r\nquery;doc_id;rating\r\na;b;1\r\n")
    assert _triples(rows) == [("a", "b", 1)]
    assert rows[0].place.endswith(":3")


def test_group_and_query_id_are_kept_and_other_columns_are_not(tmp_path: Path) -> None:
    text = "note,rating,Query ID,group,query,doc_id\nx,1,7,g,a,b\ny,1,,,c,d\n"
    rows = _read(tmp_path, text)
    assert [(row.query_id, row.group) for row in rows] == [("7", "g"), (None, None)]


def test_quepids_basic_export_is_read_with_its_unrated_queries(tmp_path: Path) -> None:
    text = "query,docid,rating\nstar wars,11,3.0\n =formula,12,1.0\nnobody rated this\n"
    assert _triples(_read(tmp_path, text)) == [
        ("star wars", "11", 3),
        ("=formula", "12", 1),
        ("nobody rated this", "", None),
    ]


def test_quepids_detailed_export_is_read(tmp_path: Path) -> None:
    text = (
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,genre\n"
        '"A, B",Movies,6,star wars,11,1,Star Wars,3,sf\n'
        '"A, B",Movies,6,star wars,12,2,Other,,sf\n'
    )
    assert _triples(_read(tmp_path, text)) == [("star wars", "11", 3), ("star wars", "12", None)]


@pytest.mark.parametrize(
    "value",
    [
        {"queries": [{"query": "star wars", "ratings": {"11": 3, "12": 0.0}}]},
        {"case_name": "x", "queries": [{"query_text": "star wars", "ratings": {"11": 3, "12": 0}}]},
        {
            "queries": [
                {
                    "query_text": "star wars",
                    "ratings": [{"doc_id": "11", "rating": 3}, {"doc_id": 12, "rating": "0"}],
                }
            ]
        },
        [
            {"query": "star wars", "doc_id": "11", "rating": 3},
            {"query": "star wars", "docid": 12, "rating": 0},
        ],
    ],
)
def test_json_is_read_flat_or_as_quepid_nests_it(tmp_path: Path, value: object) -> None:
    rows = _read(tmp_path, json.dumps(value), "golden.json")
    assert _triples(rows) == [("star wars", "11", 3), ("star wars", "12", 0)]


def test_a_nested_query_without_ratings_is_a_query_alone(tmp_path: Path) -> None:
    rows = _read(tmp_path, '{"queries": [{"query": "a", "ratings": {}}]}', "golden.json")
    assert _triples(rows) == [("a", "", None)]


def test_json_lines_are_read(tmp_path: Path) -> None:
    text = '{"query": "a", "doc_id": "b", "rating": 1, "group": "g"}\n\n'
    assert _triples(_read(tmp_path, text, "golden.jsonl")) == [("a", "b", 1)]


@pytest.mark.parametrize("rating", ["0.5", "2,5", "1e-1", ".5"])
def test_a_fraction_is_an_error_with_its_line(tmp_path: Path, rating: str) -> None:
    with pytest.raises(DatasetError, match=r"golden\.csv:3: the rating .* not a whole number"):
        _read(tmp_path, f'query,doc_id,rating\na,b,1\na,c,"{rating}"\n')


def test_a_fraction_in_json_is_an_error_with_the_line_of_its_object(tmp_path: Path) -> None:
    text = (
        '[\n {"query": "a", "doc_id": "b", "rating": 1},\n'
        ' {"query": "a",\n  "doc_id": "c", "rating": 0.5}\n]'
    )
    with pytest.raises(DatasetError, match=r"golden\.json:3: the rating 0\.5 of 'c'"):
        _read(tmp_path, text, "golden.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        ("query,doc_id,rating\n", "no judgement"),
        ("query,rating\na,1\n", r":2: no field for the document; there are: query, rating"),
        ("a,b,1\nc,d,2\n", r":2: no field for the query; there are: a, b, 1"),
        ("query,doc_id,rating\na,b,good\n", r":2: the rating 'good' of 'b' is not a number"),
        ("query,doc_id,rating\na, b,c,1\n", r":2: 4 cells, the header has 3"),
        ("query,doc_id,rating\n,b,1\n", r":2: the query is empty"),
        ("query,doc_id,rating\na,,1\n", r":2: a rating \(1\) without the id"),
        ('query,doc_id,rating\n"a,b,1\n', r":2: broken quoting"),
        ('query,doc_id,rating\na,"b\tc",1\n', r":2: document's id 'b\\tc' holds a tab"),
        ('query,doc_id,rating,query_id\na,b,1,"x\ny"\n', r":2: query_id 'x\\ny' holds a tab or a"),
        ("query,query,doc_id,rating\na,a,b,1\n", r":1: the column 'query' is there twice"),
        (b"query,doc_id,rating\na,b,1\ncaf\xe9,c,1\n", r":3: byte 0xe9 is not UTF-8"),
        ("query,doc_id,rating\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        _read(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[{]", r":1: malformed JSON"),
        ('[\n{"query": "a"} {"query": "b"}]', r":2: (malformed|no field)"),
        ("7", "expected a list"),
        ('{"rows": []}', "an object that holds one such list; there are: rows"),
        ("[7]", "expected an object"),
        ('[{"doc_id": "a", "rating": 1}]', "no field for the query; there are: doc_id, rating"),
        ('[{"query": "a", "rating": 1}]', "no field for the document; there are: query, rating"),
        ('[{"query": "a", "doc_id": "b", "rating": true}]', "not a number"),
        ('[{"query": "a", "doc_id": "b", "rating": NaN}]', "NaN is not JSON"),
        ('[{"query": ["a"], "doc_id": "b", "rating": 1}]', '"query" is'),
        ('[{"query": "\\ud800", "doc_id": "b", "rating": 1}]', "surrogate"),
        ('{"queries": [{"query": "a", "ratings": [{"x": "b"}]}]}', "neither an id nor a text"),
        ('[{"question": "a", "answer": "b"}]', "1 question with answers, and nothing says which"),
        ("[]", "no judgement"),
    ],
)
def test_malformed_json_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        _read(tmp_path, content, "golden.json")


def test_ratings_after_a_query_without_one_are_scaled_too(tmp_path: Path) -> None:
    path = tmp_path / "golden.csv"
    path.write_text("query,doc_id,rating\na,b,\na,c,0.9\na,d,0.4\n", encoding="utf-8")
    scale = Scale(Fraction(0), Fraction(1), 0, 3)
    rows = read_judgements(path, scale=scale).rows
    assert [(row.document, row.rating) for row in rows] == [("b", None), ("c", 3), ("d", 1)]


@pytest.mark.parametrize(
    ("ratings", "advice"),
    [
        (("4.5", "1"), r"--scale 0\.\.5=0\.\.10 \(doubles them\)"),
        (("4.3", "1"), r"--scale 0\.\.5=0\.\.5 \(rounds them\)"),
        (("-0.5", "2"), r"--scale -1\.\.2=-2\.\.4 \(doubles them\)"),
    ],
)
def test_the_scale_that_is_advised_holds_every_rating(
    tmp_path: Path, ratings: tuple[str, str], advice: str
) -> None:
    lines = "".join(f"a,d{number},{rating}\n" for number, rating in enumerate(ratings))
    with pytest.raises(DatasetError, match=advice):
        _read(tmp_path, f"query,doc_id,rating\n{lines}")
