"""What a file holds does not steer the terminal."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_beir.cli import VisibleStream


def shown(text: str, encoding: str = "utf-8", *, terminal: bool = False) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    stream.isatty = lambda: terminal  # type: ignore[method-assign]
    VisibleStream(stream).write(text)
    stream.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[2J\x07\x9b\r", r"a\u001b[2J\u0007\u009b\u000d"),
        ("\u202eabc\u2066\u2028", r"\u202eabc\u2066\u2028"),
        ("half \ud800", r"half \ud800"),
        ("\u00e9 \u05d0 \u65e5\n\tx", "\u00e9 \u05d0 \u65e5\n\tx"),
    ],
)
def test_control_characters_are_written_out(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_our_own_colours_reach_a_terminal_only() -> None:
    assert shown("\x1b[31mred\x1b[2J", terminal=True) == "\x1b[31mred\\u001b[2J"
    assert shown("\x1b[31mred") == r"\u001b[31mred"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "no-such-encoding"])
def test_a_console_of_few_signs_gets_spellings(encoding: str) -> None:
    real = "ascii" if encoding.startswith("no") else encoding
    text = shown("\u0394 \u2212.041 \u2192 \u65e5\n", real)
    assert text == "delta -.041 -> \\u65e5\n"


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_says_the_same(value: object) -> None:
    assert json.loads(shown(json.dumps(value, ensure_ascii=False))) == value
