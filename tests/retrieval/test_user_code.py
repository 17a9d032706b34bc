"""Whatever a user's value does, it can be put into words."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_beir.retrieval.user_code import described, printable, shown


class Broken(Exception):  # noqa: N818  # its name is not the point
    def __repr__(self) -> str:
        raise ValueError("no repr")

    def __str__(self) -> str:
        raise ValueError("no str")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("x"), "ValueError: x"),
        (ValueError(), "ValueError"),
        (ValueError("one\n  two"), "ValueError: one two"),
        (ValueError("red \x1b[31m, half \ud800"), r"ValueError: red \x1b[31m, half \ud800"),
        (ValueError("naïve → ✗"), "ValueError: naïve → ✗"),
        (ValueError("x" * 1000), f"ValueError: {'x' * 600}…"),
        (Broken(), "Broken (whose message cannot be read)"),
    ],
)
def test_an_exception_is_one_printable_line(error: BaseException, words: str) -> None:
    assert described(error) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "7 (int)"),
        ("\ud800", r"'\ud800' (str)"),
        (Broken(), "an object whose repr() fails (Broken)"),
        ("x" * 100, f"'{'x' * 59}… (str)"),
    ],
)
def test_a_value_is_shown_with_its_type(value: Any, words: str) -> None:
    assert shown(value) == words


def test_a_no_break_space_is_a_space() -> None:
    assert printable("a\u00a0b") == "a b"
