"""YAML that knows its lines, read as YAML 1.2 and written for any reader."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.errors import LocatedError
from pytest_beir.files.yaml_with_lines import dump, parse, show

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    st.sampled_from(
        ["no", "on", "Yes", "true", "null", "~", "", "1e3", "12e4567", "0123", "0x1f", "1_000"]
    ),
    st.sampled_from(["1:30", "2026-01-05", ".inf", "=", "<<", "- a", "a: b", "#x", " x ", "a\nb"]),
)
VALUES = st.recursive(
    st.one_of(TEXTS, st.booleans(), st.none(), st.integers(), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(TEXTS, inner)),
    max_leaves=10,
)


@given(VALUES)
def test_what_is_written_comes_back(value: object) -> None:
    assert parse(dump(value)).value == value


@given(st.dictionaries(TEXTS, st.one_of(TEXTS, st.booleans(), st.none(), st.integers())))
def test_another_reader_understands_what_is_written(value: object) -> None:
    assert yaml.safe_load(dump(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("1e-3", 0.001),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.inf", float("-inf")),
        ("010", 10),
        ("+3", 3),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("2026-01-05", "2026-01-05"),
        ("~", None),
        ("'3'", "3"),
        ("", None),
        ("# only a comment", None),
    ],
)
def test_a_scalar_means_what_yaml_1_2_says(text: str, value: object) -> None:
    assert parse(text).value == value


def test_every_key_and_item_knows_its_line() -> None:
    document = parse("# head\na:\n  b: 1\n\n  c:\n  - x\n  - {d: 2,\n     e: 3}\n")
    assert document.line(("a", "b")) == 3
    assert document.line(("a", "c", 0)) == 6
    assert document.line(("a", "c", 1, "e")) == 8
    assert document.line(("a", "c", 1, "missing")) == 7
    assert document.line(("nowhere",)) == 1
    assert show(("a", "c", 1, "e")) == "a.c[1].e"


def test_keys_and_items_without_a_value_are_found() -> None:
    document = parse("a:\nb: [1, ~]\nc: {d: ''}\n")
    assert list(document.empty_values()) == [("a",), ("b", 1)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [", 3),
        ("a: 1\na: 2", 2),
        ("a: 1\n[x]: 2", 2),
        ("true: 1", 1),
        ("a: 1\n---\nb: 2", 2),
        ("a:\n\tb: 1", 2),
        ("a: *b", 1),
        ("a: &x\n  b: *x", 2),
        ("a: !!python/name:os.system ''", 1),
        ("a: !!int x", 1),
        ("a: 1\nb: \x00", 2),
        pytest.param("[" * 10_000, 1, id="too deep to follow"),
    ],
)
def test_what_is_no_yaml_of_ours_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(LocatedError) as caught:
        parse(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &a [x]\nb: *a", r"alias \*a: not allowed here"),
        ("a: !!set {x}", "the tag !!set is not read here"),
        ("a: " + "9" * 5000, "a number of 5,000 characters"),
        ("a: " + "9" * 5000 + "e1", "a number of 5,002 characters"),
        ("a:\n- - " + "- " * 60 + "x", "nested more than 50 deep"),
        ("[" * 500_000, "nest"),
        ("{a: " * 200_000, "nested more than 50 deep"),
        ("- x\n" * 250_000, "more than 200,000 values"),
        ("[x," * 1 + "[],[],[],\n" * 100_000, "more than 200,000 values"),
    ],
)
def test_hostile_yaml_is_one_error(text: str, words: str) -> None:
    with pytest.raises(LocatedError, match=words):
        parse(text)


def test_aliases_are_counted_and_so_is_what_they_repeat() -> None:
    assert parse("a: &a [x, y]\nb: *a", aliases=1).value == {"a": ["x", "y"], "b": ["x", "y"]}
    assert parse("a: &k x\n*k : 1", aliases=1).value == {"a": "x", "x": 1}
    with pytest.raises(LocatedError, match="at most 2 are read"):
        parse("a: &a x\nb: [*a, *a,\n*a]", aliases=2)
    laughs = "l0: &l0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 10)
    )
    with pytest.raises(LocatedError, match="aliases repeat more than 10,000 values") as caught:
        parse(laughs, aliases=100)
    assert caught.value.line == 5
