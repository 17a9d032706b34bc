"""Tables with a header."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import RunFileError
from pytest_beir.retrieval.run_files import read_run

if TYPE_CHECKING:
    from pathlib import Path

RUN = {"1": {"d7": 2.5, "d3": 1.0}}


@pytest.mark.parametrize(
    ("header", "sign"),
    [
        ("query_id doc_id score rank", "\t"),
        ("qid docno score rank", ","),
        ("q_id doc_id score rank", ";"),
    ],
)
def test_columns_are_found_by_name(tmp_path: Path, header: str, sign: str) -> None:
    path = tmp_path / "run.tsv"
    path.write_text(f"{header}\n1 d7 2.5 1\n1 d3 1.0 2\n".replace(" ", sign), "utf-8")
    assert read_run(path) == RUN


def test_without_scores_the_rank_counts(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text('"rank","qid","docid"\r\n1,1,"d,7"\r\n2,1,d3\r\n', "utf-8")
    assert read_run(path) == {"1": {"d,7": -1.0, "d3": -2.0}}


def test_ranxs_parquet_is_a_table(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    from pyarrow import parquet

    columns = {"q_id": ["1", "1"], "doc_id": ["d7", "d3"], "score": [2.5, 1.0]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "run.parquet")
    assert read_run(tmp_path / "run.parquet") == RUN


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qid,docid,x\n1,d7,2\n", r":2: .*there are: qid, docid, x"),
        ("qid,docid,score\n1,d7,nan\n", r":2: query '1', document 'd7': the score is 'nan'"),
        ("qid,docid,score\n1,d7,good\n", r":2: .* the score is 'good'"),
        ("qid,docid,score\n1,d7\n", r":2: not as many cells"),
        ("qid,docid,score\n,d7,1\n", r":2: a row without a query's"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, text: str, message: Any) -> None:
    path = tmp_path / "run.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(RunFileError, match=message):
        read_run(path)


@pytest.mark.parametrize("content", ["q1\rQ0,d1,1", "query_id,doc_id,score\nq,d\r1,2\n"])
def test_a_carriage_return_within_a_line_is_one_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run.csv"
    path.write_bytes(content.encode())
    with pytest.raises(RunFileError, match=r"run\.csv:\d"):
        read_run(path)


def test_spaces_around_a_columns_name_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("query_id , doc_id , score\n1,d7,2.5\n1,d3,1.0\n", "utf-8")
    assert read_run(path) == RUN
