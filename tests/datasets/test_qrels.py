from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.datasets.lint import stop
from pytest_beir.datasets.plain_qrels import plain_qrels
from pytest_beir.datasets.qrels import _is_header, read_qrels
from pytest_beir.errors import DatasetError

HEADER = "query-id\tcorpus-id\tscore\n"
RIGHT = {"q1": {"d1": 1, "d2": 0}, "0002": {'"Heroes"_(album)': -1, "Ünï code": 2}}
ROWS = 'q1\td1\t1\nq1\td2\t0\n0002\t"Heroes"_(album)\t-1\n0002\tÜnï ccode\t2\n'.replace("cc", "c")


def write(tmp_path: Path, text: str) -> tuple[Path]:
    path = tmp_path / "test.tsv"
    path.write_text(text, "utf-8", newline="")
    return (path,)


def problems(tmp_path: Path, text: str) -> list[tuple[str, int | None]]:
    found: list[DatasetError] = []
    read_qrels(write(tmp_path, text), found.append)
    return [(one.kind, one.line) for one in found]


def test_a_record_without_an_id_is_one_problem_and_the_next_ones_are_read(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    path.write_text(
        '{"query-id": "q1", "corpus-id": "d1", "score": 1}\n'
        '{"query-id": "q1", "score": 1}\n'
        '{"corpus-id": "d2"}\n'
        '{"query-id": "q2", "corpus-id": "d2", "score": 2.0}\n',
        "utf-8",
    )
    found: list[DatasetError] = []
    assert read_qrels((path,), found.append) == {"q1": {"d1": 1}, "q2": {"d2": 2}}
    assert [(one.kind, one.line) for one in found] == [("missing-field", 2), ("missing-field", 3)]
    assert ["no value for 'corpus-id'" in str(one) for one in found] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        HEADER + ROWS,
        ROWS,
        "Query_ID\tDoc\tRelevance\n" + ROWS,
        "\ufeff" + HEADER + ROWS,
        (HEADER + ROWS).replace("\n", "\r\n"),
        "\n" + ROWS + "\n\n",
        "".join("\t0\t".join(line.split("\t", 1)) for line in ROWS.splitlines(keepends=True)),
    ],
    ids=["header", "no header", "other header", "BOM", "CRLF", "blank lines", "TREC with tabs"],
)
def test_every_form_gives_the_same_judgements(tmp_path: Path, text: str) -> None:
    assert read_qrels(write(tmp_path, text), stop) == RIGHT


def test_trec_columns_may_be_separated_by_blanks(tmp_path: Path) -> None:
    files = write(tmp_path, "301 0 FBIS3-1  1\n301 Q0 FBIS3-2 0\n")
    assert read_qrels(files, stop) == {"301": {"FBIS3-1": 1, "FBIS3-2": 0}}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("q9\td1", "malformed-line"),
        ("q9 d1 1", "malformed-line"),
        ("q9\td1\t1\t2\t3", "malformed-line"),
        ("q9\td1\thigh", "malformed-grade"),
        ("q9\td1\t", "malformed-grade"),
        ("q9\td1\t0.5", "fractional-grade"),
        ("q9\td1\t1.0", "fractional-grade"),
        ("q9\td1\t1e3", "fractional-grade"),
        ("q9\td1\t1e999", "fractional-grade"),
        ("q9\td1\t" + "1" * 200_000 + "x", "malformed-grade"),
        ("\td1\t1", "empty-id"),
        ("q9\t\t1", "empty-id"),
        ("q1\td1\t1", "duplicate-judgement"),
        ("q1\td1\t2", "conflicting-judgement"),
        ("corpus-id\tquery-id\tscore", "malformed-grade"),
    ],
)
def test_a_row_that_cannot_be_used_is_reported_with_its_line(
    tmp_path: Path, row: str, code: str
) -> None:
    assert problems(tmp_path, HEADER + "q1\td1\t1\n" + row + "\nq2\td1\t1\n") == [(code, 3)]


def test_a_row_that_is_not_utf8_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_bytes(b"q1\td1\t1\nq2\t\xe9\t1\n")
    found: list[DatasetError] = []
    read_qrels((tmp_path / "test.tsv",), found.append)
    assert [(one.kind, one.line) for one in found] == [("not-utf-8", 2)]


@pytest.mark.parametrize("text", ["", HEADER])
def test_a_file_without_judgements_is_an_error(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text) == [("no-judgements", None)]


