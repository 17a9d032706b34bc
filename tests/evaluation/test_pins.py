"""Pinned queries: read strictly, and broken by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ConfigError
from pytest_beir.evaluation.check import Check
from pytest_beir.evaluation.pins import (
    Pin,
    check_datasets,
    check_pins,
    find_ranks,
    pins_of,
    read_pins,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[..., Path]

HEADER = "dataset\tquery\tdocument\trank"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(*lines: str, end: str = "\n") -> Path:
        path = tmp_path / "pinned.tsv"
        path.write_bytes("".join(line + end for line in lines).encode("utf-8"))
        return path

    return write


def pin(query: str = "q1", document: str = "d1", rank: int = 3, dataset: str | None = None) -> Pin:
    return Pin(dataset, query, document, rank, "pinned.tsv:2")


def test_pins_are_read_with_their_lines(write: Write) -> None:
    path = write(HEADER, "docs\tq1\tguide/reset.md\t3", "", "docs\tq 2\td2\t1")
    assert read_pins(path) == (
        Pin("docs", "q1", "guide/reset.md", 3, f"{path}:2"),
        Pin("docs", "q 2", "d2", 1, f"{path}:4"),
    )


def test_the_dataset_may_be_left_out(write: Write) -> None:
    path = write("query\tdocument\trank", "q1\td1\t10")
    assert read_pins(path) == (Pin(None, "q1", "d1", 10, f"{path}:2"),)


def test_carriage_returns_and_a_byte_order_mark_change_nothing(write: Write) -> None:
    plain = read_pins(write(HEADER, "docs\tq1\td1\t3"))
    assert read_pins(write(f"\ufeff{HEADER}", "docs\tq1\td1\t3", end="\r\n")) == plain
    assert read_pins(write(HEADER, "docs\tq1\td1\t 3 ")) == plain


@pytest.mark.parametrize(
    ("lines", "line", "text"),
    [
        (("docs\tq1\td1\t3",), 1, "header dataset"),
        (("document\tquery\trank", "d\tq\t1"), 1, "header"),
        ((HEADER, "docs\tq1\td1"), 2, "expected 4 cells"),
        ((HEADER, "docs q1 d1 3"), 2, "found 1"),
        ((HEADER, "docs\tq1\td1\t0"), 2, "the rank is '0'"),
        ((HEADER, "docs\tq1\td1\tfirst"), 2, "the rank is 'first'"),
        ((HEADER, "docs\tq1\td1\t101"), 2, "1 to 100"),
        ((HEADER, "docs\tq1\td1\t²"), 2, "the rank is '²'"),
        ((HEADER, "docs\tq1\t\t3"), 2, "the document is empty"),
        ((HEADER, "docs\t  \td1\t3"), 2, "the query is empty"),
        ((HEADER, "docs\tq1\td1\t3", "docs\tq1\td1\t5"), 3, "are pinned in .*pinned.tsv:2 too"),
    ],
)
def test_what_is_malformed_is_named_with_its_line(
    write: Write, lines: tuple[str, ...], line: int, text: str
) -> None:
    with pytest.raises(ConfigError, match=rf"pinned\.tsv:{line}: .*{text}"):
        read_pins(write(*lines))


def test_a_file_that_is_missing_empty_or_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pinned.tsv"
    with pytest.raises(ConfigError, match=r"pinned: .*pinned\.tsv: cannot be read"):
        read_pins(path)
    path.write_bytes(b"")
    with pytest.raises(ConfigError, match=r"pinned\.tsv: the file is empty"):
        read_pins(path)
    path.write_bytes(HEADER.encode() + b"\ndocs\tq\xff\td\t1\n")
    with pytest.raises(ConfigError, match=r"pinned\.tsv:2: the line is not UTF-8"):
        read_pins(path)


def test_one_query_may_pin_several_documents(write: Write) -> None:
    pins = read_pins(write(HEADER, "docs\tq1\td1\t1", "docs\tq1\td2\t2", "other\tq1\td1\t1"))
    assert len(pins) == 3


def test_a_suite_of_several_datasets_must_be_told_apart() -> None:
    check_datasets([pin()], ["docs"], ())
    with pytest.raises(ConfigError, match=r"pinned\.tsv:2: the suite has 2 datasets"):
        check_datasets([pin()], ["docs", "scifact"], ())


def test_a_misspelt_dataset_is_refused_and_one_of_another_suite_is_not() -> None:
    check_datasets([pin(dataset="nightly-docs")], ["docs"], ["nightly-docs"])
    with pytest.raises(ConfigError, match="no dataset is called 'dosc'; did you mean 'docs'"):
        check_datasets([pin(dataset="dosc")], ["docs"], ["nightly-docs"])


def test_a_dataset_gets_its_own_pins() -> None:
    pins = [pin(dataset="docs"), pin(dataset="other"), pin(query="q2")]
    assert pins_of(pins, "docs", {"q1", "q2"}, {"d1"}) == (pins[0], pins[2])


def test_a_pin_on_a_query_that_is_not_judged_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"pinned\.tsv:2: docs does not judge the query 'q9'"):
        pins_of([pin(query="q9")], "docs", {"q1"})


def test_a_pin_on_an_unknown_document_is_refused_where_the_corpus_is_known() -> None:
    with pytest.raises(ConfigError, match=r"pinned\.tsv:2: docs has no document 'd1'"):
        pins_of([pin()], "docs", {"q1"}, {"d2"})


RUN = {"q1": {"q1": 9.0, "a": 5.0, "b": 5.0, "c": 1.0}, "q2": {"a": 1.0}}


def test_ranks_follow_the_order_that_is_scored() -> None:
    pins = [pin(document="b"), pin(document="a"), pin(document="z"), pin(query="q3")]
    # Equal scores stand in descending order of ids.
    assert find_ranks(pins, RUN) == {
        ("q1", "b"): 2,
        ("q1", "a"): 3,
        ("q1", "z"): None,
        ("q3", "d1"): None,
    }
    assert find_ranks(pins[:1], RUN, drop_identical_ids=True) == {("q1", "b"): 1}


def test_a_document_beyond_the_top_100_has_no_rank() -> None:
    run = {"q1": {f"d{place:03}": float(-place) for place in range(150)}}
    pins = [pin(document="d099"), pin(document="d100")]
    assert find_ranks(pins, run) == {("q1", "d099"): 100, ("q1", "d100"): None}


def test_the_parts_of_a_divided_dataset_answer_for_their_own_pins() -> None:
    pins = [pin("android/q1", "c"), pin("unix/q2", "a")]
    assert find_ranks(pins, RUN, prefix="android/") == {("android/q1", "c"): 4}
    assert find_ranks(pins, RUN, prefix="unix/") == {("unix/q2", "a"): 1}


def test_a_broken_pin_names_query_document_ranks_and_line() -> None:
    pins = [pin(document="b"), pin(document="c", rank=3), pin(document="z")]
    ranks = find_ranks(pins, RUN)
    checks = check_pins(pins, ranks)
    assert checks == tuple(
        Check(kind="pin", query="q1", document=d, limit=limit, now=now, place="pinned.tsv:2")
        for d, limit, now in (("b", pins[0].rank, 2), ("c", 3, 4), ("z", pins[2].rank, None))
    )
    assert [check.passed for check in checks] == [True, False, False]
    assert checks[1].message == (
        "pinned query 'q1': document 'c' stands at 4, must be at rank 3 or better (pinned.tsv:2)"
    )
    assert "document 'z' is not in the top 100" in checks[2].message


def test_a_pin_holds_at_its_worst_rank() -> None:
    held = pin(rank=3)
    (check,) = check_pins([held], {(held.query, held.document): 3})
    assert check.passed
