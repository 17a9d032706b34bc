"""Whatever a CSV writer writes is read back."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.csv_table import read_csv

if TYPE_CHECKING:
    from pathlib import Path

HEADER = ["query", "doc_id", "rating"]
# Python's writer leaves a lone carriage return without quotes, where every reader ends the line.
CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5),
    delimiter=st.sampled_from(",;\t|"),
    is_quoted=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_rows_come_back_without_outer_blanks(
    tmp_path: Path, rows: list[tuple[str, str, str]], delimiter: str, is_quoted: bool, end: str
) -> None:
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        dialect = csv.unix_dialect if is_quoted else csv.excel  # quote all, quote where needed
        writer = csv.writer(stream, dialect, delimiter=delimiter, lineterminator=end)
        writer.writerow(HEADER)
        writer.writerows(rows)
    table = read_csv(path, lambda header: header == HEADER)
    expected = [[cell.strip() for cell in row] for row in rows]
    assert [list(cells.values()) for _, cells in table.rows] == [
        row for row in expected if any(row)
    ]


def test_a_row_bears_the_line_where_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('query,doc_id,rating\n\n"a\n\nb",c,1\nd,e,2\n', encoding="utf-8")
    table = read_csv(path, lambda header: header == HEADER)
    assert [line for line, _ in table.rows] == [3, 6]


def test_reading_long_cells_leaves_pythons_own_limit_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,text\na," + "x" * 200_000 + "\n", encoding="utf-8")
    before = csv.field_size_limit()
    assert len(read_csv(path, bool).rows[0][1]["text"]) == 200_000
    assert csv.field_size_limit() == before


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nothing\.csv: cannot be read"):
        read_csv(tmp_path / "nothing.csv", bool)