def test_an_error_names_file_line_and_remedy(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as caught:
        read_qrels(write(tmp_path, HEADER + "q1\td1\t1\nq1\td1\t2\n"), stop)
    assert str(caught.value) == (
        f"{tmp_path / 'test.tsv'}:3: query 'q1' and document 'd1' have the grades 1 (line 2) "
        "and 2; keep one of them"
    )
    with pytest.raises(DatasetError, match=r"test\.tsv:1: .* 2\.0 .*; write 2"):
        read_qrels(write(tmp_path, "q1\td1\t2.0\n"), stop)


def read_as(tmp_path: Path, name: str, text: str) -> dict[str, dict[str, int]]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_qrels((path,), stop)


@pytest.mark.parametrize(
    "line",
    [
        '{"query-id": "q1", "corpus-id": "d1", "score": 2}',
        '{"query_id": "q1", "doc_id": "d1", "relevance": 2.0}',
        '{"qid": "q1", "docid": "d1", "rel": 2, "iter": 0}',
    ],
)
def test_json_lines_name_their_fields_in_several_ways(tmp_path: Path, line: str) -> None:
    assert read_as(tmp_path, "test.jsonl", f"{line}\n") == {"q1": {"d1": 2}}


def test_json_lines_without_grades_have_grade_1(tmp_path: Path) -> None:
    text = '{"query_id": 1, "doc_id": "d1"}\n{"query_id": 1, "doc_id": "d2"}\n'
    assert read_as(tmp_path, "test.jsonl", text) == {"1": {"d1": 1, "d2": 1}}


def test_a_json_line_without_a_document_names_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"test\.jsonl:1: .*'corpus-id'; there are: query_id, x"):
        read_as(tmp_path, "test.jsonl", '{"query_id": "q1", "x": "d1"}\n')


def test_comments_are_passed_over_and_ids_may_begin_like_them(tmp_path: Path) -> None:
    text = "# judged by Ann in May\n#\nq1 0 d1 1\n#2 0 d2 1\n"
    assert read_as(tmp_path, "test.qrels", text) == {"q1": {"d1": 1}, "#2": {"d2": 1}}
    rows = f"# two columns\n{HEADER}#q\td1\t1\n"
    assert read_as(tmp_path, "test.tsv", rows) == {"#q": {"d1": 1}}


CELLS = st.text(st.sampled_from('ab"# \0\r\u2028é'), max_size=2)
GRADES = st.sampled_from(("0", "1", "-1", "+2", " 1", "1.0", "x", "", "score"))
LINES = st.one_of(
    st.builds("\t".join, st.tuples(CELLS, CELLS, GRADES)),
    st.builds("\t".join, st.tuples(CELLS, st.just("Q0"), CELLS, GRADES)),
    st.sampled_from(("", " ", "# a remark", "query-id\tcorpus-id\tscore", "a b 1", "a\tb", "\t\t")),
)


@given(st.lists(LINES, max_size=6), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_many_lines_at_a_time_read_as_line_by_line(
    lines: list[str], end: str, is_ended: bool
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "test.tsv"
        path.write_text(end.join(lines) + end * is_ended, "utf-8", newline="")
        found: list[DatasetError] = []
        qrels = read_qrels((path,), found.append)
        slow: list[DatasetError] = []
        with patch("pytest_beir.datasets.qrels.plain_qrels", return_value=None):
            again = read_qrels((path,), slow.append)
    assert qrels == again
    assert [list(grades) for grades in qrels.values()] == [list(g) for g in again.values()]
    assert [str(each) for each in found] == [str(each) for each in slow]


def test_beirs_own_form_is_read_many_lines_at_a_time(tmp_path: Path) -> None:
    (file,) = write(tmp_path, HEADER + ROWS)
    assert plain_qrels(file, _is_header) == RIGHT


def test_what_follows_a_row_that_cannot_be_used_is_read_and_reported_too(tmp_path: Path) -> None:
    rows = "q9 d1 1\nq9\td1\t1\t2\t3\nq2\td1\t1\nq3\td1\thigh\n"
    assert problems(tmp_path, HEADER + "q1\td1\t1\n" + rows) == [
        ("malformed-line", 3),
        ("malformed-line", 4),
        ("malformed-grade", 6),
    ]


def test_only_the_first_line_may_be_a_header(tmp_path: Path) -> None:
    text = "# a comment\n" + HEADER + "q1\td1\t1\n" + HEADER + "q2\td1\t1\n"
    assert problems(tmp_path, text) == [("malformed-grade", 4)]


@pytest.mark.parametrize(("length", "rest"), [(40, ""), (41, "…")])
def test_a_long_grade_is_shown_by_its_first_forty_characters(
    tmp_path: Path, length: int, rest: str
) -> None:
    found: list[DatasetError] = []
    read_qrels(write(tmp_path, f"q1\td1\t{'x' * length}\n"), found.append)
    assert f"'{'x' * 40}'{rest} is not" in str(found[0])
