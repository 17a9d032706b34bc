"""YAML that knows its lines, read as YAML 1.2 and written for any reader."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.files.yaml_with_lines import MarkedYamlError, dump, parse, show

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
        ("a: 1\nb: [", 2),
        ("a: 1\na: 2", 2),
        ("a: 1\n[x]: 2", 2),
        ("true: 1", 1),
        ("a: 1\n---\nb: 2", 2),
        ("a:\n\tb: 1", 2),
        ("a: *b", 1),
        ("a: &x\n  b: *x", 1),
        ("a: !!python/name:os.system ''", 1),
        ("a: !!int x", 1),
        ("a: 1\nb: \x00", 2),
        pytest.param("[" * 10_000, 1, id="too deep to follow"),
    ],
)
def test_what_is_no_yaml_of_ours_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(MarkedYamlError) as caught:
        parse(text)
    assert caught.value.line == line
