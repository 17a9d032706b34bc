from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.lint import stop
from pytest_beir.datasets.qrels import read_qrels
from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from pathlib import Path

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
