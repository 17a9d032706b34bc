"""Judgements to be added: what is reported, and that reading goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.inspection.additions import Addition, Target, check_addition

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.errors import DatasetError

TARGET = Target({"q1": {"d1": 1}}, "test", {"q1", "q2"}, {"d1", "d2"})
HEADER = b"query-id\tcorpus-id\tscore\n"


def checked(tmp_path: Path, rows: bytes) -> tuple[Addition, list[tuple[str, int | None]]]:
    file = tmp_path / "to-judge.tsv"
    file.write_bytes(HEADER + rows)
    found: list[DatasetError] = []
    addition = check_addition(file, TARGET, found.append)
    return addition, [(each.kind, each.line) for each in found]


def test_what_is_not_yet_judged_is_pending_with_or_without_its_last_tab(tmp_path: Path) -> None:
    rows = b"q1\td2\t1\nq2\td1\t\nq2\td2\n"
    assert checked(tmp_path, rows) == (Addition(judged=1, pending=2), [])


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (b"q1\td2\t1\textra\n", "malformed-line"),
        (b"q1\n", "malformed-line"),
        (b"q1\td\xff\t1\n", "not-utf-8"),
        (HEADER, "malformed-grade"),
    ],
)
def test_a_row_that_cannot_be_read_is_reported_and_the_next_ones_are_read(
    tmp_path: Path, row: bytes, kind: str
) -> None:
    addition, found = checked(tmp_path, b"q1\td2\t1\n" + row + b"q2\td1\t0\nq9\n")
    assert addition == Addition(judged=2, pending=0)
    assert found == [(kind, 3), ("malformed-line", 5)]
