"""What travels between processes is of builtin types, whatever a user's code made of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import pytest

from pytest_beir.plugin.payload import PayloadError, payload_of, plain, put


class Text(str):
    __slots__ = ()


class Model(str, enum.Enum):
    SMALL = "small"


class Level(enum.IntEnum):
    LOW = 1


@dataclass
class Pair:
    first: str
    rest: tuple[Pair, ...] = ()


VALUES = [
    (np.str_("d1"), "d1"),
    (Text("d1"), "d1"),
    (Model.SMALL, "small"),
    (Level.LOW, 1),
    (np.int64(3), 3),
    (np.float64(0.5), 0.5),
    (np.float32(0.5), 0.5),
    (np.bool_(1), True),
    (PurePosixPath("a/b"), "a/b"),
    ("half \ud800", "half \\ud800"),
    ({np.str_("q"): [np.float64(1.0)]}, {"q": [1.0]}),
    ({"q": np.float64(1.0), "p": 1.0}, {"q": 1.0, "p": 1.0}),
    (["d1", "half \ud800"], ["d1", "half \\ud800"]),
    ((Text("a"), {Text("b")}), ("a", frozenset({"b"}))),
]


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=[repr(v) for v, _ in VALUES])
def test_a_value_becomes_a_builtin_one(value: object, expected: object) -> None:
    found = plain(value, "a test")
    assert found == expected
    assert type(found) is type(expected)


def test_parts_of_containers_become_builtin_too() -> None:
    found = plain({"a": (np.str_("b"),), "c": [Level.LOW]}, "a test")
    assert type(found["a"][0]) is str
    assert type(found["c"][0]) is int


def test_a_dataclass_becomes_the_dict_of_its_fields() -> None:
    assert plain(Pair(np.str_("d1"), (Pair("d2"),)), "a test") == {
        "first": "d1",
        "rest": ({"first": "d2", "rest": ()},),
    }


def test_what_cannot_travel_is_named_with_its_place() -> None:
    with pytest.raises(PayloadError, match=r"the result, scores, q1 holds a value of type object"):
        plain({"scores": {"q1": object()}}, "the result")


@pytest.mark.parametrize(
    "value",
    [
        {"q": ((1, "d1"), (2, "half \ud800"))},
        {"q": ((1, Text("d1")),), "p": ()},
        {"q": (np.str_("d1"),), "p": ("d2",)},
        {"q": ((np.int64(1), "d1"),)},
        {"q": ("é",)},
    ],
    ids=["surrogate", "subclass", "numpy text", "numpy number", "not ASCII"],
)
def test_one_odd_value_among_many_queries_is_found(value: dict[str, tuple[object, ...]]) -> None:
    found = plain(value, "a test")
    one_by_one = {
        query: tuple(plain(each, "a test") for each in held) for query, held in value.items()
    }
    assert repr(found) == repr(one_by_one)
    assert "str_" not in repr(found)


@pytest.mark.parametrize("is_sent", [False, True])
def test_a_payload_arrives_as_it_left_whether_or_not_it_is_sent(*, is_sent: bool) -> None:
    report = pytest.TestReport("n", ("f", 0, "n"), {}, "passed", None, "call")
    put(report, {"scores": {"q": (0.1, "d")}, "names": {"a"}}, is_sent=is_sent)
    assert isinstance(vars(report)["beir"], bytes) == is_sent
    expected = {"scores": {"q": (0.1, "d")}, "names": frozenset({"a"})}
    assert payload_of(report) == expected
    assert vars(report)["beir"] == expected  # for other plugins, which may write it as JSON


def test_a_class_is_no_value_though_its_objects_are() -> None:
    assert plain(Pair("a"), "a test") == {"first": "a", "rest": ()}
    with pytest.raises(PayloadError):
        plain(Pair, "a test")
