"""Errors say where, what and what mends it, and have codes that stay."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from pytest_beir import errors
from pytest_beir.errors import BeirError, ConfigError, DatasetError, LocatedError, error_classes


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (LocatedError("broken"), "broken"),
        (LocatedError("broken", remedy="mend it"), "broken; mend it"),
        (LocatedError("broken", file=Path("a"), line=3, remedy="mend it"), "a:3: broken; mend it"),
        (LocatedError("broken", line=3).at(Path("a"), 9), "a:3: broken"),
        (LocatedError("broken").at(Path("a"), 9), "a:9: broken"),
    ],
)
def test_an_error_names_place_fault_and_remedy(error: LocatedError, text: str) -> None:
    assert str(error) == text


def test_an_error_keeps_its_place_on_the_way_to_another_process() -> None:
    error = DatasetError("broken", file=Path("a"), line=3, remedy="mend it", kind="odd")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (str(copy), copy.line, copy.kind) == ("a:3: broken; mend it", 3, "odd")


def test_every_class_has_a_code_of_its_own() -> None:
    classes = list(error_classes())
    public = {
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, BeirError)
    }
    assert set(classes) == public
    assert len({each.code for each in classes}) == len(classes)
    assert ConfigError("broken").with_code == "broken [BEIR102]"


def test_the_page_explains_every_code() -> None:
    page = (Path(__file__).parents[1] / "docs" / "errors.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (BEIR\d+) \| `(\w+)` \|", page, re.MULTILINE)
    assert dict(rows) == {each.code: each.__name__ for each in error_classes()}
    assert len(rows) == len(dict(rows))


def test_of_an_endless_line_the_beginning_and_the_end_are_shown() -> None:
    line = f"begin{'x' * 1_000_000}end"
    shown = str(DatasetError(f"first\n{line}"))
    first, second = shown.split("\n")
    assert first == "first"
    assert second.startswith("beginxxx")
    assert second.endswith("xxxend")
    assert len(second) == 1000 + len(" … ") + 500
    assert str(DatasetError("y" * 2000)) == "y" * 2000
