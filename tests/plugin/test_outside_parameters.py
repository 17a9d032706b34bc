"""Which parameters from outside a fixture are one, told without running a suite."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_beir.plugin import fixture_lookup
from pytest_beir.plugin.outside_parameters import OutsideParameters, token


@pytest.fixture(autouse=True)
def _every_fixture_takes_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SimpleNamespace(params=None)
    monkeypatch.setattr(fixture_lookup, "definitions_for_item", lambda _: {"size": [plain]})
    monkeypatch.setattr(fixture_lookup, "is_replaced", lambda _: False)


def collect(known: OutsideParameters, value: Any, index: int = 0, **given: Any) -> str:
    """The text for the parameter `size` of a test that is collected."""
    fields = {"test": "beir", "module": "conftest.py", "marks": ()} | given
    item: Any = SimpleNamespace(
        callspec=SimpleNamespace(params={"size": value}, indices={"size": index}),
        parent=SimpleNamespace(nodeid=fields["module"]),
        originalname=fields["test"],
        name=f"{fields['test']}[{index}]",
        stash={},
        iter_markers_with_node=lambda _: fields["marks"],
    )
    known.pytest_itemcollected(item)
    return token(item, "size")


def test_equal_plain_values_are_one_parameter_wherever_they_stand() -> None:
    known = OutsideParameters()
    assert collect(known, 1) == collect(known, 1, test="own") == "1"
    assert collect(known, "1") == "'1'"
    assert collect(known, None) == "None"
    assert collect(known, 1.0) == "1.0"


def test_equal_values_at_two_places_of_one_list_are_two() -> None:
    known = OutsideParameters()
    assert [collect(known, 7, index) for index in (0, 1, 0)] == [
        "7",
        "7 (number 2 of its kind)",
        "7",
    ]
    assert collect(known, 7, 3, test="own") == "7"
    assert collect(known, 7, 3, module="other/conftest.py") == "7"


def test_other_values_are_one_where_they_are_one_object() -> None:
    known = OutsideParameters()
    first, second = object(), object()
    told = "given by a hook for size"
    assert collect(known, first) == f"object 0 {told}"
    assert collect(known, second, 1) == f"object 1 {told}"
    assert collect(known, first, 5, test="own") == f"object 0 {told}"
    # Another test's list has places of its own.
    assert collect(known, object(), test="own") == f"object 0 {told}"


def test_a_mark_that_gives_the_parameter_is_named() -> None:
    node = SimpleNamespace(nodeid="conftest.py::beir[a-1]")
    for names in ("other,size", "other, size", ("other", "size")):
        mark = SimpleNamespace(args=(names,), kwargs={})
        told = collect(OutsideParameters(), object(), marks=[(node, mark)])
        assert told == "object 0 given by the mark of conftest.py::beir"
    by_name = SimpleNamespace(args=(), kwargs={"argnames": "size"})
    assert "the mark of" in collect(OutsideParameters(), object(), marks=[(node, by_name)])
    other = SimpleNamespace(args=("sizes",), kwargs={})
    assert "a hook for" in collect(OutsideParameters(), object(), marks=[(node, other)])


def test_what_the_fixture_gives_itself_has_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    own = SimpleNamespace(params=[1, 2])
    monkeypatch.setattr(fixture_lookup, "definitions_for_item", lambda _: {"size": [own]})
    assert collect(OutsideParameters(), 1) == ""
    item: Any = SimpleNamespace(stash={})
    OutsideParameters().pytest_itemcollected(item)
    assert token(item, "size") == ""
